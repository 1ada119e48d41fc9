#!/bin/sh
# --recover: what is left of a damaged profile is shown, and what is lost is said.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/faults/lib.sh"

cat >fib.c <<'EOC'
#include <cilk/cilk.h>
int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
int main(void) { return fib(10) != 55; }
EOC
compile -O1 -fcilkprof=count fib.c -o fib
CILKPROF_CONTEXTS=1 ./fib
"$report" --csv fib cilkprof.out >whole.csv

# records: where each begins, its tag and its length.
records() {
  perl -e 'local $/; open F, "<:raw", $ARGV[0]; $_ = <F>; for (my $at = 24; $at < length;) {
    my ($tag, $sum, $length) = unpack("L<2Q<", substr($_, $at, 16)); print "$at $tag $length\n";
    $at += 16 + $length + (-$length % 8) }' "$1"
}
# flip AT: one byte.
flip() {
  perl -e 'local $/; open F, "<:raw", $ARGV[0]; $_ = <F>; substr($_, $ARGV[1], 1) ^= "\xff"; print' cilkprof.out "$1" >bad
}
# recovered: "bad" is refused as it is; with --recover it is shown as damaged, or a line says that nothing is left.  Every
# row that is shown was there before.
recovered() {
  if "$report" -p fib bad >got 2>stderr || [ -s got ]; then echo "$1: was read"; fi
  "$report" --recover --csv fib bad 2>/dev/null | sed 1d >rows
  "$report" --recover --summary fib bad >got 2>stderr
  status=$?
  if [ $status = 0 ]; then
    grep -q 'The profile is damaged' got && [ -s stderr ] && ! grep -v -x -F -f whole.csv rows || echo "$1: $(cat stderr)"
  elif [ $status = 1 ]; then
    [ ! -s got ] && [ -s stderr ] || echo "$1: $(cat stderr)"
  else
    echo "$1: status $status"
  fi
  echo $status >>statuses
}
records cilkprof.out >places
while read -r at tag length; do
  tried inputs 4
  head -c "$at" cilkprof.out >bad && recovered "cut before $at (record $tag)"
  head -c $((at + 12)) cilkprof.out >bad && recovered "cut inside $at (record $tag)"
  flip $((at + 16)) && recovered "flipped inside $at (record $tag)"
  flip $((at + 9)) && recovered "flipped in the length of $at (record $tag)"
done <places >wrong
fault "a profile cut and flipped at each of its $(wc -l <places) records" 'what is left, a line for each loss, or a line and status 1' \
  sh -c 'cat wrong; test ! -s wrong'
fault 'most of these' 'are shown' test "$(grep -c 0 statuses)" -gt $((2 * $(grep -c 1 statuses)))

flip $(($(awk '$2 == 5 { print $1 }' places | sed -n 2p) + 16))
"$report" --recover --summary fib bad >got 2>stderr
fault 'a damaged call site' 'a line for it, and one for the calling contexts' \
  sh -c 'grep -q "lost call sites: 1$" stderr && grep -q "lost regions, calling contexts, what-ifs and samples: [1-9]" stderr && test $(wc -l <stderr) = 2'
flip $(($(awk '$2 == 4 { print $1 }' places) + 16))
"$report" --recover --summary fib bad >got 2>stderr
fault 'damaged totals' 'those of the sites are shown' sh -c 'grep -q "the totals are lost" stderr && grep -q "Work: *[1-9]" got'
"$report" --recover --csv fib cilkprof.out >got 2>stderr
fault 'a whole profile with --recover' 'the same report' cmp -s got whole.csv
finish
