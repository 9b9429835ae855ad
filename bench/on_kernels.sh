# shellcheck shell=bash
# What the benchmarks on real kernels have in common. To be sourced by bench/NAME, which defines
# bench_measure and report for bench_run.
#
#   bench_options NAME ARG...  reads the options and sets build, out, repeat, report_only
#   need_build                 builds what --build did not name
#   in_cluster OPTION...       lab/measure of $out/plan in a lab/cluster with these options
#   simulate RESULT            what the simulator says of the pool and load of a result of lab/measure
#   bench_run FILE...          `repeat` times bench_measure NUMBER, then the report; the files of
#                              $out that it appends to start empty

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")

bench_options() {
    local name=$1
    shift
    build='' out=$root/build/$name repeat=3 report_only=''
    while [ $# -gt 0 ]; do
        case $1 in
            --repeat | --build | --out) [ $# -ge 2 ] || { echo "bench/$name: $1 needs a value" >&2; exit 2; } ;;&
            --repeat) repeat=$2; shift 2 ;;
            --build) build=$(readlink -f "$2"); shift 2 ;;
            --out) out=$2; shift 2 ;;
            --report) report_only=yes; shift ;;
            --help) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$root/bench/$name"; exit 0 ;;
            *) echo "bench/$name: unknown option $1 (bench/$name --help lists them)" >&2; exit 2 ;;
        esac
    done
    [ -n "$report_only" ] || need_build
    mkdir -p "$out"
    out=$(readlink -f "$out")
}

need_build() {
    [ -z "$build" ] || return 0
    build=$root/build/release
    (cd "$root" && cmake --preset release --log-level=WARNING && cmake --build "$build") >&2
}

in_cluster() { "$root/lab/cluster" --build "$build" "$@" -- "$root/lab/measure" "$out/plan"; }

simulate() { # RESULT
    jq -r --arg seeds "[1, 2, 3, 4, 5, 6, 7]" -f "$root/bench/simulated.jq" <<<"$1" >"$out/scenario.yaml"
    "$build/monitorctl/monitorctl" simulate -o json "$out/scenario.yaml" |
        jq -c '.results[0] | [.runs[].answered_by_server] as $answers | ($answers | transpose | map(add)) as $sums
            | {mean_ms, p50_ms, p95_ms, p99_ms, failed, shares: ($sums | map(. / ([1, ($sums | add)] | max)))}'
}

bench_run() { # FILE...
    local number file
    if [ -z "$report_only" ]; then
        for file in "$@"; do : >"$out/$file"; done
        for ((number = 1; number <= repeat; number++)); do
            echo "cluster $number of $repeat" >&2
            bench_measure "$number"
        done
    fi
    report | tee "$out/report.txt"
}
