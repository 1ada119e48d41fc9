# A line of the table of parallel-profile: minima of the times, medians of works, maxima of parallelisms.
# SPDX-License-Identifier: MIT

# Returns the median of the values that are kept in LIST, COUNT of them.
function median(list, count,    i, j, value) {
  for (i = 2; i <= count; i++) {
    value = list[i]
    for (j = i - 1; j > 0 && list[j] > value; j--)
      list[j + 1] = list[j]
    list[j + 1] = value
  }
  return list[int((count + 1) / 2)]
}

# Returns A / B, or 0 where B is 0: what took less than the clock shows.
function ratio(a, b) { return b > 0 ? a / b : 0 }

index($1, program "-") != 1 { next }
{ which = substr($1, length(program) + 2) }
FILENAME == "times" {
  if (!(which in cpu) || $2 < cpu[which]) cpu[which] = $2
  if (!(which in elapsed) || $3 < elapsed[which]) elapsed[which] = $3
  next
}
which == "serial" { serial_work[++serials] = $2 }
which == "all" { work[++alls] = $2 }
ratio($3, $4) > parallelism[which] { parallelism[which] = ratio($3, $4) }
END {
  printf "%-12s %8.2f s   %8.2f s  %5.2f  %5.2f %5.2f %5.2f        %5.2f\n", program, cpu["serial"], cpu["one"],
    ratio(cpu["one"], cpu["serial"]), ratio(elapsed["one"], elapsed["all"]),
    ratio(elapsed["bare-one"], elapsed["bare-all"]),
    ratio(median(work, alls), median(serial_work, serials)),
    ratio(parallelism["all"], parallelism["serial"])
}
