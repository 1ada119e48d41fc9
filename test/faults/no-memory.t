#!/bin/sh
# Every allocation of the report, of the reader and of the libraries below them fails once, in turn.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/faults/lib.sh"
. "$TOP/test/report/lib.sh"
report=$BUILD_DIR/bin/cilkprof-report
preload=$BUILD_DIR/test/faults/no-memory.so
build calls -g
build tree -g
head -c 3000 calls.out >cut.out

# starve ARGUMENT...: one line and status 1; or the same report, where the memory was not needed; or a line that says what is
# missing in it.  Beyond the hundredth allocation some are tried.
starve() {
  NO_MEMORY_AT=0 NO_MEMORY_COUNT=count LD_PRELOAD=$preload "$report" "$@" >wanted 2>said_before
  all=$(cat count) said_before=$(wc -l <said_before) at=1 times=0
  : >wrong
  while [ $at -le "$all" ]; do
    NO_MEMORY_AT=$at LD_PRELOAD=$preload "$report" "$@" >got 2>stderr
    status=$?
    lines=$(($(wc -l <stderr) - said_before))
    without=$(grep -c 'debugging information cannot be read' stderr)
    if { [ $status = 1 ] && [ $((lines - without)) -le 1 ] && [ -s stderr ]; } ||
      { [ $status = 0 ] && cmp -s wanted got; } || { [ $status = 0 ] && [ "$without" = 1 ]; }; then :; else
      { echo "allocation $at: status $status"; head -n 3 stderr; } >>wrong
    fi
    times=$((times + 1))
    if [ $at -lt 100 ]; then at=$((at + 1)); else at=$((at + all / 50 + 1)); fi
  done
  tried faults $times
  holds "no memory: $times of $all allocations of cilkprof-report $*: a line and status 1, or the same report" \
    sh -c 'cat wrong; test ! -s wrong'
}
starve -p -q --sites --verdict --summary calls calls.out
starve -C -z --critical-path --contexts tree tree.out
for format in csv json callgrind gmon collapsed speedscope pprof; do starve --format=$format tree tree.out; done
starve -i -s calls calls.out calls.out
starve --recover --force --summary calls cut.out
starve --diff calls:calls.out calls:calls.out
finish
