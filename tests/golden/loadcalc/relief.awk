# What relief makes of a strategy that wants the bases: first room for backlogs, and nobody above what
# it can take, where the scheduler does not look (wrr, sh, mh), then a cut of who is short of memory unless all are. With -v literal=1
# the bases are weights: what is taken off a member goes to nobody.
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

# Completions per cycle of full load, with half a cycle of what the base is worth.
function fill_capacities(    i, work, caused) {
    for (i = 1; i <= n; i++) { work += W[i]; caused += V[i] * base[i] }
    worth = work >= 20 && caused > 0 ? work / caused : 0
    for (i = 1; i <= n; i++) capacity[i] = (W[i] + 0.5 * worth * base[i]) / (V[i] + 0.5)
}

function fill_backlogs(    i, usual, normal, any) {
    for (i = 1; i <= n; i++) filling[i] = measured[i] ? active[i] / capacity[i] : 0
    normal = lower_median(filling)
    for (i = 1; i <= n; i++) {
        backlog[i] = 0
        if (!measured[i]) continue
        usual = normal * capacity[i]
        if (active[i] > usual + max(0.25 * capacity[i], 3 * sqrt(usual))) backlog[i] = active[i] - usual
        if (backlog[i]) any = 1
    }
    return any
}

function dealt(i)  { return max(floor * target[i], min(most[i], level * target[i]) - backlog[i]) }

# What a member can take in the three cycles of the horizon: its capacity, or a tenth more than it
# had if all were filled alike. 1 if somebody has a backlog or would get more than that.
function fill_most(expected, shares,    i, all, needed) {
    for (i = 1; i <= n; i++) if (measured[i]) all += capacity[i]
    needed = fill_backlogs()
    for (i = 1; i <= n; i++) {
        if (!measured[i]) continue
        most[i] = 3 * capacity[i] * max(1, 1.1 * arrivals / all)
        if (expected / shares * target[i] > most[i]) needed = 1
    }
    return needed
}

# Ratios keep their sum. Literal weights: the one that grew most is back where it was.
function room_for_backlogs(    i, expected, shares, low, high, sum, step, growth) {
    expected = 3 * arrivals
    for (i = 1; i <= n; i++) if (measured[i]) shares += target[i]
    if (!expected || !fill_most(expected, shares)) return
    floor = 0.05 * expected / shares
    high = 1e6
    for (step = 0; step < 200; step++) {
        level = (low + high) / 2
        sum = 0
        for (i = 1; i <= n; i++) if (measured[i]) sum += dealt(i)
        if (sum < expected) low = level; else high = level
    }
    growth = 1
    for (i = 1; i <= n; i++)
        if (measured[i]) growth = max(growth, dealt(i) / target[i] * shares / sum)
    for (i = 1; i <= n; i++)
        if (measured[i]) target[i] = dealt(i) * shares / sum / (literal ? growth : 1)
}

function cut_short_of_memory(    i, wanted, there, others, left, scale) {
    for (i = 1; i <= n; i++) {
        if (!measured[i]) continue
        wanted += target[i]; there += current[i]
        if (M[i] >= 0.05) others += target[i]
    }
    if (!others) return
    scale = literal ? 1 : wanted / there
    left = wanted
    for (i = 1; i <= n; i++) {
        if (!measured[i] || M[i] >= 0.05) continue
        target[i] = cut_weight(current[i] * scale, target[i])
        left -= target[i]
    }
    if (literal) return
    for (i = 1; i <= n; i++) if (measured[i] && M[i] >= 0.05) target[i] *= left / others
}

function targets(    i) {
    fill_capacities()
    for (i = 1; i <= n; i++) target[i] = measured[i] ? base[i] : current[i]
    if (worth && (scheduler == "wrr" || scheduler == "sh" || scheduler == "mh")) room_for_backlogs()
    cut_short_of_memory()
}
