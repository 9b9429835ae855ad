# What the reports of measurements on real kernels share.
def median: sort | if length % 2 == 1 then .[length / 2 | floor] else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def fixed(digits): . * pow(10; digits) | round / pow(10; digits);
# A request that failed counts with the 10 s after which loadgen gives up.
def mean_of_all: (.mean_ms * .answered + 10000 * .failed) / (.answered + .failed);
