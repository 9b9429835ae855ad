# Where Debian expects things.
install(TARGETS monitord realserver-agent RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR})
install(TARGETS monitorctl RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR})
install(FILES etc/monitord.yaml DESTINATION ${CMAKE_INSTALL_SYSCONFDIR}/monitord)
install(FILES etc/realserver-agent.yaml DESTINATION ${CMAKE_INSTALL_SYSCONFDIR}/realserver-agent)
install(FILES systemd/monitord.service systemd/realserver-agent.service
  DESTINATION lib/systemd/system)
install(FILES systemd/monitord.sysusers DESTINATION lib/sysusers.d RENAME monitord.conf)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
