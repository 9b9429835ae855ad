# shellcheck shell=bash
# The balancers of bench/peers, in the director of a lab/cluster. To be sourced there, with `servers`, the
# number of real servers, and `root`, the project's folder, set.
#
#   peers              their names, in the order of the report
#   start_peer NAME    in the director; the table is its own or made for it
#   stop_peer          whichever runs, and what it left in the table
#   watch_of NAME      the last arguments of peers_reaction: where its weights are

: "${servers:?}" "${root:?}"
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

# put FILE <TEXT: a file of the director, for its owner alone.
put() {
    on 0 "(umask 077; cat >$1 <<'END_OF_FILE'
$(cat)
END_OF_FILE
)"
}

# in_background COMMAND...: in the director, until stop_peer.
in_background() { on 0 "$* >/run/peer.log 2>&1 & echo \$! >/run/peer.pid"; }

set_table() {
    local i rules="-A -t $service -s wrr"
    for i in $(each_server); do rules+=$'\n'"-a -t $service -r $(server_address "$i"):80 -m -w $start_weight"; done
    on 0 "ipvsadm -C; ipvsadm -R <<'END'
$rules
END"
}

stop_peer() {
    # shellcheck disable=SC2016  # expanded there
    on 0 'pid=$(cat /run/peer.pid) && kill "$pid" && while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done && ipvsadm -C'
}

show_log() { on 0 'tail -n 20 /run/peer.log' >&2; }

start_peer() { "start_peer_$1"; }

# monitord with its defaults. The strategy is the one that, as the others here, looks at nothing but the
# servers' load; and no traffic passes.
start_peer_monitord() {
    set_table
    put /run/monitord.yaml <<END
dry_run: false
interval: ${interval_s}s
agent: {keys: $LAB_DIR/keys/director.yaml}
defaults: {strategy: headroom, standby: steer}
END
    on 0 "rm -rf /var/lib/monitord; mkdir -p /run/monitord /var/lib/monitord; chown root /var/lib/monitord"
    in_background "'$LAB_BUILD/monitord/monitord' --config /run/monitord.yaml"
}

# A keyword a line: of two on one line keepalived does not see the second.
start_peer_keepalived() {
    local i address
    on 0 "ipvsadm -C; cp '$LAB_BUILD/bench/peers_check' /run/peers_check; chmod 755 /run/peers_check"
    {
        printf 'global_defs {\n  script_user root\n  enable_script_security\n}\n'
        printf 'virtual_server %s %s {\n  delay_loop %s\n  lb_algo wrr\n  lb_kind NAT\n  protocol TCP\n' \
            "${service%:*}" "${service#*:}" $interval_s
        for i in $(each_server); do
            address=$(server_address "$i")
            printf '  real_server %s 80 {\n    weight %s\n    MISC_CHECK {\n' "$address" $start_weight
            printf '      misc_path "/run/peers_check %s %s"\n' "$address" $agent_port
            printf '      misc_timeout %s\n      misc_dynamic\n    }\n  }\n' $interval_s
        done
        printf '}\n'
    } | put /run/keepalived.conf
    in_background "/usr/sbin/keepalived --dont-fork --log-console --check --use-file /run/keepalived.conf" \
        "--pid /run/keepalived.pid --checkers_pid /run/checkers.pid"
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
    haproxy_config | put /run/haproxy.cfg
    in_background "/usr/sbin/haproxy -db -f /run/haproxy.cfg"
}

start_peer_shell() {
    set_table
    in_background "'$root/bench/peers_shell_loop' $service $servers $interval_s"
}
