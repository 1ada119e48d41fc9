#!/bin/sh
# Standard input: a file for every run; what can be read only once goes to the run that is profiled.
# SPDX-License-Identifier: MIT
. "$TOP/test/launcher/lib.sh"

cat >reads.c <<'EOC'
#include "logs.h"
__attribute__((noinline)) static long sum(void) {
  long all = 0;
  for (int c; (c = getchar()) != EOF;)
    all += c;
  return all;
}
int main(int argc, char **argv) {
  logs();
  printf("%ld\n", argc > 1 ? sum() : -1L);
  return 0;
}
EOC
compile -O2 -fcilkprof reads.c -o reads
printf 'abc' >file

launch --runs=2 ./reads x <file
ran 'a file is read by every run' bare bare profiled
echo 294 >wanted
same 'from its start' wanted out
holds 'without a word' test ! -s errors
{
  head -c 1 >/dev/null
  launch --runs=2 ./reads x
} <file
echo 197 >wanted
same 'or from where it was' wanted out
launch --runs=2 ./reads x </dev/null
ran 'nothing to read' bare bare profiled
equal 'and nothing to say' 0 "$(wc -l <errors)"
launch --runs=2 ./reads <&-
ran 'no standard input' bare bare profiled

printf 'abc' | launch --runs=2 ./reads x
ran 'a pipe is read once, by the run that is profiled' bare profiled
printf 'abc' | (launch --runs=2 ./reads x; cat out) >got
echo 294 >wanted
same 'which gets all of it' wanted got
printf 'abc' | (launch --runs=2 ./reads x; cat errors) >got
holds 'with a line that says what to do' grep -q '^cilkprof-run: ./reads: it reads standard input, .*<FILE' got
equal 'one' 1 "$(wc -l <got)"
printf 'abc' | (launch --runs=2 ./reads)
ran 'a pipe that the program does not read' bare bare profiled
mkfifo open
sleep 1000 >open &
writer=$!
launch --runs=2 ./reads <open
kill $writer
ran 'or that never ends' bare bare profiled
finish
