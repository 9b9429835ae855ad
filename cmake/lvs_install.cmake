# Where Debian expects things.
install(TARGETS monitord realserver-agent RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR})
# Where everybody has it in the path: much of it needs no root.
install(TARGETS monitorctl RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The programs look in /etc whatever the prefix is. What an operator has edited is kept.
function(lvs_install_config file directory)
  cmake_path(GET file FILENAME name)
  install(CODE "
    if(EXISTS \"\$ENV{DESTDIR}${directory}/${name}\")
      message(STATUS \"Kept: \$ENV{DESTDIR}${directory}/${name}\")
    else()
      file(INSTALL DESTINATION \"${directory}\" TYPE FILE FILES \"${PROJECT_SOURCE_DIR}/${file}\")
    endif()")
endfunction()
lvs_install_config(etc/monitord.yaml /etc/monitord)
lvs_install_config(etc/realserver-agent.yaml /etc/realserver-agent)

install(FILES etc/monitord.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/monitord)
install(FILES systemd/monitord.service systemd/realserver-agent.service
  DESTINATION lib/systemd/system)
install(FILES systemd/monitord.sysusers DESTINATION lib/sysusers.d RENAME monitord.conf)
# Where Debian's shells look for them.
foreach(program monitord realserver-agent monitorctl)
  set(scripts "${PROJECT_BINARY_DIR}/completion")
  install(FILES "${scripts}/bash/${program}"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${scripts}/zsh/${program}"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" RENAME "_${program}")
  install(FILES "${scripts}/fish/${program}"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" RENAME "${program}.fish")
endforeach()
# As in the sources, so that the links between them hold; the licence under Debian's name for it.
install(FILES README.md CONTRIBUTING.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES lab/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/lab)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY bench/scenarios DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY etc/failover DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples USE_SOURCE_PERMISSIONS)
install(DIRECTORY etc/prometheus etc/grafana DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
