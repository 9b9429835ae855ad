# shellcheck shell=bash
# Every Debian package the project needs, by what it is needed for. To be sourced.
#
#   packages_of GROUP...       prints their names
#   install_packages GROUP...  installs those that are missing
#
# Groups: build, lab (kernels to run in), test, check (static checks, sanitizers, fuzzing), browser,
# screenshots, bench (what is measured beside the project's own programs), packages (roots to build
# and try Debian packages in).

packages_of() {
    local group boost=(libboost-dev libboost-json-dev)
    # Debian 12 has two versions, and the plain name is the one that is too old (1.74).
    if grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release; then
        boost=(libboost1.81-dev libboost-json1.81-dev)
    fi
    for group in "$@"; do
        case $group in
            build)
                echo ca-certificates ccache cmake g++ git ninja-build pkg-config scdoc \
                    libcap-ng-dev libcli11-dev libexpected-dev libfmt-dev libncurses-dev libnl-3-dev \
                    libnl-genl-3-dev libspdlog-dev nettle-dev libsystemd-dev libyaml-cpp-dev prometheus-cpp-dev \
                    "${boost[@]}"
                ;;
            lab) echo user-mode-linux bsdextrautils busybox-static iproute2 ipvsadm jq kmod procps util-linux ;;
            bench)
                echo bind9-dnsutils curl dnsperf haproxy ipvsadm keepalived nginx pdns-backend-remote \
                    pdns-server prometheus-node-exporter python3 wrk
                ;;
            packages) echo debootstrap dpkg-dev ;;
            test)
                echo bind9-dnsutils catch2 fish haproxy jq keepalived ldirectord librapidcheck-dev nginx \
                    pdns-backend-remote pdns-server prometheus python3-jsonschema python3-yaml systemd zsh
                ;;
            check) echo clang clang-format clang-tidy libclang-rt-dev shellcheck valgrind ;;
            browser)
                echo chromium
                # Whoever has a newer Node.js has its npm with it, and Debian's does not go with that.
                type -P npm >/dev/null || echo nodejs npm
                ;;
            screenshots) echo fonts-dejavu-core tmux ;;
            *) echo "packages.sh: no group $group" >&2; return 1 ;;
        esac
    done | tr ' ' '\n'
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

missing_packages() {
    local package
    for package in $(packages_of "$@"); do
        installed "$package" || echo "$package"
    done
}

install_packages() {
    local missing
    type -P apt-get >/dev/null || { echo "packages.sh: this is no Debian: apt-get is missing" >&2; return 1; }
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" != 0 ]; then
        echo "these packages are missing, and only root can install them:" >&2
        echo "  apt-get install ${missing[*]}" >&2
        return 1
    fi
    # A fresh machine knows no packages yet.
    if ! apt-cache show "${missing[@]}" >/dev/null 2>&1; then apt-get update -qq; fi
    echo "Installing: ${missing[*]}"
    if ! apt_install "${missing[@]}"; then # what is known may be older than the mirror
        apt-get update -qq
        apt_install "${missing[@]}"
    fi
}

# Programs that tests run themselves (nginx, pdns, keepalived, ...) come with services, which would take
# their ports now and at each boot: they are neither started nor left enabled.
apt_install() {
    local policy=/usr/sbin/policy-rc.d ours='' status=0
    if [ ! -e "$policy" ]; then
        ours=yes
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod 755 "$policy"
    fi
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null || status=$?
    [ -z "$ours" ] || rm -f "$policy"
    disable_services "$@"
    return "$status"
}

disable_services() { # PACKAGE...
    local unit
    [ -d /run/systemd/system ] || return 0
    dpkg -L "$@" 2>/dev/null | sed -n 's|.*/systemd/system/\([^/@]*\.service\)$|\1|p' | sort -u | while read -r unit; do
        systemctl disable --quiet "$unit" 2>/dev/null || true
    done
}
