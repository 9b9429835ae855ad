# Rows of bench/run from the lines of bench/peers: $cpu, $steps.
include "measured";

def row($what; $unit; $measured; $name; $reference; $limit; $note):
    def middle: if length == 0 then null else median end;
    ($measured | middle) as $a | ($reference | middle) as $b
    # A cost that is lost in that of nobody is no reference.
    | (if $a == null or $b == null or $b <= 0 then null else $a / $b end) as $ratio
    | {row: 4, $what, $unit, measured: $a, measured_samples: $measured, reference_name: $name, reference: $b,
       reference_samples: $reference, $ratio, bar: (if $limit == null then null else {at_most: $limit} end),
       met: (if $limit == null or $ratio == null then null else $ratio <= $limit end), $note};

# In CPU seconds per server and minute, a figure a round: above what the kernel takes with nobody.
def cost($peer): map(select(.peer == "idle")) as $idle
    | map(select(.peer == $peer) | . as $one
        | (.ms - ($idle[] | select(.round == $one.round) | .ms)) / 1000 / .seconds * 60 / .servers);
# A weight that did not change counts with all the time that was waited.
def after($peer; figure): map(select(.peer == $peer) | figure // 14);

def minute: "CPU s/server/min";
def others: ("keepalived", "haproxy", "shell");
def first_change($peer): after($peer; .first_s);
def settled($peer): after($peer; .settled_s);

($cpu | map(select(.peer == "start"))[0]) as $start
| ($cpu | cost("monitord")) as $ours
# A check every 2 s is 30 processes a minute.
| ($cpu | cost("keepalived") | map(. - 30 * ($start.guest - $start.host) / 1000)) as $keepalived_on_host
| {rows: [
    row("monitord"; minute; $ours; "keepalived misc_dynamic"; $cpu | cost("keepalived"); 0.05;
        "a process costs this kernel more than others"),
    row("monitord"; minute; $ours; "keepalived, processes at the host's price"; $keepalived_on_host; 0.05;
        "reckoned; monitord's side is as measured"),
    row("monitord"; minute; $ours; "HAProxy agent-check"; $cpu | cost("haproxy"); 1 / 3; ""),
    row("monitord"; minute; $ours; "shell: curl and ipvsadm -e"; $cpu | cost("shell"); null; ""),
    row("start of a check, lab's kernel"; "ms"; [$start.guest]; "the host"; [$start.host]; null; ""),
    row("first changed weight: monitord"; "s"; $steps | first_change("monitord"); "two polls"; [4]; 1; ""),
    (others as $peer | row("first changed weight: monitord"; "s"; $steps | first_change("monitord"); $peer;
        $steps | first_change($peer); null; "")),
    (others as $peer | row("weight within a tenth of its last: monitord"; "s"; $steps | settled("monitord"); $peer;
        $steps | settled($peer); null; ""))
]}
