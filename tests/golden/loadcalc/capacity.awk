# (W + P u base) / (V + P), P = 0.5, as a share of u base, to the power r, times the correction;
# held within doubt.
function scale_measured(total,    i, sum) {
    for (i = 1; i <= n; i++) if (measured[i]) sum += target[i]
    for (i = 1; i <= n; i++) if (measured[i]) target[i] *= total / sum
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

function targets(    i, work, caused, worth, r, gamma, f, f_sum, f_count, there) {
    for (i = 1; i <= n; i++) {
        work += W[i]
        caused += V[i] * base[i]
        spare[i] = known(smoothed[i]) ? smoothed[i] : 0.6 * (1 - C[i]) + 0.4 * M[i]
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
    scale_measured(there)
    if (worth) hold_within_doubt()
}
