# shellcheck shell=bash
# keepalived in the director of a lab/cluster, whose checks give the weights (MISC_CHECK with
# misc_dynamic). To be sourced by a COMMAND of lab/cluster. The check is bench/peers_check.
#
#   keepalived_config SERVICE SCHEDULER WEIGHT SECONDS PORT ADDRESS...
#                     prints the configuration of SERVICE with every ADDRESS:80: each real server has WEIGHT at
#                     first, and is asked at PORT every so many SECONDS
#   keepalived_ready  puts the check where keepalived wants one: all folders of its path are root's
#   keepalived_command FILE
#                     prints the command that runs it in the foreground

# A keyword a line: of two on one line keepalived does not see the second.
keepalived_config() {
    local service=$1 scheduler=$2 weight=$3 seconds=$4 port=$5 address
    shift 5
    printf 'global_defs {\n  script_user root\n  enable_script_security\n}\n'
    printf 'virtual_server %s %s {\n  delay_loop %s\n  lb_algo %s\n  lb_kind NAT\n  protocol TCP\n' \
        "${service%:*}" "${service#*:}" "$seconds" "$scheduler"
    for address in "$@"; do
        printf '  real_server %s 80 {\n    weight %s\n    MISC_CHECK {\n' "$address" "$weight"
        printf '      misc_path "/run/peers_check %s %s"\n' "$address" "$port"
        printf '      misc_timeout %s\n      misc_dynamic\n    }\n  }\n' "$seconds"
    done
    printf '}\n'
}

keepalived_ready() { on 0 "cp '$LAB_BUILD/bench/peers_check' /run/peers_check && chmod 755 /run/peers_check"; }

keepalived_command() {
    echo "/usr/sbin/keepalived --dont-fork --log-console --check --use-file $1" \
        "--pid /run/keepalived.pid --checkers_pid /run/checkers.pid"
}
