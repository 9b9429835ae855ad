# shellcheck shell=bash
# Limits of CPU time by cgroup v1 or v2, whichever has the cpu controller here. To be sourced.
#
#   cgroup_open NAME                   makes the parent of all groups and sets LAB_CGROUP to
#                                      its directory and LAB_CGROUP_VERSION to 1 or 2
#   cgroup_join GROUP                  moves this process into LAB_CGROUP/GROUP
#   cgroup_limit GROUP PERCENT SLICE   of one host core, in slices of SLICE us; 0: no limit
#   cgroup_cpu_ms GROUP                prints the CPU time in ms that its processes have used, those
#                                      that have ended among them
#   cgroup_close                       removes what cgroup_open made, and only that
#
# Errors go to stderr and give a status of 1.

cgroup_error() {
    echo "lab: $*" >&2
    return 1
}

cgroup_open() {
    local root
    root=$(awk '$3 == "cgroup" && $4 ~ /(^|,)cpu(,|$)/ { print $2; exit }' /proc/mounts)
    if [ -n "$root" ]; then
        LAB_CGROUP_VERSION=1
    else
        LAB_CGROUP_VERSION=2
        root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
        [ -n "$root" ] || cgroup_error "no cgroup file system is mounted here" || return 1
        LAB_CGROUP=$root/$1 # for cgroup_close, should the next step fail
        cgroup2_delegate "$root" "$1" || return 1
    fi
    LAB_CGROUP=$root/$1
    mkdir "$LAB_CGROUP" || cgroup_error "cannot make $LAB_CGROUP" || return 1
    # Ten times a process's weight: all these kernels together count as one among the host's
    # processes otherwise, and a busy host would starve them.
    if [ "$LAB_CGROUP_VERSION" = 1 ]; then
        echo 10240 >"$LAB_CGROUP/cpu.shares"
    else
        echo 1000 >"$LAB_CGROUP/cpu.weight"
        echo +cpu >"$LAB_CGROUP/cgroup.subtree_control"
    fi
}

# Lets the groups below ROOT use the cpu controller. ROOT may be a container's and hold processes
# (the real root has no cgroup.type). Beside them its children would become "domain invalid",
# so that they move to a child of their own until cgroup_close.
cgroup2_delegate() { # ROOT NAME
    LAB_CGROUP_ENABLED='' LAB_CGROUP_MOVED=''
    grep -qw cpu "$1/cgroup.controllers" ||
        cgroup_error "no cpu controller in $1 (cgroup v2): see its cgroup.controllers" || return 1
    if grep -qw cpu "$1/cgroup.subtree_control"; then return; fi
    if [ -e "$1/cgroup.type" ] && [ -n "$(cat "$1/cgroup.procs")" ]; then
        LAB_CGROUP_MOVED=$1/$2.rest
        mkdir "$LAB_CGROUP_MOVED" || return 1
        cgroup_move "$1" "$LAB_CGROUP_MOVED" || return 1
    fi
    LAB_CGROUP_ENABLED=$1
    echo +cpu >"$1/cgroup.subtree_control" ||
        cgroup_error "the cpu controller cannot be given to children of $1"
}

# Some processes end meanwhile, and new ones come from those not moved yet.
cgroup_move() { # FROM TO
    local round process
    for round in 1 2 3 4 5; do
        while read -r process; do
            [ "$process" = 0 ] || { echo "$process" >"$2/cgroup.procs"; } 2>/dev/null || true
        done < <(cat "$1/cgroup.procs")
        [ -n "$(cat "$1/cgroup.procs")" ] || return 0
    done
    cgroup_error "processes stay in $1 after $round rounds"
}

cgroup_join() {
    mkdir -p "$LAB_CGROUP/$1"
    echo "$BASHPID" >"$LAB_CGROUP/$1/cgroup.procs"
}

# Short slices: with longer ones a whole request fits into one and the server's CPU looks
# less busy than it is.
cgroup_limit() {
    local group=$LAB_CGROUP/$1 percent=$2 slice=$3 period
    [ "$percent" -gt 0 ] && period=$((slice * 100 / percent)) || period=100000
    if [ "$LAB_CGROUP_VERSION" = 2 ]; then
        [ "$percent" -gt 0 ] || slice=max
        echo "$slice $period" >"$group/cpu.max"
        return
    fi
    echo -1 >"$group/cpu.cfs_quota_us" # else the kernel compares the new period with an old quota
    [ "$percent" -gt 0 ] || return 0
    echo "$period" >"$group/cpu.cfs_period_us"
    echo "$slice" >"$group/cpu.cfs_quota_us"
}

# cgroup v1 counts CPU time in a hierarchy of its own. There it is asked of the processes: who has ended
# counts with the parent that waited, as user-mode-linux does for its guest's processes. Living ones are
# asked in ns where the kernel tells (schedstat): ticks of 10 ms, rounded down for each process, are
# about what a daemon takes that has little to do.
cgroup_cpu_ms() {
    local process
    if [ "$LAB_CGROUP_VERSION" = 2 ]; then
        awk '$1 == "usage_usec" { print int($2 / 1000) }' "$LAB_CGROUP/$1/cpu.stat"
        return
    fi
    while read -r process; do
        cat "/proc/$process/task/"*/schedstat "/proc/$process/stat" 2>/dev/null || true
    done <"$LAB_CGROUP/$1/cgroup.procs" | awk -v hz="$(getconf CLK_TCK)" '
        /^[0-9]+ [0-9]+ [0-9]+$/ { ns += $1; next }
        { sub(/^.*\) /, ""); own += $12 + $13; ended += $14 + $15 }
        END { print int(1000 * ended / hz + (ns > 0 ? ns / 1e6 : 1000 * own / hz)) }'
}

# Waits up to 10 s for the groups' last processes to be gone.
cgroup_close() {
    local try
    for try in {1..100}; do
        [ -n "${LAB_CGROUP-}" ] || break
        rmdir "$LAB_CGROUP"/*/ 2>/dev/null || true
        rmdir "$LAB_CGROUP" 2>/dev/null || true
        [ -d "$LAB_CGROUP" ] || break
        sleep 0.1
    done
    [ ! -d "${LAB_CGROUP-}" ] || cgroup_error "$LAB_CGROUP is still in use after $try tries" || true
    if [ -n "${LAB_CGROUP_ENABLED-}" ]; then
        { echo -cpu >"$LAB_CGROUP_ENABLED/cgroup.subtree_control"; } 2>/dev/null || true
    fi
    if [ -n "${LAB_CGROUP_MOVED-}" ]; then
        cgroup_move "$LAB_CGROUP_MOVED" "${LAB_CGROUP_MOVED%/*}"
        rmdir "$LAB_CGROUP_MOVED"
    fi
}
