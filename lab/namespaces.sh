# shellcheck shell=bash
# What lab/run and lab/cluster ask of the host before they make namespaces of their own.

require_namespaces() {
    unshare --pid --fork --mount --net true 2>/dev/null && return
    die "no namespaces: unshare --pid --mount --net is not allowed here. In a container: it needs" \
        "CAP_SYS_ADMIN. In a chroot: its root has to be a mount point, mount --bind it onto itself"
}
