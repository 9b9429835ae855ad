# shellcheck shell=bash
# What a COMMAND of lab/cluster needs to measure. To be sourced.
#
#   service        address:port that set_service sets up and send_load loads
#   out            directory for loadgen's results, one NAME.json each
#   speeds, total  filled by measure_speeds: requests/s of each server and of all
#
# Bash has no others: the functions share these with who sources them.

service=$LAB_VIP:80 out=$LAB_DIR/measured
speeds=() total=0
mkdir -p "$out"

each_server() { seq 1 "$LAB_N"; }
loadgen() { "$LAB_BUILD/lab/loadgen" "$@"; }
window() { jq -r ".windows[$2].$3" "$out/$1.json"; } # NAME INDEX FIELD

# Eight clients without a pause at each server, all at the same time.
measure_speeds() { # SECONDS
    local i
    for i in $(each_server); do
        loadgen --target "$(lab_address "$i"):80" --clients 8 --seconds "$1" \
            --windows "1-$1" >"$out/speed$i.json" &
    done
    wait
    for i in $(each_server); do
        speeds[i]=$(window "speed$i" 0 answers_per_second)
        [ "${speeds[i]}" != 0 ] || { echo "server $i answers nothing: what is measured without it would be something else" >&2; exit 1; }
    done
    total=$(awk 'BEGIN { for (i = 1; i < ARGC; i++) sum += ARGV[i]; print sum }' "${speeds[@]}")
}

percent_of_total() { awk -v total="$total" -v percent="$1" 'BEGIN { printf "%.1f", percent * total / 100 }'; }

# What a careful operator types: the smallest integers within 10 % of the speeds' ratios.
tuned_weights() {
    awk 'BEGIN {
        for (i = 1; i < ARGC; i++) { sum += ARGV[i]; if (ARGV[i] > max) max = ARGV[i] }
        for (top = 1; top <= 12; top++) {
            weights = ""; all = worst = 0
            for (i = 1; i < ARGC; i++) {
                w[i] = int(ARGV[i] / max * top + 0.5); if (w[i] < 1) w[i] = 1
                all += w[i]; weights = weights " " w[i]
            }
            for (i = 1; i < ARGC; i++) {
                error = w[i] / all / (ARGV[i] / sum) - 1; if (error < 0) error = -error
                if (error > worst) worst = error
            }
            if (best == "" || worst < least) { best = weights; least = worst }
            if (worst <= 0.1) break
        }
        print substr(best, 2)
    }' "$@"
}

# What one types who calculates: percent of the fastest, raised until no two have a common divisor, so that
# the walk of wrr has no short period.
coprime_weights() {
    awk 'function gcd(a, b, rest) { while (b) { rest = a % b; a = b; b = rest } return a }
    BEGIN {
        for (i = 1; i < ARGC; i++) if (ARGV[i] > max) max = ARGV[i]
        for (i = 1; i < ARGC; i++) {
            w[i] = int(100 * ARGV[i] / max + 0.5); if (w[i] < 1) w[i] = 1
            do {
                again = 0
                for (k = 1; k < i; k++) if (gcd(w[i], w[k]) > 1) { w[i]++; again = 1; break }
            } while (again)
            weights = weights " " w[i]
        }
        print substr(weights, 2)
    }' "$@"
}

set_service() { # SCHEDULER WEIGHT...
    local i rules="-A -t $service -s $1"
    shift
    for i in $(each_server); do
        rules+=$'\n'"-a -t $service -r $(lab_address "$i"):80 -m -w ${!i}"
    done
    on 0 "ipvsadm -C; ipvsadm -R <<'END'
$rules
END"
}

kernel_weights() { on 0 'ipvsadm -Ln' | awk '$1 == "->" && $2 ~ /:80$/ { print $4 }'; }

# What is measured must not inherit the queues of what was before: the servers work them off at
# full speed, for 20 s at most.
drain() {
    local i speed deadline=$((SECONDS + 20))
    for i in $(each_server); do limit "$i" 0; done
    for i in $(each_server); do
        while busy "$i" && [ "$SECONDS" -lt $deadline ]; do :; done
    done
    i=0
    for speed in $LAB_SPEEDS; do limit $((++i)) "$speed"; done
}

# More than 60 % of the CPU for half a second; asking costs the server some itself.
busy() { # SERVER
    local answer
    answer=$(on "$1" 'head -n 1 /proc/stat; sleep 0.5; head -n 1 /proc/stat') || return 0
    awk '{ all = 0; for (i = 2; i <= 9; i++) all += $i; idle = $5 + $6 }
        NR == 1 { all1 = all; idle1 = idle }
        END { exit !(all - all1 - (idle - idle1) > 0.6 * (all - all1)) }' <<<"$answer"
}

# For start_monitord: manages $service, keeps nothing of an earlier run.
monitord_config() {
    cat <<END
dry_run: false
interval: 2s
agent: {keys: $LAB_DIR/keys/director.yaml}
services:
  - service: tcp:$service
END
}
