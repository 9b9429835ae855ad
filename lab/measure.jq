# A result of lab/measure from what loadgen said: $row, $weights (lines of "SECOND WEIGHT...") and the rest.
def weights_by_second: $weights | split("\n") | map(select(. != "") | split(" ") | map(select(. != "") | tonumber)
    | select(length > 1) | {at: .[0], weights: .[1:]});

weights_by_second as $seen
| .windows as $windows
| $windows[0] as $w
| $row + ({$rate, $speeds, $percents, weights_start: $first, weights_end: $last, $writes, memory_mib: $memory}
    | with_entries(select(.value != null)))
  + ($w | {answered, failed, answers_per_second, mean_ms, p50_ms, p95_ms, p99_ms, answers: .servers})
  + {series: [$windows[1:][] | . as $step | {at: .to, mean_ms, failed,
        weights: ([$seen[] | select(.at <= $step.to)] | last | .weights // $first)}]}
