# Rows of bench/run from the lines of bench/data_plane: $runs.
include "measured";

def kind($kind): map(select(.kind == $kind));
# With by without, of each two runs that were started as a pair.
def paired(figure): [range(0; length; 2) as $i | .[$i:$i + 2]
    | select(length == 2) | (kind("without")[0] | figure) as $without | select($without > 0)
    | (kind("with")[0] | figure) / $without];
# How far apart neighbours of one kind are.
def noise(figure): [range(1; length) as $i | .[$i - 1:$i + 1] | select(.[0].kind == .[1].kind)
    | (.[0] | figure) as $before | select($before > 0)
    | (.[1] | figure) / $before - 1 | fabs] | if length == 0 then 0 else median end;
def row($what; $unit; $with; $without; $ratios; $bar; $note):
    {row: 5, $what, $unit, measured: ($with | median), measured_samples: $with, reference_name: "without monitord",
     reference: ($without | median), reference_samples: $without,
     ratio: (if $ratios == [] then null else $ratios | median end), ratios: $ratios, $bar,
     met: (if $bar == null or $ratios == [] then null else ($ratios | median) >= $bar.at_least end), $note};

($runs | sort_by(.number)) as $all
| ($all | noise(.requests_per_second)) as $noise
| def of($what; $unit; figure; $bar; $note): row($what; $unit; $all | kind("with") | map(figure);
    $all | kind("without") | map(figure); $all | paired(figure); $bar; $note);
{rows: [
    of("requests through the director, with monitord"; "1/s"; .requests_per_second; {at_least: (1 - $noise)};
        "pairs \($all | paired(.requests_per_second) | "\(min | fixed(3)) to \(max | fixed(3))"), noise \($noise | fixed(3)), "
        + "\($all | map(.failed) | add) requests failed"),
    of("their median latency, with monitord"; "ms"; .p50_ms; null; ""),
    of("their p99, with monitord"; "ms"; .p99_ms; null; ""),
    of("CPU of the director's kernel per run, with monitord"; "ms"; .director_cpu_ms; null; "")
]}
