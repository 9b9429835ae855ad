# base (1 - load); a hundredth of the base above 0.9 of one resource, unless all are.
function part(share, value) {
    shares += share
    sum += share * min(1, value)
}

function targets(    i, some_free) {
    for (i = 1; i <= n; i++) {
        full[i] = 0
        target[i] = 1
        if (!measured[i]) continue
        shares = sum = 0
        part(0.4, C[i])
        part(0.2, 1 - M[i])
        if (known(network[i])) part(0.1, network[i])
        if (known(disk[i])) part(0.1, disk[i])
        if (known(load[i])) part(0.1, load[i])
        part(0.1, input[i] / 2)
        target[i] = base[i] * max(0.01, 1 - sum / shares)
        full[i] = C[i] > 0.9 || 1 - M[i] > 0.9 || (known(network[i]) && network[i] > 0.9) ||
                  (known(disk[i]) && disk[i] > 0.9)
        if (!full[i]) some_free = 1
    }
    for (i = 1; i <= n; i++) if (full[i] && some_free) target[i] = base[i] / 100
    finish()
}
