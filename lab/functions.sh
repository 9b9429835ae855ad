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

# start_monitord [DIRECTOR] <CONFIG: runs it in the director (0 or standby) with the configuration that is read from
# stdin; the keys are in $LAB_DIR/keys/director.yaml, the log becomes /run/monitord.log.
# A host that has the unit lends the guest the unit's state folder, where a root without rights could
# not write.
start_monitord() {
    on "${1-0}" "cat >/run/monitord.yaml <<'END_OF_CONFIG'
$(cat)
END_OF_CONFIG
mkdir -p /run/monitord /var/lib/monitord
chown root /var/lib/monitord
'$LAB_BUILD/monitord/monitord' --config /run/monitord.yaml >/run/monitord.log 2>&1 &
echo \$! >/run/monitord.pid"
}

# stop_monitord: and waits until it has ended, 20 s at most. Who starts the next one or empties its state
# folder before that would meet the old one's lock.
# shellcheck disable=SC2016  # expanded there
stop_monitord() {
    on 0 'pid=$(cat /run/monitord.pid) && kill "$pid" || exit
        tries=200
        while kill -0 "$pid" 2>/dev/null; do
            [ $tries -gt 0 ] || { echo "monitord does not end"; exit 1; }
            tries=$((tries - 1))
            sleep 0.1
        done'
}
# shellcheck disable=SC2016  # expanded there
monitord_runs() { on 0 'kill -0 "$(cat /run/monitord.pid)"'; }

export -f lab_address on limit director_cpu_ms start_monitord stop_monitord monitord_runs cgroup_limit cgroup_cpu_ms
export LAB_CGROUP LAB_CGROUP_VERSION
