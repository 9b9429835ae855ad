# shellcheck shell=bash
# What the scripts share. To be sourced; sets $root (the project's folder) and goes there.

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
cd "$root" || exit 1
# shellcheck source=packages.sh
source "$root/scripts/packages.sh"

say() { printf '\n== %s\n' "$*"; }

# One compiler per core, but none for less than 1.5 GB, which keeps g++ out of swap.
job_count() {
    local by_memory
    by_memory=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo)
    if [ "$by_memory" -lt 1 ]; then by_memory=1; fi
    if [ "$by_memory" -lt "$(nproc)" ]; then echo "$by_memory"; else nproc; fi
}

# run COMMAND...: in a process group of its own, which a signal to this script ends whole.
child=''
beside='' # a process with children of its own that works beside that (scripts/test)
run() {
    local status=0
    set -m
    "$@" </dev/null &
    child=$!
    set +m
    wait "$child" || status=$?
    child=''
    return "$status"
}

end_child() { # SIGNAL STATUS
    trap '' INT TERM HUP
    if [ -n "$child" ]; then
        kill "-$1" -- "-$child" 2>/dev/null || true
        wait "$child" 2>/dev/null || true
    fi
    if [ -n "$beside" ]; then
        kill -TERM "$beside" 2>/dev/null || true
        wait "$beside" 2>/dev/null || true
    fi
    exit "$2"
}
# A subshell needs them set again.
end_child_at_signals() {
    trap 'end_child INT 130' INT
    trap 'end_child TERM 143' TERM
    trap 'end_child TERM 129' HUP
}
end_child_at_signals

# What one clone has compiled the next one need not compile again.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1

build() { # PRESET [TARGET...]
    local preset=$1 targets=()
    shift
    [ $# = 0 ] || targets=(--target "$@")
    run cmake --preset "$preset" --log-level=WARNING >"$root/build/configure-$preset.log" 2>&1 ||
        { cat "$root/build/configure-$preset.log"; return 1; }
    run cmake --build --preset "$preset" -j "$(job_count)" "${targets[@]}"
}
mkdir -p "$root/build"
