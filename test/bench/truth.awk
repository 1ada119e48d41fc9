# The table of test/bench/truth.  awk -f truth.awk LIMITS RESULTS RATIOS
# SPDX-License-Identifier: MIT
#
# RESULTS: program, variant, median, minimum and peak of the memory; or program, "plain" or "checked" and the work as the
# summary has it; or program, "parallelism" or "construction" and that.

function seconds(number, unit) {
  gsub(",", "", number)
  return number * (unit == "s" ? 1 : unit == "ms" ? 1e-3 : unit == "us" ? 1e-6 : 1e-9)
}

FILENAME == ARGV[1] {
  programs[++count] = $1
  limit[$1] = $3
  next
}
FILENAME == ARGV[3] {
  logs += log($1)
  ratios++
  next
}
$2 == "native" || $2 == "one" || $2 == "hybrid" {
  minimum[$1, $2] = $4
  next
}
$2 == "plain" || $2 == "checked" {
  work = seconds($3, $4)
  unchecked[$1] = unchecked[$1] || $5 == "unchecked"
  if (!(($1, $2) in works) || work < works[$1, $2])
    works[$1, $2] = work
  next
}
{
  gsub(",", "", $3)
  values[$1, $2] = $3 ~ /^[0-9.]+$/ ? values[$1, $2] + $3 : values[$1, $2]
  number[$1, $2] += $3 ~ /^[0-9.]+$/
}

function judge(value, limits,    both) {
  split(limits, both, "/")
  return value <= both[2] + 0 ? "aim met" : value <= both[1] + 0 ? "pass" : "falls short"
}

# How far a ratio is from 1, and whether that is near enough.
function near(value, most) {
  return value <= most && value >= 1 / most ? "pass" : "falls short"
}

END {
  printf "%-10s %8s %9s  %-22s %6s  %-15s %7s  %-15s %11s %-17s %8s %6s\n", "program", "native", "slowdown", "", "work", "",
    "checked", "", "parallelism", "by con-", "of one", "work"
  printf "%-10s %8s %9s  %-22s %6s  %-15s %7s  %-15s %11s %-17s %8s %6s\n", "", "s", "", "", "plain", "within 1.25", "",
    "within 1.10", "", "struction", "worker", ""
  for (i = 1; i <= count; ++i) {
    p = programs[i]
    native = minimum[p, "native"]
    if (native <= 0 || minimum[p, "hybrid"] <= 0)
      continue
    slowdown = minimum[p, "hybrid"] / native
    logs += log(slowdown)
    ratios++
    plain = works[p, "plain"] / native
    checked = works[p, "checked"] / native
    parallelism = number[p, "parallelism"] ? values[p, "parallelism"] / number[p, "parallelism"] : 0
    construction = number[p, "construction"] ? values[p, "construction"] / number[p, "construction"] : 0
    verdict = construction > 0 ? sprintf("%.4g %s", construction, near(parallelism / construction, 1.15)) : "-"
    if (p == "touch")
      verdict = "- (page faults)"
    one = minimum[p, "one"]
    by_one = one > 0 ? sprintf("%8.2f %6.2f", minimum[p, "hybrid"] / one, works[p, "plain"] / one) : ""
    printf "%-10s %8.4f %9.2f  %-22s %6.2f  %-15s %7.2f  %-15s %11.4g %-17s %s\n", p, native, slowdown,
      limit[p] ": " judge(slowdown, limit[p]), plain, near(plain, 1.25) == "pass" || !unchecked[p] ? near(plain, 1.25) : "said: unchecked", checked, near(checked, 1.1), parallelism, verdict, by_one
  }
  if (ratios)
    printf "geometric mean of %d programs %.2f (1.5/1.25: %s)\n", ratios, exp(logs / ratios), judge(exp(logs / ratios), "1.5/1.25")
}
