# shellcheck shell=bash
# The programs that bench/outputs starts in the client's namespace of a lab/cluster, and how they are asked. To
# be sourced, behind lab/measuring.sh; wants $root and $number.
#
#   scratch    folder of their files, gone with the cluster
#
# shellcheck disable=SC2154  # what it wants, and speeds, are set by who sources it

readonly scratch=$LAB_DIR/outputs port=8080 dns_port=5300
mkdir -p "$scratch"
monitord_pid='' powerdns_pid=''

server_lines() { # WEIGHT...: one for each server
    local i
    for i in $(each_server); do echo "server $(lab_address "$i"):80 weight=${!i};"; done
}

upstream() { # RULE: its method and its servers
    local weights
    mapfile -t weights < <(each_server | sed 's/.*/1/') # with response: until monitord writes them
    [ "$1" != hand_set ] || read -ra weights <<<"$(tuned_weights "${speeds[@]}")"
    server_lines "${weights[@]}" >"$scratch/web.conf"
    : >"$scratch/method.conf"
    [ "$1" != least_conn ] || echo 'least_conn;' >"$scratch/method.conf"
}

nginx() { /usr/sbin/nginx -e stderr -c "$scratch/nginx.conf" "$@"; }

start_nginx() {
    local of
    {
        printf 'user root;\nworker_processes 1;\nworker_shutdown_timeout 15s;\nerror_log %s warn;\npid %s;\n' \
            "$scratch/nginx.log" "$scratch/nginx.pid"
        printf 'events { worker_connections 4096; }\nhttp {\naccess_log off;\n'
        # The host's own would be given to root.
        for of in client_body proxy fastcgi uwsgi scgi; do echo "${of}_temp_path $scratch/$of;"; done
        printf 'upstream web {\ninclude %s;\ninclude %s;\n}\n' "$scratch/method.conf" "$scratch/web.conf"
        printf 'server {\nlisten 127.0.0.1:%s;\nlocation / { proxy_pass http://web; }\n}\n}\n' "$port"
    } >"$scratch/nginx.conf"
    nginx
}

stop_nginx() {
    local pid
    pid=$(<"$scratch/nginx.pid")
    nginx -s stop
    while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
}

start_output() { # nginx|dns: a monitord that knows nothing but who the servers are
    local i program="/usr/sbin/nginx, -e, stderr, -c, $scratch/nginx.conf"
    rm -f "$scratch/state"
    {
        cat <<END
dry_run: false
interval: 2s
agent: {keys: $LAB_DIR/keys/director.yaml}
state: {file: $scratch/state}
control: {socket: $scratch/control.sock}
http: {listen: none}
services: []
outputs:
  nginx: {test: [$program, -t, -q], reload: [$program, -s, reload]}
  dns: {zone: lb.test, nameservers: [ns1.test], ttl: 2s, socket: $scratch/dns.sock}
pools:
  - pool: web
    output: $1
END
        if [ "$1" = nginx ]; then
            printf '    file: %s\n    strategy: response\n    probe: {type: http, path: /}\n' "$scratch/web.conf"
        else
            printf '    strategy: linear\n    linear: {coefficients: {load_average: 0.2, connections: 0}}\n'
        fi
        echo '    servers:'
        for i in $(each_server); do echo "      - {destination: \"$(lab_address "$i"):80\", base: 20}"; done
    } >"$scratch/monitord.yaml"
    "$LAB_BUILD/monitord/monitord" --config "$scratch/monitord.yaml" >"$scratch/monitord.log" 2>&1 &
    monitord_pid=$!
}

stop_output() {
    if ! kill "$monitord_pid" 2>/dev/null; then
        tail -n 20 "$scratch/monitord.log" >&2
        echo "bench/outputs: monitord has ended by itself; the last lines of its log are above" >&2
        exit 1
    fi
    wait "$monitord_pid" || true
}

start_powerdns() {
    local try
    cat >"$scratch/pdns.conf" <<END
launch=remote
remote-connection-string=unix:path=$scratch/dns.sock,timeout=2000
distributor-threads=1
cache-ttl=0
query-cache-ttl=0
negquery-cache-ttl=0
zone-cache-refresh-interval=0
disable-axfr=yes
local-address=127.0.0.1
local-port=$dns_port
socket-dir=$scratch
security-poll-suffix=
daemon=no
guardian=no
write-pid=no
disable-syslog=yes
END
    /usr/sbin/pdns_server --config-dir="$scratch" >"$scratch/pdns.log" 2>&1 &
    powerdns_pid=$!
    for try in {1..100}; do
        if dig @127.0.0.1 -p "$dns_port" +tries=1 +time=1 +short web.lb.test A | grep -q '^[0-9]'; then return; fi
        sleep 0.1
    done
    tail -n 20 "$scratch/pdns.log" >&2
    echo "bench/outputs: PowerDNS has not answered after $try looks" >&2
    exit 1
}

stop_powerdns() {
    kill "$powerdns_pid"
    wait "$powerdns_pid" || true
}

wrk_json() { # CONNECTIONS SECONDS
    wrk -t 1 -c "$1" -d "${2}s" --timeout 10s -s "$root/bench/outputs.lua" "http://127.0.0.1:$port/" | grep '^{'
}

clients() { # monitord|rotation RATE SECONDS FROM
    local addresses=() i
    for i in $(each_server); do addresses+=("$(lab_address "$i")"); done
    python3 "$root/bench/dns_clients" --rule "$1" --dns "127.0.0.1:$dns_port" --name web.lb.test --rate "$2" \
        --seconds "$3" --from "$4" --seed "$number" "${addresses[@]}"
}

ask() { # QUERIES: {"ADDRESS": SHARE, ...}
    yes 'web.lb.test A' | head -n "$1" >"$scratch/questions"
    dig @127.0.0.1 -p "$dns_port" +tries=1 +time=2 +short -f "$scratch/questions" |
        jq -Rnc '[inputs | select(startswith(";") | not)] | length as $all
            | group_by(.) | map({key: .[0], value: (length / $all)}) | from_entries'
}

answers_per_second() {
    echo 'web.lb.test A' >"$scratch/question"
    dnsperf -s 127.0.0.1 -p "$dns_port" -d "$scratch/question" -l 10 2>/dev/null |
        awk '/Queries per second:/ { print $4; found = 1 } END { if (!found) print "null" }'
}
