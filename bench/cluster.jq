# {"measurements": [...], "rows": [...]} from the lines of bench/cluster: $measured, $simulated; $machine, $missing.
# `rows` are as those of bench/run. Ratios are medians over the rounds of what two rows of one cluster had.
include "measured";

def middle: if length == 0 then null else median end;
def rounded: if . == null then null else fixed(2) end;
def of($group; $load): map(select(.group == $group and .load == $load));
def named($name): map(select(.name == $name));
# A mean latency for each round that has one.
def means: map({key: "\(.seed)", value: mean_of_all}) | from_entries;
def paired($reference): means as $a | ($reference | means) as $b
    | [$a | keys[] | select($b[.] != null and $b[.] > 0) | $a[.] / $b[.]];

# Weights that were seen to be others than two seconds before.
def changes: [.from as $from | .series[] | select(.at >= $from) | .weights]
    | [range(1; length) as $i | .[$i - 1] as $before | .[$i] | to_entries[]
        | select(.value != $before[.key])] | length;

def measurement($all; $predicted): .[0] as $one
    | ($predicted | of($one.group; $one.load) | named($one.name)) as $twins
    | {group: $one.group, load: $one.load, name: $one.name, scheduler: $one.scheduler, rounds: map(.seed),
       mean_ms: (map(mean_of_all) | median | rounded), mean_ms_samples: map(mean_of_all | rounded),
       p50_ms: (map(.p50_ms) | median | rounded), p95_ms: (map(.p95_ms) | median | rounded),
       p99_ms: (map(.p99_ms) | median | rounded), p99_ms_samples: map(.p99_ms | rounded), answers_per_second: (map(.answers_per_second) | median | rounded),
       answered: (map(.answered) | add), failed: (map(.failed) | add),
       to_sed_equal: (paired($all | named("sed-equal")) | middle | rounded),
       to_wrr_tuned: (paired($all | named("wrr-tuned")) | middle | rounded),
       changes_per_server_minute: (map(changes / (.speeds | length) / ((.seconds - .from) / 60)) | median | rounded),
       simulated_mean_ms: ($twins | map(.mean_ms) | middle | rounded),
       simulated_p99_ms: ($twins | map(.p99_ms) | middle | rounded),
       weights_end: map(.weights_end)};

# Of all that are here, the name of the one with the least median.
def best: group_by(.name) | min_by(map(mean_of_all) | median) | .[0].name;
def bar($what; $name; $reference; $limit): . as $all
    | named($name) as $a | named($reference) as $b
    | if $a == [] or $b == [] then empty else ($a | paired($b)) as $ratios
    | ($a | map(mean_of_all)) as $measured | ($b | map(mean_of_all)) as $against
    | {row: "-", what: "\($a[0].group) \($a[0].load) %: \($what)", unit: "ms", measured: ($measured | median),
       measured_samples: $measured, reference_name: $reference, reference: ($against | median),
       reference_samples: $against, ratio: ($ratios | middle), $ratios,
       bar: (if $limit == null then null else {at_most: $limit} end),
       met: (if $limit == null or $ratios == [] then null else ($ratios | median) <= $limit end),
       note: (if $ratios == [] then "" else "each round: \($ratios | map(fixed(2) | tostring) | join(", "))" end)} end;

# When nothing changes: not more than a tenth behind. Otherwise: ahead of everything that stays as it is.
def bars: . as $all
    | (map(select(.balancer == "nothing"))) as $static
    | (map(select(.strategy == "capacity"))) as $ours
    | if $all[0].group == "requests" then
        bar("wrr-capacity"; "wrr-capacity"; "wrr-tuned"; 1.1),
        bar("sed-capacity"; "sed-capacity"; "sed-equal"; 1.1),
        bar("wrr-capacity"; "wrr-capacity"; "sed-equal"; null),
        bar("wlc-capacity"; "wlc-capacity"; "sed-equal"; null)
      elif $static == [] or $ours == [] then empty
      else
        ($ours | best) as $best | bar("the best of capacity, \($best)"; $best; $static | best; 1),
        (("wrr", "wlc", "sed") as $scheduler | ($static | map(select(.scheduler == $scheduler))) as $same
            | select($same != []) | $all | bar("\($scheduler)-capacity"; "\($scheduler)-capacity"; $same | best; 1)),
        (("wrr-headroom", "wrr-keepalived") as $peer | $all | bar($peer; $peer; $static | best; null))
      end;

def name_order: ["wrr-equal", "wrr-tuned", "wrr-coprime", "wrr-keepalived", "wrr-headroom", "wrr-capacity",
    "wlc-equal", "wlc-tuned", "wlc-capacity", "sed-equal", "sed-tuned", "sed-capacity"];
def group_order: ["requests", "keepalive", "neighbour", "memory"];

($measured | group_by([(.group as $name | group_order | index($name)), .load])) as $groups
| {$machine, $missing,
   measurements: [$groups[] | . as $all | name_order[] as $name | named($name) | select(. != []) | sort_by(.seed)
       | measurement($all; $simulated)],
   rows: [$groups[] | bars]}
