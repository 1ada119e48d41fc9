#!/bin/sh
# Words that people read: what used to read as translated does not come back, and help fits a screen.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"
PATH=$BUILD_DIR/bin:$PATH

cat >phrases <<'END'
without reserve
is not the work"
lines of caches
had nothing to do
On the span, but
Foretold:
' is too much
was told of
in no section inside
let expect
let others
Neither;
names an object that has not been listed
has not as many
"none is left
END
phrases=$PWD/phrases
(cd "$TOP" && grep -rnIFf "$phrases" cilkprof-report libcilkprof fmt man completions README.md HACKING.md) >found
same 'no sentence of old is left' /dev/null found

# fits NAME LINES COMMAND...: what it prints is within so many lines, and 80 columns.
fits() {
  name=$1 lines=$2
  shift 2
  "$@" >said 2>&1
  awk -v lines="$lines" 'length > 80 { print "too wide: " $0 } END { if (NR > lines || NR < 5) print NR " lines" }' said >wrong
  same "$name" /dev/null wrong
}
fits 'make help' 40 make -s -C "$TOP" help
fits 'cilkprof --help' 40 cilkprof --help
fits 'cilkprof-report --help' 40 cilkprof-report --help
fits 'cilkprof-report --help=gprof' 100 cilkprof-report --help=gprof
fits 'cilkprof-run --help' 40 cilkprof-run --help

# Every variable of the manual has an option, or is for what something else starts.
grep -o '"CILKPROF_[A-Z_]*"' "$TOP/libcilkprof/launcher/variables.c" | tr -d '"' | sort >options
printf '%s\n' CILKPROF_OUT CILKPROF_SAMPLE CILKPROF_SAMPLE_HZ >>options # -o, waste, -F
sort -o options options
{
  sed -n '/^\.SH ENVIRONMENT/,/^\.SH/s/^\.B \(CILKPROF_[A-Z_]*\)$/\1/p' "$TOP/man/cilkprof-profile.7"
  echo CILKPROF_FORCE_STEALS
} | sort >variables
same 'every variable of cilkprof-profile(7) has an option' variables options
finish
