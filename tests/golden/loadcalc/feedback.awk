# W + A cbrt(0.95 - AGG), A = 5, no step within 0.05, kept within base .. 10 base.
function term(share, value) {
    shares += share
    sum += share * min(10, value)
}

function aggregate(i,    mean_processes, mean_response) {
    shares = sum = 0
    mean_processes = mean_of(processes)
    mean_response = mean_of(response)
    term(0.1, input[i])
    term(0.3, C[i] / 0.7)
    term(0.1, (1 - M[i]) / 0.7)
    if (known(disk[i])) term(0.1, disk[i] / 0.7)
    if (known(processes[i])) term(0.1, processes[i] / mean_processes)
    if (known(response[i])) term(0.3, response[i] / mean_response)
    return sum / shares
}

function targets(    i, lift, distance, any_past) {
    fill_standing()
    lift = 1
    for (i = 1; i <= n; i++) {
        if (known(past[i])) any_past = 1
        if (measured[i]) lift = max(lift, base[i] / standing[i])
    }
    if (any_past) lift = 1
    for (i = 1; i <= n; i++) {
        standing[i] *= lift
        target[i] = 1
        if (!measured[i]) continue
        distance = 0.95 - aggregate(i)
        target[i] = standing[i]
        if (distance > 0.05 || distance < -0.05) target[i] += 5 * cbrt(distance)
        target[i] = clamp(target[i], base[i], 10 * base[i])
    }
    finish()
}
