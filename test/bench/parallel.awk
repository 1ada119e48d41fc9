# Prints the benchmark's table of parallel runs.  awk -v processors=N -f parallel.awk LIMITS RESULTS
# SPDX-License-Identifier: MIT
#
# LIMITS: program, the limit of T1/serial, arguments.  RESULTS: program, variant (serial, a number of workers, or
# copies and their number), median and minimum of CPU time, peak of memory, minimum of wall time; or program, variant,
# "failed".

FILENAME == ARGV[1] {
  programs[++program_count] = $1
  limit[$1] = $2
  next
}

$1 == "instructions" {
  instructions[$2] = $3
  next
}

$3 != "failed" {
  cpu[$1, $2] = $4
  peak[$1, $2] = $5
  wall[$1, $2] = $6
}

function ratio(a, b) {
  return b > 0 ? a / b : 0
}

function cell(number) {
  return sprintf(" %9s", number > 0 ? sprintf("%.2f", number) : "-")
}

function judge(number, good) {
  return number == 0 ? "not measured" : good ? "pass" : "falls short"
}

function serial_over(program, variant) {
  return ratio(wall[program, "serial"], wall[program, variant])
}

function print_row(program,    one, two, most, least, p) {
  one = ratio(cpu[program, 1], cpu[program, "serial"])
  printf "%-10s %s%s", program, cell(wall[program, "serial"]), cell(one)
  for (p = 2; p <= processors; ++p)
    printf "%s%s", cell(serial_over(program, p)), cell(p * serial_over(program, "copies" p))
  printf "  T1 %s: %s", limit[program], judge(one, one <= limit[program] + 0)
  if (processors >= 2 && limit[program] < 2) {
    two = serial_over(program, 2)
    most = 2 * serial_over(program, "copies2")
    least = most >= 1.9 ? 1.8 : 0.9 * most
    printf ", T2 %.2f: %s", least, judge((most > 0) * two, two >= least)
  }
  printf "\n"
}

function per_spawn(variant) {
  return wall["nothing", variant] > 0 ? sprintf("%.1f", wall["nothing", variant] * 100) : "-"
}

function more_than_serial_loops(    one, two) {
  one = wall["nothing", "loops1"]
  two = wall["nothing", "loops2"]
  return ((one > two ? one : two) - wall["nothing", "loops"]) * 100
}

function counted(how) {
  return how in instructions ? instructions[how] : "-"
}

END {
  printf "%-10s  %9s %9s", "program", "serial", "T1/serial"
  for (p = 2; p <= processors; ++p)
    printf " %9s %9s", "serial/T" p, "limit"
  printf "\n"
  for (i = 1; i <= program_count; ++i)
    print_row(programs[i])
  printf "\n10 million empty spawns before one sync, ns each: serial %s, 1 worker %s, 2 workers %s; memory +%s KB\n",
         per_spawn("serial"), per_spawn("spawns1"), per_spawn("spawns2"),
         peak["nothing", "spawns2"] - peak["nothing", "serial"]
  printf "10 million cilk_for of 4 iterations that do nothing, ns each: serial %s, 1 worker %s, 2 workers %s;",
         per_spawn("loops"), per_spawn("loops1"), per_spawn("loops2")
  printf " at most 5 above serial: %s\n", judge(wall["nothing", "loops"], more_than_serial_loops() <= 5)
  printf "a spawn in fib, instructions above the elision's call: direct %s, deferred %s\n",
         counted("direct"), counted("deferred")
  printf "a second in which 7 helpers have nothing to do, ms of CPU time: %.1f more than with none\n",
         (cpu["nothing", "idle8"] - cpu["nothing", "idle1"]) * 1000
}
