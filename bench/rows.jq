# The table of {"rows": [...]}, as every program of bench/run prints them; tabs between the columns.
def decimals: if . >= 100 then 0 elif . >= 10 then 1 elif . >= 1 then 2 elif . >= 0.01 then 4 else 6 end;
def short: if . == null then "-" else . as $x | pow(10; fabs | decimals) as $f | ($x * $f | round) / $f | tostring end;
def bar: if .bar == null then "-" elif .bar.at_most then "<= \(.bar.at_most | short)" else ">= \(.bar.at_least | short)" end;
def verdict: if .bar == null then "-" elif .met == null then "not measured" elif .met then "met" else "MISSED" end;
def spread: if (.measured_samples // [] | length) < 2 then "-"
    else "\(.measured_samples | min | short)..\(.measured_samples | max | short)" end;
(["row", "what", "unit", "measured", "min..max", "against", "reference", "ratio", "bar", "verdict"],
 (.rows[] | [(.row | tostring), .what, (if .unit == "" then "-" else .unit end), (.measured | short), spread, .reference_name, (.reference | short),
             (.ratio | short), bar, verdict]))
| join("\t")
