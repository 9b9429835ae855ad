# shellcheck shell=bash
# What a COMMAND of lab/cluster can do to the guests. Exported, so that they are there in
# every bash below lab/cluster. A guest is named by its number: 0 the director, i server i.

lab_address() {
    if [ "$1" = 0 ]; then echo 10.1.0.1; else echo "10.2.0.$((10 + $1))"; fi
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

# start_monitord <CONFIG: runs it in the director with the configuration that is read from
# stdin; the keys are in $LAB_DIR/keys/director.yaml, the log becomes /run/monitord.log.
start_monitord() {
    on 0 "cat >/run/monitord.yaml <<'END_OF_CONFIG'
$(cat)
END_OF_CONFIG
mkdir -p /run/monitord /var/lib/monitord
'$LAB_BUILD/monitord/monitord' --config /run/monitord.yaml >/run/monitord.log 2>&1 &
echo \$! >/run/monitord.pid"
}

# shellcheck disable=SC2016  # expanded there
stop_monitord() { on 0 'kill "$(cat /run/monitord.pid)"'; }
# shellcheck disable=SC2016  # expanded there
monitord_runs() { on 0 'kill -0 "$(cat /run/monitord.pid)"'; }

export -f lab_address on limit start_monitord stop_monitord monitord_runs cgroup_limit
export LAB_CGROUP LAB_CGROUP_VERSION
