# shellcheck shell=bash
# What a COMMAND of lab/cluster can do to the guests. Exported, so that they are there in
# every bash below lab/cluster. A guest is named by its number: 0 the director, i server i; the second
# director of --standby by the word standby.

lab_address() {
    case $1 in
        0) echo 10.1.0.1 ;;
        standby) echo 10.1.0.3 ;;
        *) echo "10.2.0.$((10 + $1))" ;;
    esac
}

# on GUEST 'shell commands': runs them there, as root; their output and status come back.
# 255: the guest does not answer. (Output without a last newline gets one.)
on() {
    local answer
    answer=$(printf '(\n%s\n) </dev/null 2>&1\necho "status $?"\n' "$2" |
        busybox nc -w 60 "$(lab_address "$1")" 22) || return 255
    case $answer in *'status '*) ;; *) return 255 ;; esac
    [ -z "${answer%status *}" ] || printf '%s' "${answer%status *}"
    return "${answer##*status }"
}

# limit SERVER PERCENT: how much of a host core its kernel may use from now on; 0: no limit.
limit() { cgroup_limit "rs$1" "$2" "$LAB_SLICE"; }

# director_cpu_ms: CPU time in ms of the host that the director's kernel has used so far.
director_cpu_ms() { cgroup_cpu_ms director; }

# put GUEST FILE <TEXT: a file there, for its owner alone.
put() {
    on "$1" "umask 077
cat >$2 <<'END_OF_FILE'
$(cat)
END_OF_FILE"
}

# start_daemon GUEST NAME COMMAND...: there, until stop_daemon; its log is /run/NAME.log.
start_daemon() { on "$1" "${*:3} >/run/$2.log 2>&1 & echo \$! >/run/$2.pid"; }

# stop_daemon GUEST NAME: and waits until it has ended, 20 s at most: who starts another one before that
# would meet the old one's lock.
# shellcheck disable=SC2016  # expanded there
stop_daemon() {
    on "$1" "name=$2"'
        pid=$(cat "/run/$name.pid") && kill "$pid" || exit
        tries=200
        while kill -0 "$pid" 2>/dev/null; do
            [ $tries -gt 0 ] || { echo "$name does not end"; exit 1; }
            tries=$((tries - 1))
            sleep 0.1
        done'
}

daemon_runs() { on "$1" "kill -0 \"\$(cat /run/$2.pid)\""; } # GUEST NAME

# start_monitord [DIRECTOR] <CONFIG: runs it in the director (0 or standby) with the configuration that is read from
# stdin; the keys are in $LAB_DIR/keys/director.yaml, the log becomes /run/monitord.log.
# A host that has the unit lends the guest the unit's state folder, where a root without rights could
# not write.
start_monitord() {
    put "${1-0}" /run/monitord.yaml
    on "${1-0}" 'mkdir -p /run/monitord /var/lib/monitord && chown root /var/lib/monitord'
    start_daemon "${1-0}" monitord "'$LAB_BUILD/monitord/monitord' --config /run/monitord.yaml"
}

stop_monitord() { stop_daemon 0 monitord; }
monitord_runs() { daemon_runs 0 monitord; }

export -f put start_daemon stop_daemon daemon_runs
export -f lab_address on limit director_cpu_ms start_monitord stop_monitord monitord_runs cgroup_limit cgroup_cpu_ms
export LAB_CGROUP LAB_CGROUP_VERSION
