# shellcheck shell=bash
# The balancers of bench/peers, in the director of a lab/cluster. To be sourced there, with `servers`, the
# number of real servers, and `root`, the project's folder, set.
#
#   peers              their names, in the order of the report
#   start_peer NAME    in the director; the table is its own or made for it
#   stop_peer          whichever runs, and what it left in the table
#   watch_of NAME      the last arguments of peers_reaction: where its weights are

: "${servers:?}" "${root:?}"
# shellcheck source=../lab/keepalived.sh
source "$root/lab/keepalived.sh"
# shellcheck disable=SC2034  # who sources this uses it
readonly peers=(monitord keepalived haproxy shell)
readonly agent_port=5555 interval_s=2 start_weight=50
service=$LAB_VIP:80

server_address() { echo "10.2.0.$((100 + $1))"; }
each_server() { seq 1 "$servers"; }

watch_of() {
    case $1 in
        haproxy) echo "haproxy /run/haproxy.sock pool/s1" ;;
        *) echo "ipvs tcp:$service $(server_address 1):80" ;;
    esac
}

# in_background COMMAND...: in the director, until stop_peer.
in_background() { start_daemon 0 peer "$@"; }

set_table() {
    local i rules="-A -t $service -s wrr"
    for i in $(each_server); do rules+=$'\n'"-a -t $service -r $(server_address "$i"):80 -m -w $start_weight"; done
    on 0 "ipvsadm -C; ipvsadm -R <<'END'
$rules
END"
}

stop_peer() { stop_daemon 0 peer && on 0 'ipvsadm -C'; }

show_log() { on 0 'tail -n 20 /run/peer.log' >&2; }

start_peer() { "start_peer_$1"; }

# monitord with its defaults. The strategy is the one that, as the others here, looks at nothing but the
# servers' load; and no traffic passes.
start_peer_monitord() {
    set_table
    put 0 /run/monitord.yaml <<END
dry_run: false
interval: ${interval_s}s
agent: {keys: $LAB_DIR/keys/director.yaml}
defaults: {strategy: headroom, standby: steer}
END
    on 0 "rm -rf /var/lib/monitord; mkdir -p /run/monitord /var/lib/monitord; chown root /var/lib/monitord"
    in_background "'$LAB_BUILD/monitord/monitord' --config /run/monitord.yaml"
}

start_peer_keepalived() {
    local i addresses=()
    for i in $(each_server); do addresses+=("$(server_address "$i")"); done
    on 0 'ipvsadm -C'
    keepalived_ready
    keepalived_config "$service" wrr $start_weight $interval_s $agent_port "${addresses[@]}" | put 0 /run/keepalived.conf
    in_background "$(keepalived_command /run/keepalived.conf)"
}

haproxy_config() {
    local i address
    cat <<'END'
global
    maxconn 100
    stats socket /run/haproxy.sock level admin
defaults
    mode tcp
    timeout connect 1s
    timeout client 10s
    timeout server 10s
frontend entry
    bind 10.1.0.1:8080
    default_backend pool
backend pool
    balance roundrobin
END
    for i in $(each_server); do
        address=$(server_address "$i")
        echo "    server s$i $address:80 weight 100 agent-check agent-addr $address" \
            "agent-port $agent_port agent-inter ${interval_s}s"
    done
}

start_peer_haproxy() {
    on 0 'ipvsadm -C'
    haproxy_config | put 0 /run/haproxy.cfg
    in_background "/usr/sbin/haproxy -db -f /run/haproxy.cfg"
}

start_peer_shell() {
    set_table
    in_background "'$root/bench/peers_shell_loop' $service $servers $interval_s"
}
