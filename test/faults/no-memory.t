#!/bin/sh
# Every allocation of the report, of the reader, of the libraries below them and of the process that reads debugging
# information fails, in turn.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/faults/lib.sh"
. "$TOP/test/report/lib.sh"
report=$BUILD_DIR/bin/cilkprof-report
preload=$BUILD_DIR/test/faults/no-memory.so
build calls -g
build tree -g
head -c 3000 calls.out >cut.out
cp calls a.out && cp calls.out cilkprof.out # what a report is of that forgets its arguments

# starved NUMBER ARGUMENT...: one line and status 1, or the same report where the memory was not needed.
starved() {
  at=$1
  shift
  NO_MEMORY_AT=$at LD_PRELOAD=$preload "$report" "$@" >got 2>stderr
  status=$?
  lines=$(($(wc -l <stderr) - said_before))
  times=$((times + 1))
  { [ $status = 1 ] && [ $lines -le 1 ] && [ -s stderr ]; } || { [ $status = 0 ] && cmp -s wanted got && cmp -s said stderr; } ||
    { echo "allocation $at${NO_MEMORY_ON:+ and all that follow}: status $status"; head -n 3 stderr; } >>wrong
}

# starve ARGUMENT...: one allocation fails; or one and all that follow.  Beyond the hundredth some are tried, and after the
# first report, whose first allocations are those of all, beyond the fiftieth.
first=100
starve() {
  NO_MEMORY_AT=0 NO_MEMORY_COUNT=count LD_PRELOAD=$preload "$report" "$@" >wanted 2>said
  all=$(cat count) said_before=$(wc -l <said) number=1 times=0
  : >wrong
  while [ $number -le "$all" ]; do
    starved $number "$@"
    if [ $number -lt $first ]; then number=$((number + 1)); else number=$((number + all / 50 + 1)); fi
  done
  export NO_MEMORY_ON=yes
  number=1
  while [ $number -le "$all" ]; do
    starved $number "$@"
    number=$((number + all / 40 + 1))
  done
  unset NO_MEMORY_ON
  [ -n "$LONG" ] || first=50
  tried faults $times
  holds "no memory: $times times, in $all allocations of cilkprof-report $*: a line and status 1, or the same report" \
    sh -c 'cat wrong; test ! -s wrong'
}
starve -p -q --sites --verdict --summary calls calls.out
starve -C -z --critical-path --contexts tree tree.out
for format in csv json callgrind gmon collapsed speedscope pprof; do starve --format=$format tree tree.out; done
starve -i -s calls calls.out calls.out
starve --recover --force --summary calls cut.out
starve --diff calls:calls.out calls:calls.out
starve -A calls calls.out
strip -o stripped calls && objcopy --only-keep-debug calls calls.dbg && objcopy --add-gnu-debuglink=calls.dbg stripped
starve -C stripped calls.out
starve -C calls.out
finish
