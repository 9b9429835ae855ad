# shellcheck shell=bash
# What the scripts in a root share. To be sourced.

fail() { echo "FAILED: $*"; exit 1; }

say() { printf '\n== %s\n' "$*"; }

# equal WHAT EXPECTED FOUND
equal() { [ "$2" = "$3" ] || fail "$1: expected \"$2\", found \"$3\""; }

# contains WHAT TEXT FOUND
contains() {
    case $3 in
        *"$2"*) ;;
        *) fail "$1: there is no \"$2\" in:"$'\n'"$3" ;;
    esac
}

# within SECONDS COMMAND...: until it succeeds. The time is a bound for what went wrong, no measure.
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || fail "not in time: $*"
        sleep 0.3
    done
}

# newer_package PACKAGE VERSION DIRECTORY: the package as it was built, under a later version and with a line
# more in its configuration.
newer_package() {
    local tree=$3/$1 file
    dpkg-deb -R /lab/"$1"_*.deb "$tree"
    sed -i "s/^Version: .*/Version: $2/" "$tree/DEBIAN/control"
    if [ -e "$tree/DEBIAN/conffiles" ]; then
        while read -r file; do echo "# of version $2" >>"$tree$file"; done <"$tree/DEBIAN/conffiles"
    fi
    dpkg-deb --root-owner-group -b "$tree" "$3/$1_$2.deb" >/dev/null
    rm -rf "$tree"
}
