-- For wrk: its summary as a line of JSON. Whatever was not answered well, or not in time, has failed.
function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '{"answered": %d, "failed": %d, "requests_per_second": %.2f, "mean_ms": %.3f, "p99_ms": %.3f}\n',
        summary.requests - errors.status, errors.connect + errors.read + errors.write + errors.status + errors.timeout,
        (summary.requests - errors.status) / (summary.duration / 1e6), latency.mean / 1e3,
        latency:percentile(99) / 1e3))
end
