#!/bin/sh
# Every form of the language: which sites there are, of which kind, and how often they are called; and that the program
# computes what its serial elision does.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

mkdir -p plain/cilk
printf '#define %s\n' cilk_spawn _Cilk_spawn 'cilk_sync ((void)0)' 'cilk_for for' '_Cilk_for for' 'cilk_scope' >plain/cilk/cilk.h

# wanted FILE: `LINE KIND CALLEE COUNT' of what stands in its comments; of a loop, `LINE loop - COUNT'.
wanted() {
  awk '{ at = index($0, "//="); if (!at) next
         many = split(substr($0, at + 3), part, ";")
         for (i = 1; i <= many; i++) {
           n = split(part[i], word, " ")
           if (n == 2) print NR, word[1], "-", word[2]
           if (n == 3) print NR, word[1], word[2], word[3] } }' "$1" | sort
}

# got PROGRAM FILE: the same of its profile.  Templates, parameters and scopes are left out of names, and calls of functions
# that the table does not name: at some levels they are inlined.
got() {
  cilkprof-report --csv "$1" "$1.prof" | tr -d '\r' | awk -v file="$2" '
    FNR == NR { if ($2 == "call") named[$3] = 1; next }
    { n = 0; rest = $0
      while (rest != "") {
        if (substr(rest, 1, 1) == "\"") { match(rest, /^"([^"]|"")*"/); value = substr(rest, 2, RLENGTH - 2) }
        else { match(rest, /^[^,]*/); value = substr(rest, 1, RLENGTH) }
        field[++n] = value; rest = substr(rest, RLENGTH + 2) } }
    FNR > 1 && field[4] != "entry" && field[15] && field[1] == file {
      name = field[6]
      if (name ~ /operator/) name = "operator"
      if (name !~ /^\(block/) {
        gsub(/\[[^]]*\]/, "", name)
        while (gsub(/<[^<>]*>/, "", name)) ;
        sub(/\(.*/, "", name); sub(/.*[ :]/, "", name) }
      if (field[4] == "loop") name = "-"
      if (field[4] != "call" || named[name]) calls[field[2] " " field[4] " " name] += field[15] }
    END { for (key in calls) print key, calls[key] }' sites.wanted - | sort
}

# try FILE COMPILER ELISION OPTION...
try() {
  file=$1 compiler=$2 elision=$3
  shift 3
  if ! $compiler -w "$@" -fcilkplus -fcilkprof=count "$file" -o program -lm >said 2>&1; then
    fail "$file $*: it compiles" said
    return
  fi
  CILKPROF_OUT=program.prof timeout 60 $RUN ./program >output 2>&1
  same "$file $*: it computes what its serial elision does" "$elision" output
  wanted "$file" >sites.wanted
  got program "$file" >sites.got
  same "$file $*: its sites" sites.wanted sites.got
}

for name in spawns loops; do
  cp "$TOP/test/cc/forms/$name.c" $name.c
  cp $name.c $name.cc
done
for name in members loops++; do
  cp "$TOP/test/cc/forms/$name.cc" $name.cc
done
# A line of many thousand columns: the line table has no columns there.
{
  echo '#include <cilk/cilk.h>'
  echo '__attribute__((noinline, noclone, noipa)) int id(int x) { volatile int y = x; return y; }'
  echo 'int main(void) { int x = 0;'
  i=0
  while [ $i -lt 150 ]; do
    printf 'x += id(%d); x += cilk_spawn id(%d) + id(2); ' $i $i
    i=$((i + 1))
  done
  echo 'cilk_sync; //= spawn id 150; call id 300'
  echo 'return x != 0; }'
} >long.c
cp long.c long.cc
# Functions in functions, as GNU C has them.
cat >nested.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
__attribute__((noinline, noclone, noipa)) int id(int x) { volatile int y = x; return y; }
int main(void) {
  int s = 0;
  int inner(int k) {
    int a = cilk_spawn id(k); //= spawn id 2
    cilk_for (int i = 0; i < 3; i++) s += id(i); //= loop 2; call id 6
    cilk_scope { cilk_spawn id(1); } //= spawn id 2
    cilk_sync;
    return a;
  }
  int x = inner(3); //= call inner.0 1
  x += cilk_spawn inner(4); //= spawn inner.0 1
  cilk_sync;
  printf("%d %d\n", x, s);
  return 0;
}
EOC
for file in *.c *.cc; do
  case $file in *.c) compiler=cc plain=gcc standard=-std=gnu11 ;; *) compiler=c++ plain=g++ standard=-std=gnu++17 ;; esac
  command $plain -w $standard -Iplain "$file" -o elision -lm
  $RUN ./elision >elision.output
  for options in -O0 '-O2 -flto' ${LONG:+-O2 -O3}; do
    ! in_turn 2 || try "$file" $compiler elision.output $standard $options
  done
done
finish
