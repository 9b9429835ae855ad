# target = base * scale * F, scale 1, F = 0.6 (1 - C) + 0.4 M, at least 0.01. A weight, not a ratio:
# the kernel's weight is what a saturated member stands at, and nothing is scaled beside held ones.
function targets(    i, free) {
    for (i = 1; i <= n; i++) if (measured[i] && !saturated[i]) free = 1
    for (i = 1; i <= n; i++) {
        if (!measured[i]) { target[i] = current[i]; continue }
        target[i] = base[i] * max(0.01, 0.6 * (1 - C[i]) + 0.4 * M[i])
        if (saturated[i] && free) target[i] = cut_weight(current[i], target[i])
    }
}
