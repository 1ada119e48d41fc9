# Prints what a call of fib costs above the baseline in runs of different lengths.  awk -f growth.awk
# SPDX-License-Identifier: MIT
#
# The input, sorted by all of it: fib's argument, repetitions, variant and nanoseconds per call.

{
  key = $1 " " $2
  ns[key, $3, ++count[key, $3]] = $4
  if (count[key, $3] == 1 && $3 == "baseline")
    keys[++key_count] = key
}

function median(key, variant,    n) {
  n = count[key, variant]
  return n ? (ns[key, variant, int((n + 1) / 2)] + ns[key, variant, int(n / 2) + 1]) / 2 : 0
}

END {
  for (k = 1; k <= key_count; ++k) {
    split(keys[k], size, " ")
    cost = median(keys[k], "hybrid") - median(keys[k], "baseline")
    if (k == 1)
      first = cost
    printf "%-48s %8.2f ns per call above the baseline%s\n", size[2] " times fib " size[1], cost,
           k == 1 || first <= 0 ? "" : sprintf("; %.2f of the first, 0.90 to 1.10: %s", cost / first,
                                               cost / first >= 0.9 && cost / first <= 1.1 ? "pass" : "falls short")
  }
}
