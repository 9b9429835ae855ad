# shellcheck shell=bash
# A director's network with two real servers. To be sourced.

# The VIP is 10.9.9.9. Real servers are namespaces rs1 and rs2 with 10.2.0.11 and 10.2.0.12, a web server each;
# namespace "client" is where requests come from.
make_network() {
    local i
    ip link set lo up
    ip addr add 10.9.9.9/32 dev lo
    echo 1 >/proc/sys/net/ipv4/ip_forward
    ip netns add client
    ip link add c0 type veth peer name eth0 netns client
    ip addr add 10.1.0.1/24 dev c0
    ip link set c0 up
    ip -n client addr add 10.1.0.2/24 dev eth0
    ip -n client link set eth0 up
    ip -n client route add default via 10.1.0.1
    ip link add br0 type bridge
    ip addr add 10.2.0.1/24 dev br0
    ip link set br0 up
    mkdir -p /run/www
    echo "a page" >/run/www/index.html
    for i in 1 2; do
        ip netns add rs$i
        ip link add v$i type veth peer name eth0 netns rs$i
        ip link set v$i master br0 up
        ip -n rs$i link set lo up
        ip -n rs$i addr add 10.2.0.1$i/24 dev eth0
        ip -n rs$i link set eth0 up
        ip -n rs$i route add default via 10.2.0.1
        # systemd's own way to keep it, whoever started it.
        systemd-run --quiet --unit web$i -p NetworkNamespacePath=/run/netns/rs$i \
            /bin/busybox httpd -f -p 80 -h /run/www
    done
}

# A request about every 0.1 s, until the process group ends.
send_requests() {
    ip netns exec client /bin/bash -c \
        'while sleep 0.1; do busybox wget -q -O /dev/null http://10.9.9.9/ || true; done' >/dev/null 2>&1
}

make_service() {
    ipvsadm -R <<END
-A -t 10.9.9.9:80 -s wrr
-a -t 10.9.9.9:80 -r 10.2.0.11:80 -m -w 1
-a -t 10.9.9.9:80 -r 10.2.0.12:80 -m -w 1
END
}

# "1 2": the kernel's weights.
weights() { ipvsadm -Ln | awk '/->.*:80 / { printf "%s%s", comma, $4; comma = " " } END { print "" }'; }

# The unit of the package, in the namespace of the first real server.
agent_of_rs1() {
    mkdir -p /etc/systemd/system/realserver-agent.service.d
    printf '[Service]\nNetworkNamespacePath=/run/netns/rs1\n' \
        >/etc/systemd/system/realserver-agent.service.d/elsewhere.conf
    systemctl daemon-reload
}

# A second agent, as nothing but a program.
start_agent_of_rs2() { # KEYS
    printf 'listen: [10.2.0.12]\nkeys: %s\n' "$1" >/run/agent2.yaml
    systemd-run --quiet --unit agent2 -p NetworkNamespacePath=/run/netns/rs2 \
        /usr/sbin/realserver-agent --config /run/agent2.yaml
}
