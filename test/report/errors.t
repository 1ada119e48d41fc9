#!/bin/sh
# Bad input and output: status 1, one line, no crash.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build calls
build quicksort
echo 'int main(void) { return 0; }' >plain.c
${CC:-cc} plain.c -o plain
: >empty
echo 'not what you are looking for' >text

refuses 'no profile' 'nowhere.out: No such file' calls nowhere.out
refuses 'no program' 'nowhere: No such file' nowhere calls.out
refuses 'an empty profile' 'empty: the file is empty: .*; run it again$' calls empty
refuses 'which is the only argument' 'empty: the file is empty: .*; run it again$' empty
refuses 'a folder for a profile' 'Is a directory' calls .
refuses 'a folder for a program' 'Is a directory' . calls.out
refuses 'a text for a profile' 'text: not a cilkprof profile (at byte 0)' calls text
refuses 'a program for a profile' 'not a cilkprof profile' calls calls
refuses 'a text for a program' 'text: not an ELF' text calls.out
refuses 'an empty program' 'empty: the file is empty: it is neither a program nor a profile' empty calls.out
refuses 'a program without sites' 'plain: has no call sites' plain calls.out
refuses 'the wrong program' 'quicksort: its build-id [0-9a-f]* is not that of the profiled program, [0-9a-f]*' \
  quicksort calls.out
strip -o stripped calls
refuses 'a program without symbols' 'stripped: it has no symbols: it was stripped, and its debug information is not found; .*--force' stripped calls.out

# Endless input: a version that reads on takes all memory.
refuses 'endless zeros for a profile' '/dev/zero: not a cilkprof profile' calls /dev/zero
refuses 'endless zeros alone' '/dev/zero: not a cilkprof profile' /dev/zero
refuses 'endless zeros for trials' '/dev/zero: it is not a text' --trials=/dev/zero calls calls.out
refuses 'endless zeros for arguments' '/dev/zero: it is not a text' @/dev/zero
refuses 'endless zeros for symbols' '/dev/zero: it is not a text' --external-symbol-table=/dev/zero calls calls.out
mkfifo endless
yes 'not what you are looking for' >endless 2>/dev/null &
refuses 'a pipe without an end' '-: not a cilkprof profile' calls - <endless

# each NAME COMMAND: runs the command, which makes "bad" from $at, for every $at of $places; the report refuses all.
each() {
  accepted=
  for at in $places; do
    eval "$2"
    "$report" $3 >got 2>errors
    if [ $? != 1 ] || [ -s got ] || [ "$(wc -l <errors)" != 1 ]; then
      accepted="$accepted $at"
      cp errors last
    fi
  done
  if [ -z "$accepted" ]; then
    pass "$1"
  else
    { echo "at$accepted"; cat last; } >said
    fail "$1" said
  fi
}

size=$(wc -c <calls.out)
places=$(seq 0 64 $((size - 1)))
each 'a profile cut short at every 64 bytes' 'head -c $at calls.out >bad' 'calls bad'

# flip FILE OFFSET: the file with one byte inverted.
flip() {
  perl -e 'local $/; open F, "<:raw", $ARGV[0]; $_ = <F>; substr($_, $ARGV[1], 1) ^= "\xff"; binmode STDOUT; print' "$1" "$2"
}
places=$(seq 0 23 $((size - 1)))
each 'a profile with one byte flipped' 'flip calls.out $at >bad' 'calls bad'

size=$(wc -c <calls)
places=$(seq 0 $((size / 50)) $((size - 1)))
each 'a program cut short' 'head -c $at calls >bad' 'bad calls.out'

# The section with the descriptions, damaged: a program may hold anything.
objcopy --dump-section cilkprof_sites=section calls /dev/null
damaged() {
  cp calls bad
  objcopy --update-section cilkprof_sites="$1" bad
}
places='0 8 10 13 14 15'
each 'damaged descriptions' 'flip section $at >broken; damaged broken' 'bad calls.out'
size=$(wc -c <section)
places=$(seq 8 8 400) # before the first that was never reached
each 'descriptions cut short' 'head -c $at section >broken; damaged broken' 'bad calls.out'
{ head -c 24 section; head -c $((size - 24)) /dev/zero | tr '\0' x; } >broken
damaged broken
refuses 'strings without an end' 'holds no site description at offset 0' bad calls.out

for options in '' --verdict --summary -p -q --sites --critical-path --csv --help --version; do
  "$report" $options calls calls.out >/dev/full 2>errors
  holds "a full disk${options:+ with $options}" \
    test $? = 1 -a "$(cat errors)" = 'cilkprof-report: standard output: No space left on device'
done

"$report" --no-such-option >got 2>errors
holds 'an unknown option' test $? = 1 -a ! -s got

finish
