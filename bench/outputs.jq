# Rows from the lines of bench/outputs: $runs. The algorithm that strategy response follows was reported with 14.6 %
# more concurrent connections than plain weighted round robin, and 7.9 % more than nginx's third-party module fair.
include "measured";

def of($part; $rule): map(select(.part == $part and .rule == $rule));
# A request that failed counts with the 10 s after which the clients give up.
def mean: if .answered == 0 then 10000 else mean_of_all end;
def row($what; $unit; $ours; $name; $theirs; $note):
    {row: 7, $what, $unit, measured: ($ours | median), measured_samples: $ours, reference_name: $name,
     reference: ($theirs | median), ratio: (if ($theirs | median) == 0 then null else ($ours | median) / ($theirs | median) end),
     bar: null, met: null, $note};
def compared($all; $what; $unit; figure; $note): $all | of("nginx"; "response") as $ours
    | ("round_robin", "hand_set", "least_conn") as $rule | of("nginx"; $rule) as $theirs
    | select(($ours | length) > 0 and ($theirs | length) > 0)
    | row($what; $unit; $ours | map(figure); $rule | gsub("_"; " "); $theirs | map(figure); $note);
def share_of($address): .shares[$address] // 0;
def addresses: .by_server | keys_unsorted;

$runs as $all
| ($all | of("dns"; "monitord")) as $dns | ($all | of("dns"; "rotation")) as $rotation
| {rows: [
    compared($all; "nginx: connections held, response"; "-"; .held; "reported: +14.6 % against weighted round robin"),
    compared($all; "nginx: requests at 64 connections, response"; "1/s"; .requests_per_second; ""),
    compared($all; "nginx: their mean, response"; "ms"; mean; ""),
    compared($all; "nginx: their p99, response"; "ms"; .p99_ms; ""),
    (select(($dns | length) > 0) | range($dns[0].speeds | map(select(. != null)) | length) as $i | ($dns[0] | addresses[$i]) as $address
        | row("dns: share of the answers, server \($i + 1)"; "-"; $dns | map(share_of($address)); "share of capacity";
            $dns | map((.speeds | map(select(. != null))) as $s | $s[$i] / ($s | add)); "")),
    (select(($dns | length) > 0) | row("dns: answers"; "1/s"; $dns | map(.answers_per_second // 0); "-"; [0]; "one connection to PowerDNS")),
    (select(($dns | length) > 0 and ($rotation | length) > 0)
        | row("dns: p99 of the slowest server"; "ms"; $dns | map(.by_server[addresses[0]].p99_ms // 10000); "rotation";
            $rotation | map(.by_server[addresses[0]].p99_ms // 10000); ""),
          row("dns: mean of all requests"; "ms"; $dns | map(mean); "rotation"; $rotation | map(mean); ""),
          row("dns: failed requests"; "-"; $dns | map(.failed); "rotation"; $rotation | map(.failed); ""))
]}
