#!/bin/sh
# Every program, profiled: its result is right, its profile is accepted, and it spawns as often as its algorithm does.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# recurrence EXPRESSION: a number by one of the programs' own recursions.
recurrence() {
  awk '
    function fib(n) { return n < 2 ? 0 : 1 + fib(n - 1) + fib(n - 2) }
    function mm(n) { return n < 64 ? 0 : 6 + 8 * mm(n / 2) }
    function strassen(n) { return n <= 64 || n % 2 ? 0 : 6 + 7 * strassen(n / 2) }
    # Halves until at most so many are left.
    function halves(n, least) { return n <= least ? 0 : 1 + halves(int(n / 2), least) + halves(n - int(n / 2), least) }
    function matmul(m, n, p) {
      if (m + n + p <= 64)
        return 0
      if (m >= n && m >= p)
        return 1 + matmul(int(m / 2), n, p) + matmul(m - int(m / 2), n, p)
      if (n >= p)
        return matmul(m, int(n / 2), p) + matmul(m, n - int(n / 2), p)
      return 1 + matmul(m, n, int(p / 2)) + matmul(m, n, p - int(p / 2))
    }
    function rectmul(x, y, z) {
      if (x + y + z == 3)
        return 0
      if (x >= y && x >= z)
        return 1 + rectmul(int(x / 2), y, z) + rectmul(x - int(x / 2), y, z)
      if (y > x && y > z)
        return rectmul(x, int(y / 2), z) + rectmul(x, y - int(y / 2), z)
      return 1 + rectmul(x, y, int(z / 2)) + rectmul(x, y, z - int(z / 2))
    }
    function schur(n) { return n == 1 ? 0 : 6 + 8 * schur(n / 2) }
    function solve(n) { return n == 1 ? 0 : 1 + 2 * (2 * solve(n / 2) + schur(n / 2)) }
    function lu(n) { return n == 1 ? 0 : 1 + 2 * lu(n / 2) + 2 * solve(n / 2) + schur(n / 2) }
    function fft(n,    r, m) {
      if (n <= 32)
        return 0
      r = n / 32 < 8 ? n / 32 : 8
      m = n / r
      return halves(m, 16) + r * (1 + fft(m)) + halves(m, 128)
    }
    # When no quadrant is empty.
    function full(d) { return d == 0 ? 0 : 8 * (1 + full(d - 1)) }
    function lower(d) { return d == 0 ? 0 : 4 * (1 + lower(d - 1)) + 2 * (1 + full(d - 1)) }
    function substitute(d) { return d == 0 ? 0 : 4 * (1 + substitute(d - 1)) + 2 * (1 + full(d - 1)) }
    function cholesky(d) { return d == 0 ? 0 : 1 + 2 * cholesky(d - 1) + substitute(d - 1) + lower(d - 1) }
    function nqueens(n, row,    column, sum, i) {
      for (column = 0; row < n && column < n; ++column) {
        for (i = 0; i < row && at[i] != column && at[i] - column != row - i && column - at[i] != row - i; ++i)
          ;
        if (i == row) {
          at[row] = column
          sum += 1 + nqueens(n, row + 1)
        }
      }
      return sum
    }
    BEGIN { print '"$1"' }'
}

# spawns_of CALLEE: how often it was spawned.
spawns_of() {
  awk -F, -v callee="$1" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["kind"] == "spawn" && $at["callee"] == callee { sum += $at["on_work_local_count"] }
    END { print sum + 0 }' sites.csv
}

# profile PROGRAM [ARGUMENT...]: as in lib.sh, but a profile that is not accepted is one failed test.
profile() {
  program=$1
  shift
  rm -f "$program.prof"
  CILKPROF_OUT=$program.prof "./$program" "$@" >"$program.stdout" 2>&1 </dev/null
  status=$?
  cilkprof-report --csv "$program" "$program.prof" >csv 2>report-said &&
    cilkprof-report --summary -b "$program" "$program.prof" >summary.txt 2>>report-said
  accepted=$?
  tr -d '\r"' <csv >sites.csv
}

# The programs, their arguments, and how often they spawn.
while read -r program arguments expected; do
  for mode in count hybrid; do
    in_turn 2 || continue
    compile -O2 -fcilkprof=$mode "$programs/$program.c" -o "$program" -lm
    # shellcheck disable=SC2046 # several arguments
    profile "$program" $(echo "$arguments" | tr , ' ')
    if [ $status = 0 ]; then
      pass "$program, $mode: the result is right"
    else
      fail "$program, $mode: the result is right" "$program.stdout"
    fi
    if [ $accepted = 0 ] && ! [ -s report-said ]; then
      pass "$program, $mode: the profile is accepted"
    else
      fail "$program, $mode: the profile is accepted" report-said
      continue
    fi
    case $expected in
    -) continue ;;
    partitions) wanted=$(field partition on_work_local_count) got=$(whole Spawns) ;;
    pairs) wanted=$(($(whole Syncs) * 2)) got=$(whole Spawns) ;;
    spawns_of*) wanted=${expected#*=} got=$(spawns_of "$program") ;;
    *) wanted=$(recurrence "$expected") got=$(whole Spawns) ;;
    esac
    equal "$program, $mode: the number of spawns" "$wanted" "$got"
  done
done <<'END'
fib        20         fib(20)
qsort      20000      partitions
mm         256        mm(256)
nqueens    8          nqueens(8,0)
cilksort   100000     spawns_of=63
stencil    200,20     -
saxpy      100000,10  -
snippet_a  10000      1
snippet_b  10000      10000
matmul     150        matmul(150,150,150)
rectmul    112        rectmul(7,14,7)
strassen   256        strassen(256)
lu         256        lu(16)
heat       150,60,10  10*halves(148,10)
fft        4096       fft(4096)+halves(4096,128)
cholesky   32         cholesky(3)
knapsack   30         pairs
END
finish
