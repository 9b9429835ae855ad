# The scenario of `monitorctl simulate` for a result of lab/measure: $seeds. A request costs 10 ms of a
# core of speed 1. One that is below the 10 ms tick of the server's kernel is served after the other
# (`workers` 1, unless the result says otherwise). The client's patience is loadgen's. The network's
# and the kernels' own time is not simulated.
def speed: . / 100;
def strategy: if .balancer == "monitord" then .strategy // "capacity" else "static" end;
def memory(i): if .memory_mib == null then "memory_per_request: 0"
    else .memory_mib[i] as [$total, $available]
    | "memory_used: \(1 - $available / $total), memory_per_request: \(.request_kib / 1024 / $total)" end;

"name: measured",
"scheduler: \(.scheduler)",
"duration: \(.seconds)s",
"warmup: \(.from // 0)s",
"seeds: \($seeds)",
"arrivals: \(.rate)/s",
"patience: 10s",
"request: {mean: 10ms, distribution: fixed}",
"keepalive: {requests: \(.requests // 1), think: \((.think // 0) * 1000)ms}",
"strategies: [\(strategy)]",
"servers:",
(. as $all | range(.speeds | length) as $i
    | "  - {speed: \($all.speeds[$i] | speed), base: \($all.weights_start[$i]), "
    + (if ($all.workers // 1) == 0 then "" else "workers: \($all.workers // 1), " end)
    + ($all | memory($i)) + "}"),
(. as $all | .limits // [] | if . == [] then empty else "events:",
    (.[] | (.server - 1) as $i
        | "  - {at: \(.at)s, server: \($i), speed: \($all.speeds[$i] * .percent / $all.percents[$i] | speed)}") end)
