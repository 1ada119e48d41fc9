# What the tests of cilkprof-run share.
# SPDX-License-Identifier: MIT

. "$TOP/test/libcilkprof/lib.sh"

# A program that says in a file how it runs each time, and then does what it is told.
cat >logs.h <<'EOC'
#include <stdio.h>
#include <stdlib.h>
static int bare(void) {
  return getenv("CILKPROF_REFERENCE_TO") != NULL;
}
static __attribute__((unused)) void logs(void) {
  FILE *log = fopen("log", "a");
  fprintf(log, "%s\n", bare() ? "bare" : "profiled");
  fclose(log);
}
static __attribute__((unused)) int runs(void) {
  FILE *log = fopen("log", "r");
  int lines = 0;
  while (fscanf(log, "%*s") != EOF)
    lines++;
  fclose(log);
  return lines;
}
EOC

# launch OPTION... PROGRAM ARGUMENT...: by cilkprof-run, with what it says, its status and what its program logged.
launch() {
  rm -f log cilkprof.out*
  : >log
  cilkprof-run "$@" >out 2>errors
  status=$?
}

# says NAME PATTERN: nothing but one line on standard error, of cilkprof-run, which matches.
says() {
  if [ "$(wc -l <errors)" = 1 ] && grep -q '^cilkprof-run: ' errors && grep -q -e "$2" errors; then
    pass "$1"
  else
    fail "$1" errors
  fi
}

# ran NAME WORD...: what the program logged.
ran() {
  name=$1
  shift
  # It depends on the machine whether short strands are wrong, and the profile is measured once more.
  equal "$name" "$*" "$(tr '\n' ' ' <log | sed 's/ $//; s/profiled profiled$/profiled/')"
}

# references PROGRAM: how many the profile has; checked PROGRAM: what it says of its time.
references() {
  cilkprof-report --csv=usage "$1" cilkprof.out | awk -F, '$1 == "\"reference\"" { n = $2 } END { print n + 0 }'
}
checked() {
  cilkprof-report --format=json "$1" cilkprof.out | sed -n 's/^"usage":.*"time":"\([a-z]*\)".*/\1/p'
}
