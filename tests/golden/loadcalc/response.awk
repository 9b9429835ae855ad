# base (0.5 remaining / mean remaining + 0.5 mean T / T), never above what a heavy server stands at.
function part(share, left) {
    shares += share
    sum += share * left
}

function targets(    i, mean_remaining, mean_time, real_time) {
    fill_standing()
    for (i = 1; i <= n; i++) {
        remaining[i] = "-"
        target[i] = 1
        if (!measured[i]) continue
        shares = sum = 0
        part(0.5223, 1 - C[i])
        part(0.1998, M[i])
        if (known(network[i])) part(0.1998, 1 - network[i])
        if (known(disk[i])) part(0.0781, 1 - disk[i])
        remaining[i] = max(0.01, sum / shares)
    }
    mean_remaining = mean_of(remaining)
    mean_time = mean_of(response)
    for (i = 1; i <= n; i++) {
        if (!measured[i]) continue
        real_time = remaining[i] / mean_remaining
        if (known(response[i]))
            real_time = 0.5 * real_time + 0.5 * clamp(mean_time / response[i], 0.25, 4)
        target[i] = base[i] * real_time
        if (known(response[i]) && response[i] > mean_time) target[i] = min(target[i], standing[i])
    }
    finish()
}
