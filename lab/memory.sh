# shellcheck shell=bash
# shellcheck disable=SC2016  # what is quoted is expanded in the guests
# Servers of a lab/cluster that are short of memory. To be sourced by a COMMAND of lab/cluster.
#
#   swap_on SERVER         from now on what does not fit into its memory is swapped: compressed, to memory
#                          (zram), which costs the server's CPU what paging costs
#   leave_memory SERVER MIB   takes all of its memory but MIB, for good (ramfs is not swapped)
#   free_memory SERVER     gives that back
#   memory_of SERVER       prints its total and its available memory in MiB

swap_on() {
    on "$1" 'grep -q zram /proc/swaps && exit
        set -e
        modprobe zram
        echo 128M >/sys/block/zram0/disksize
        busybox mkswap /dev/zram0 >/dev/null
        busybox swapon /dev/zram0'
}

free_memory() { on "$1" 'rm -f /run/taken/memory'; }

leave_memory() {
    on "$1" "left=$2"'
        set -e
        mkdir -p /run/taken
        grep -q " /run/taken " /proc/mounts || mount -t ramfs taken /run/taken
        echo 3 >/proc/sys/vm/drop_caches
        available=$(awk "/^MemAvailable:/ { print int(\$2 / 1024) }" /proc/meminfo)
        if [ "$available" -le "$left" ]; then echo "only $available MiB are available"; exit 1; fi
        dd if=/dev/zero of=/run/taken/memory bs=1M count=$((available - left)) 2>/dev/null'
}

memory_of() { on "$1" 'awk "/^MemTotal:/ { total = \$2 } /^MemAvailable:/ { print int(total / 1024), int(\$2 / 1024) }" /proc/meminfo'; }
