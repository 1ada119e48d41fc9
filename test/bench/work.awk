# Prints how the work that a profile has compares with the time that the program takes.
# awk -f work.awk LIMITS RESULTS WORKS
# SPDX-License-Identifier: MIT
#
# LIMITS and RESULTS: as for table.awk; WORKS: program, mode, work and its unit, a line for every run.

BEGIN {
  split("hybrid clock", modes)
  seconds["s"] = 1
  seconds["ms"] = 1e-3
  seconds["us"] = 1e-6
  seconds["ns"] = 1e-9
}

FILENAME == ARGV[1] {
  programs[++program_count] = $1
  limit[$1] = $6
}
FILENAME == ARGV[2] && $2 == "baseline" && $3 != "failed" {
  time[$1] = $3
}
FILENAME == ARGV[3] && $4 in seconds {
  work[$1, $2, ++count[$1, $2]] = $3 * seconds[$4]
}

# The median of the runs, or 0 when there is none.
function median(program, mode,    n, i, j, sorted, tmp) {
  n = count[program, mode]
  for (i = 1; i <= n; ++i) {
    sorted[i] = work[program, mode, i]
    for (j = i; j > 1 && sorted[j] < sorted[j - 1]; --j) {
      tmp = sorted[j]
      sorted[j] = sorted[j - 1]
      sorted[j - 1] = tmp
    }
  }
  return n ? (sorted[int((n + 1) / 2)] + sorted[int(n / 2) + 1]) / 2 : 0
}

function judge(ratio, most) {
  return ratio == 0 ? "not measured" : ratio <= most + 0 && ratio >= 1 / most ? "pass" : "falls short"
}

END {
  printf "%-10s %8s %8s  %s\n", "program", "hybrid", "clock", "required: at most this factor, or its inverse"
  for (p = 1; p <= program_count; ++p) {
    program = programs[p]
    printf "%-10s", program
    text = limit[program] == "-" ? "" : "  " limit[program]
    for (m = 1; m <= 2; ++m) {
      ratio = time[program] > 0 ? median(program, modes[m]) / time[program] : 0
      printf " %8s", ratio ? sprintf("%.3f", ratio) : "-"
      if (text != "")
        text = text ", " modes[m] ": " judge(ratio, limit[program])
    }
    print text
  }
}
