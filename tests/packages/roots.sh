# shellcheck shell=bash
# Debian roots of one release. To be sourced; $release, $place (where they are kept), $root (the sources)
# and $here (this folder) are the caller's, and set when the functions are called.
# shellcheck disable=SC2154

mirror=${MIRROR:-http://deb.debian.org/debian}

# in_root NAME COMMAND...: in the root $place/NAME, in namespaces that end with COMMAND.
# shellcheck disable=SC2016  # expanded in there
in_root() {
    local name=$1
    shift
    mkdir -p "$place/archives/partial"
    setpriv --pdeathsig KILL unshare --fork --kill-child --pid --mount -- bash -euc '
        mount -t proc proc "$1/proc"
        mount --rbind /dev "$1/dev"
        mount --bind "$2" "$1/var/cache/apt/archives" # what was fetched once
        root=$1
        shift 2
        exec env LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
            chroot "$root" "$@"' in_root "$place/$name" "$place/archives" "$@" </dev/null
}

# The host's way to the mirror (proxies, its own resolver) is the root's, too.
reach_mirror() { # ROOT
    cp /etc/resolv.conf /etc/hosts "$1/etc/"
    cp -n /etc/apt/apt.conf.d/*proxy* "$1/etc/apt/apt.conf.d/" 2>/dev/null || true
}

# Nothing but a Debian. Complete once it has its name.
base_root() {
    [ ! -d "$place/base" ] || return 0
    rm -rf --one-file-system "$place/base.new"
    debootstrap --variant=minbase "$release" "$place/base.new" "$mirror"
    reach_mirror "$place/base.new"
    # Nobody will miss a root after a power cut.
    echo force-unsafe-io >"$place/base.new/etc/dpkg/dpkg.cfg.d/unsafe-io"
    mv "$place/base.new" "$place/base"
}

copy_of_base() { # NAME
    base_root
    rm -rf --one-file-system "${place:?}/$1"
    cp -a --reflink=auto "$place/base" "$place/$1"
}

build_root() {
    if [ ! -d "$place/build" ]; then
        copy_of_base build.new
        mv "$place/build.new" "$place/build"
    fi
    reach_mirror "$place/build"
}

# As git has or would have them.
copy_sources() { # DIRECTORY
    rm -rf "$1"
    mkdir -p "$1"
    git -C "$root" -c safe.directory="$root" ls-files --cached --others --exclude-standard |
        tar -C "$root" --ignore-failed-read -cf - -T - | tar -C "$1" -xf -
}

# fresh_root NAME: a Debian that has never seen the packages, which lie in its /lab with the scripts.
fresh_root() {
    compgen -G "$place/packages/*.deb" >/dev/null || { echo "no packages: the case \"build\" makes them"; exit 1; }
    copy_of_base "$1"
    mkdir "$place/$1/lab"
    cp "$here"/* "$place"/packages/*.deb "$place/$1/lab/"
}
