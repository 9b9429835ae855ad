# The measurements of bench/cluster as a table; tabs between the columns.
def shown: if . == null then "-" else tostring end;
def spread: if length < 2 then "-" else "\(min)..\(max)" end;
(["group", "load", "row", "mean ms", "min..max", "p50", "p95", "p99", "min..max", "answers/s", "failed", "/sed equal", "/wrr tuned",
  "changes/server/min", "simulated mean", "simulated p99", "weights at the end"],
 (.measurements[] | [.group, "\(.load) %", .name, (.mean_ms | shown), (.mean_ms_samples | spread), (.p50_ms | shown),
    (.p95_ms | shown), (.p99_ms | shown), (.p99_ms_samples | spread), (.answers_per_second | shown), (.failed | shown),
    (.to_sed_equal | shown), (.to_wrr_tuned | shown), (.changes_per_server_minute | shown),
    (.simulated_mean_ms | shown), (.simulated_p99_ms | shown), (.weights_end | map(join(":")) | join(", "))]))
| join("\t")
