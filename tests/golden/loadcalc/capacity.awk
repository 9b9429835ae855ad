# (W + P u base) / (V + P), P = 0.5, as a share of u base, to the power r, times the correction.
function scale_free_to(total,    i, sum) {
    for (i = 1; i <= n; i++) if (measured[i] && is_free[i]) sum += target[i]
    for (i = 1; i <= n; i++) if (measured[i] && is_free[i]) target[i] *= total / sum
}

function targets(    i, work, caused, worth, r, gamma, f, f_sum, f_count, there, free, all) {
    for (i = 1; i <= n; i++) {
        work += W[i]
        caused += V[i] * base[i]
        spare[i] = known(smoothed[i]) ? smoothed[i] : 0.6 * (1 - C[i]) + 0.4 * M[i]
        if (!measured[i]) continue
        f_sum += spare[i]; f_count++
        there += current[i]; all++
    }
    worth = work >= 20 && caused > 0 ? work / caused : 0
    r = scheduler == "sed" || scheduler == "nq" ? 0.2 : 1
    gamma = scheduler == "wrr" ? 0.5 : 0.25
    for (i = 1; i <= n; i++) {
        is_free[i] = 1
        target[i] = base[i]
        if (!measured[i]) { target[i] = current[i]; continue }
        if (!worth) continue
        f = clamp((spare[i] / (f_sum / f_count)) ^ gamma, 0.5, 1.5)
        target[i] *= ((W[i] + 0.5 * worth * base[i]) / (V[i] + 0.5) / (worth * base[i])) ^ r * f
    }
    scale_free_to(there)
    for (i = 1; i <= n; i++) {
        if (!measured[i]) continue
        if (M[i] < 0.05) {
            is_free[i] = 0
            target[i] = cut_weight(current[i], target[i])
            there -= target[i]
        } else {
            free++
        }
    }
    if (free == all) return
    if (!free) {
        for (i = 1; i <= n; i++) if (measured[i]) { is_free[i] = 1; there += target[i] }
    }
    scale_free_to(there)
}
