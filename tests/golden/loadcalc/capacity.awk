# (W + P u base) / (V + P), P = 0.5, as a share of u base, to the power r, times the correction;
# held within doubt; room for backlogs where the scheduler does not look; memory that is short cuts.
function scale_chosen(total,    i, sum) {
    for (i = 1; i <= n; i++) if (chosen[i]) sum += target[i]
    for (i = 1; i <= n; i++) if (chosen[i]) target[i] *= total / sum
}

# Half the distance that counts as none: three standard errors of W / V, at most 0.3.
function doubt(i) {
    return min(0.3, 3 * (W[i] > 0 ? min(1, sqrt(3 / (1.98 * W[i]))) : 1))
}

function hold_within_doubt(    i) {
    for (i = 1; i <= n; i++) {
        if (!measured[i]) continue
        if (log(target[i] / current[i]) > doubt(i)) return
        if (log(current[i] / target[i]) > doubt(i)) return
    }
    for (i = 1; i <= n; i++) if (measured[i]) target[i] = current[i]
}

# The value that half of the measured members do not exceed.
function lower_median(values,    i, j, below, count) {
    for (i = 1; i <= n; i++) if (measured[i]) count++
    for (i = 1; i <= n; i++) {
        if (!measured[i]) continue
        below = 0
        for (j = 1; j <= n; j++) if (measured[j] && values[j] <= values[i]) below++
        if (below >= count / 2 && (!found || values[i] < result)) { result = values[i]; found = 1 }
    }
    found = 0
    return result
}

function room_for_backlogs(    i, usual, waiting, expected, shares, level, low, high, sum, step, floor, normal) {
    expected = 3 * arrivals
    if (!expected) return
    for (i = 1; i <= n; i++) {
        filling[i] = measured[i] ? active[i] / capacity[i] : 0
        if (measured[i]) shares += target[i]
    }
    normal = lower_median(filling)
    for (i = 1; i <= n; i++) {
        backlog[i] = 0
        if (!measured[i]) continue
        usual = normal * capacity[i]
        if (active[i] > usual + max(0.25 * capacity[i], 3 * sqrt(usual))) backlog[i] = active[i] - usual
    }
    floor = 0.05 * expected / shares
    high = 1e6
    for (step = 0; step < 200; step++) {
        level = (low + high) / 2
        sum = 0
        for (i = 1; i <= n; i++)
            if (measured[i]) sum += max(floor * target[i], level * target[i] - backlog[i])
        if (sum < expected) low = level; else high = level
    }
    for (i = 1; i <= n; i++)
        if (measured[i]) target[i] = max(floor * target[i], level * target[i] - backlog[i])
    for (i = 1; i <= n; i++) chosen[i] = measured[i]
    scale_chosen(shares)
}

function cut_short_of_memory(total,    i, left, others, short) {
    left = total
    for (i = 1; i <= n; i++) {
        chosen[i] = measured[i] && M[i] >= 0.05
        if (chosen[i]) others++
        if (!measured[i] || chosen[i]) continue
        short++
        target[i] = cut_weight(current[i], target[i])
        left -= target[i]
    }
    if (!short) return
    if (!others) for (i = 1; i <= n; i++) chosen[i] = measured[i]
    scale_chosen(others ? left : total)
}

function targets(    i, work, caused, worth, r, gamma, f, f_sum, f_count, there) {
    for (i = 1; i <= n; i++) {
        work += W[i]
        caused += V[i] * base[i]
        spare[i] = known(smoothed[i]) ? smoothed[i] : 0.6 * (1 - C[i]) + 0.4 * M[i]
        chosen[i] = measured[i]
        if (!measured[i]) continue
        f_sum += spare[i]; f_count++
        there += current[i]
    }
    worth = work >= 20 && caused > 0 ? work / caused : 0
    r = scheduler == "sed" || scheduler == "nq" ? 0.2 : 1
    gamma = scheduler == "wrr" ? 0.5 : 0.25
    for (i = 1; i <= n; i++) {
        target[i] = base[i]
        if (!measured[i]) { target[i] = current[i]; continue }
        if (!worth) continue
        f = clamp((spare[i] / (f_sum / f_count)) ^ gamma, 0.5, 1.5)
        capacity[i] = (W[i] + 0.5 * worth * base[i]) / (V[i] + 0.5)
        target[i] *= (capacity[i] / (worth * base[i])) ^ r * f
    }
    scale_chosen(there)
    if (worth) {
        hold_within_doubt()
        if (scheduler == "wrr") room_for_backlogs()
    }
    cut_short_of_memory(there)
}
