# Prints the benchmark's table from its limits and its results.  awk -f table.awk LIMITS RESULTS
# SPDX-License-Identifier: MIT
#
# LIMITS: program, size, the limits of the modes, of the measured work, and whether the mean includes it; RESULTS:
# program, variant, median, minimum and peak of the memory, or program, variant and "failed".

BEGIN {
  split("count hybrid clock", modes)
  split("baseline plain count hybrid clock", variants)
  mean_limit = "1.5/1.3"
  memory_limit = "8192/1024" # KB
}

FILENAME == ARGV[1] {
  programs[++program_count] = $1
  size[$1] = $2
  for (m = 1; m <= 3; ++m)
    limit[$1, modes[m]] = $(m + 2)
  in_mean[$1] = $7 == "yes"
  mean_count += in_mean[$1]
  next
}

$3 != "failed" {
  median[$1, $2] = $3
  peak[$1, $2] = $5
}

# The ratio to the baseline, or 0 when there is none.
function ratio(program, variant) {
  return median[program, "baseline"] > 0 ? median[program, variant] / median[program, "baseline"] : 0
}

# The number as FORMAT says, in eight columns, or "-" when there is none.
function cell(format, number) {
  return sprintf("%8s", number > 0 ? sprintf(format, number) : "-")
}

# LIMITS are what is required and what is aimed at.
function judge(number, limits,    both) {
  split(limits, both, "/")
  return number <= both[2] + 0 ? "aim met" : number <= both[1] + 0 ? "pass" : "falls short"
}

# What is to be said of every mode that has a limit, and of the memory.
function verdict(program,    m, text, r) {
  for (m = 1; m <= 3; ++m)
    if (limit[program, modes[m]] != "-") {
      r = ratio(program, modes[m])
      text = text sprintf("%s %s: %s, ", modes[m], limit[program, modes[m]],
                          r == 0 ? "not measured" : judge(r, limit[program, modes[m]]))
    }
  return text "memory: " (memory(program) == "-" ? "not measured" : judge(memory(program), memory_limit))
}

# The memory of the hybrid variant above that of the baseline, in KB.
function memory(program) {
  return (program, "hybrid") in peak ? peak[program, "hybrid"] - peak[program, "baseline"] : "-"
}

# fib(n) makes 2 fib(n + 1) - 1 calls of fib.
function fib_calls(n,    a, b, next_b, i) {
  a = 0
  b = 1
  for (i = 0; i <= n; ++i) {
    next_b = a + b
    a = b
    b = next_b
  }
  return 2 * a - 1
}

function print_row(program,    v, r) {
  printf "%-10s %9s   %s", program, size[program], cell("%.4f", median[program, "baseline"])
  for (v = 2; v <= 5; ++v) {
    r = ratio(program, variants[v])
    printf " %s", cell("%.2f", r)
    if (r > 0 && in_mean[program]) {
      log_sum[v] += log(r)
      ++log_count[v]
    }
  }
  printf " %8s  %s\n", memory(program), verdict(program)
}

# The geometric mean, or 0 when a program is missing.
function mean(v) {
  return log_count[v] == mean_count ? exp(log_sum[v] / mean_count) : 0
}

END {
  printf "%-10s %9s %10s %8s %8s %8s %8s %8s  %s\n", "program", "size", "baseline", "plain", "count", "hybrid", "clock",
         "memory", "required/aim; of the memory 8 MB/1 MB"
  printf "%-10s %9s %10s %8s %8s %8s %8s %8s\n", "", "", "s", "", "", "", "", "+KB"
  for (p = 1; p <= program_count; ++p)
    print_row(programs[p])
  printf "%-31s", "geometric mean of " mean_count
  for (v = 2; v <= 5; ++v)
    printf " %s", cell("%.2f", mean(v))
  printf " %8s  hybrid %s: %s\n", "", mean_limit, mean(4) ? judge(mean(4), mean_limit) : "not measured"
  what_if = median["fib", "count"] > 0 ? median["fib", "whatif"] / median["fib", "count"] : 0
  printf "\nfib, what-if with seven candidates: %s times the count mode; 3: %s\n", what_if ? sprintf("%.2f", what_if) : "-",
         what_if ? (what_if <= 3 ? "pass" : "falls short") : "not measured"
  printf "\nfib, ns per call:              "
  for (v = 1; v <= 5; ++v)
    if (median["fib", variants[v]] > 0) {
      printf "%s %s %.2f", comma, variants[v], median["fib", variants[v]] * 1e9 / fib_calls(size["fib"])
      comma = ","
    }
  printf "\n"
}
