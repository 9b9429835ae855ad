# The results of bench/strategies as one table, mean latencies in ms; `!` marks where requests failed:
#   jq -rf bench/table.jq build/strategies/results.json
def ms: if . >= 1000 then . / 1000 * 10 | round / 10 | "\(.) s" elif . >= 100 then round | tostring
    else . * 10 | round / 10 | tostring end;
def cell: if . == null then "-" else (.mean_ms | ms) + (if .failed > 0 then "!" else "" end) end;
def columns: ["capacity", "headroom", "feedback", "response", "linear", "equal", "best-static", "jsq"];
.results as $all
| "| scenario | scheduler | " + (columns | join(" | ")) + " | `sed` equal | writes |",
  "|---|---|" + ([columns[] | "---:|"] | add) + "---:|---:|",
  ([$all[].scenario] | reduce .[] as $name ([]; if index([$name]) then . else . + [$name] end))[] as $scenario
| ("wrr", "wlc", "sed") as $scheduler
| ($all | map(select(.scenario == $scenario))) as $there
| ($there | map(select(.scheduler == $scheduler) | {key: .strategy, value: .}) | from_entries) as $by
| ($there | map(select(.scheduler == "sed" and .strategy == "equal"))[0]) as $rival
| "| \(if $scheduler == "wrr" then $scenario else "" end) | \($scheduler) | "
  + ([columns[] as $name | $by[$name] | cell] | join(" | "))
  + " | \($rival | cell) | \($by.capacity.writes_per_server_minute * 100 | round / 100) |"
