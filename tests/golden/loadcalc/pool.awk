# Reads pools.txt, calls targets() of the strategy's own script for every pool, and prints what it
# left in target[1..n]. Written from docs/STRATEGIES.md, not from the program.
function known(text)          { return text != "-" }
function min(a, b)            { return a < b ? a : b }
function max(a, b)            { return a > b ? a : b }
function clamp(x, low, high)  { return max(low, min(high, x)) }
function cbrt(x)              { return x == 0 ? 0 : x < 0 ? -exp(log(-x) / 3) : exp(log(x) / 3) }

# Mean of a column over the members with measures that know it.
function mean_of(column,    i, sum, count) {
    for (i = 1; i <= n; i++)
        if (measured[i] && known(column[i])) { sum += column[i]; count++ }
    return count ? sum / count : 0
}

function cut_weight(there, fair) {
    return min(there, max(min(there, fair) / 2, fair / 4))
}

# What the strategy wanted last, or the weight in the kernel on the scale of the bases.
function fill_standing(    i, wanted, there, bases, all, factor) {
    for (i = 1; i <= n; i++) {
        bases += base[i]; all += current[i]
        if (known(past[i])) { wanted += past[i]; there += current[i] }
    }
    factor = there > 0 ? wanted / there : bases / all
    for (i = 1; i <= n; i++) standing[i] = known(past[i]) ? past[i] : current[i] * factor
}

# Holds the members without measures; beside them the others keep what they have together.
function finish(    i, held, wanted, there) {
    for (i = 1; i <= n; i++) if (!measured[i]) held = 1
    if (!held) return
    for (i = 1; i <= n; i++)
        if (measured[i]) { wanted += target[i]; there += current[i] }
    for (i = 1; i <= n; i++)
        target[i] = measured[i] ? target[i] * there / wanted : current[i]
}

function finish_pool(    i) {
    if (!n) return
    targets()
    for (i = 1; i <= n; i++) printf "%s %d %.6f\n", name, i, target[i]
    n = 0
}

/^#/ { next }
$1 != name { finish_pool(); name = $1; scheduler = $2 }
{
    n++
    base[n] = $3; current[n] = $4; past[n] = $5
    C[n] = $6; M[n] = $7; network[n] = $8; disk[n] = $9; processes[n] = $10; load[n] = $11
    response[n] = $12; input[n] = $13
    W[n] = known($14) ? $14 : 0; V[n] = known($15) ? $15 : 0
    smoothed[n] = $16
    active[n] = NF >= 17 ? $17 : 0; arrivals = NF >= 18 ? $18 : 0
    measured[n] = known(C[n]) && known(M[n])
}
END { finish_pool() }
