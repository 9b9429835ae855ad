# What lab/measure is to measure for bench/cluster: of $group in round $seed at $levels those of $names (empty
# lists: the group's own loads, all rows) that are not among the $measured.
def row($scheduler; $kind): {name: "\($scheduler)-\($kind)", $scheduler};
def still: {weights: [10, 10, 10], balancer: "nothing"};
def monitord($strategy): {weights: [10, 10, 10], balancer: "monitord", $strategy};

# Percent of a CPU are the weights that its check gives: the first ones are in their middle.
def keepalived: {weights: [50, 50, 50], balancer: "keepalived"};

def all_rows: [
    (("wrr", "wlc", "sed") as $scheduler
        | row($scheduler; "equal") + still,
          row($scheduler; "tuned") + {weights: "tuned", balancer: "nothing"},
          row($scheduler; "capacity") + monitord("capacity")),
    row("wrr"; "coprime") + {weights: "coprime", balancer: "nothing"},
    row("wrr"; "headroom") + monitord("headroom"),
    row("wrr"; "keepalived") + keepalived];

def of_groups: {
    requests: {loads: [40, 60, 80], seconds: 54, from: 24},
    keepalive: {loads: [60], seconds: 54, from: 24, requests: 20, think: 1},
    neighbour: {loads: [55], seconds: 90, from: 20, requests: 20, think: 1,
        limits: [{at: 20, server: 1, percent: 10}, {at: 55, server: 1, percent: 20}]},
    memory: {loads: [60], seconds: 54, from: 24, workers: 16, request_kib: 2048, memory: [{server: 1, left: 8}]}};

# Another one begins in each round.
def turned: ($seed % length) as $first | .[$first:] + .[:$first];

of_groups[$group] as $of_group
| ($names - (all_rows | map(.name))) as $unknown
| if $unknown != [] then error("no row \($unknown | join(", ")) (bench/cluster --help lists them)") else . end
| ($measured | map([.group, .seed, .load, .name])) as $there
| (if $levels == [] then $of_group.loads else $levels end)[] as $load
| (all_rows | turned)[]
| select($names == [] or any($names[] == .name; .))
| select(($group == "requests" or $group == "keepalive") or (.weights | type) == "array")
| [$group, $seed, $load, .name] as $key
| select(any($there[] == $key; .) | not)
| {$group, $seed} + . + ($of_group | del(.loads)) + {$load}
