# shellcheck shell=bash
# What moves the weights while lab/measure measures. To be sourced after measuring.sh.
#
#   start_balancer NAME STRATEGY SCHEDULER WEIGHT...   sets up $service and starts `monitord`, `keepalived`
#                                                      or `nothing`
#   stop_balancer NAME                                 ends with 1 when it has ended by itself
#   writes                                             how many weights monitord has written; empty while
#                                                      it does not answer

# shellcheck source=keepalived.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/keepalived.sh"
readonly check_port=5555

start_balancer() {
    local name=$1 strategy=$2
    shift 2
    case $name in
        nothing) set_service "$@" ;;
        monitord)
            set_service "$@"
            on 0 'rm -rf /var/lib/monitord'
            { monitord_config; printf '    strategy: %s\n' "$strategy"; } | start_monitord
            ;;
        keepalived) start_keepalived "$1" "$2" ;;
        *) echo "lab/measure: no balancer $name" >&2; return 1 ;;
    esac
}

start_keepalived() { # SCHEDULER WEIGHT
    local i try addresses=()
    for i in $(each_server); do
        addresses+=("$(lab_address "$i")")
        daemon_runs "$i" idled >/dev/null || start_daemon "$i" idled nice -n -20 "'$LAB_BUILD/lab/idled'" $check_port
    done
    on 0 'ipvsadm -C'
    keepalived_ready
    keepalived_config "$service" "$1" "$2" 2 $check_port "${addresses[@]}" | put 0 /run/keepalived.conf
    start_daemon 0 keepalived "$(keepalived_command /run/keepalived.conf)"
    for try in {1..50}; do
        if [ "$(kernel_weights | wc -l)" = "$LAB_N" ]; then return; fi
        sleep 0.2
    done
    echo "lab/measure: keepalived has no service after $try looks:" >&2
    on 0 'tail /run/keepalived.log' >&2
    return 1
}

stop_balancer() {
    [ "$1" != nothing ] || return 0
    if ! daemon_runs 0 "$1" >/dev/null; then
        echo "lab/measure: $1 has ended:" >&2
        on 0 "tail /run/$1.log" >&2
        return 1
    fi
    stop_daemon 0 "$1"
}

writes() { on 0 "'$LAB_BUILD/monitorctl/monitorctl' status -o json" 2>/dev/null | jq -r '.monitord.writes // empty' 2>/dev/null || true; }
