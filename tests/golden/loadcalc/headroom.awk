# target = base * scale * F, scale 1, F = 0.6 (1 - C) + 0.4 M, at least 0.01. A weight, not a ratio:
# nothing is scaled beside held ones.
function targets(    i) {
    for (i = 1; i <= n; i++)
        target[i] = measured[i] ? base[i] * max(0.01, 0.6 * (1 - C[i]) + 0.4 * M[i]) : current[i]
}
