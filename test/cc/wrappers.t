#!/bin/sh
# A wrapper of the compiler's name in PATH, before or behind the front ends, which calls them or the next compiler: by
# its path, by PATH, with or without a process of its own.  The compiler is found, and each wrapper is run.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

front_ends=$BUILD_DIR/lib/cilkprof/bin
commands=$BUILD_DIR/bin
here=$PWD
rest=$(dirname "$(PATH=$(echo "$PATH" | tr : '\n' | grep -v 'lib/cilkprof/bin$' | paste -sd: -) command -v gcc)"):/usr/bin:/bin
printf '%s\n' '#include <cilk/cilk.h>' 'int f(int x) { return x; }' \
  'int main(void) { int a = cilk_spawn f(ZERO); cilk_sync; return a; }' >prog.c

# wrapper FOLDER COMMAND: the script FOLDER/gcc, which notes that it was run and then runs COMMAND with -DZERO=0.
wrapper() {
  mkdir -p "$1"
  printf '%s\n' '#!/bin/sh' "echo $1 >>$here/ran" "$2 -DZERO=0 \"\$@\"" >"$1/gcc"
  chmod +x "$1/gcc"
}
# compiles NAME PATH WRAPPERS COMMAND...: it makes a profiled program, and all these wrappers were run.
compiles() {
  name=$1 path=$2 wrappers=$3
  shift 3
  rm -f ran prog cilkprof.out
  (PATH=$path timeout 60 "$@" -fcilkplus -fcilkprof=count prog.c -o prog) >said 2>&1
  status=$?
  ./prog
  equal "$name" "0 0 yes $wrappers" "$status $? $([ -s cilkprof.out ] && echo yes) $(sort -u ran | paste -sd' ' -)"
  [ $status = 0 ] || sed 's/^/# /' said | cut -c1-200
}

wrapper absolute "exec $front_ends/gcc"
wrapper waiting "$front_ends/gcc"
wrapper next 'PATH=${PATH#*/next:} exec gcc'
wrapper first 'exec gcc'
wrapper command "exec $commands/cilkprof-cc"
for folder in absolute waiting; do
  compiles "$folder: before the compiler" "$here/$folder:$rest" $folder gcc
  compiles "$folder: before the front ends" "$here/$folder:$front_ends:$rest" $folder gcc
  compiles "$folder: behind the front ends" "$front_ends:$here/$folder:$rest" $folder gcc
  compiles "$folder: called by its path" "$here/$folder:$rest" $folder "$here/$folder/gcc"
done
compiles 'the next in PATH, before the front ends' "$here/next:$front_ends:$rest" next gcc
compiles 'the next in PATH, behind the front ends' "$front_ends:$here/next:$rest" next gcc
compiles 'the first in PATH, called by its path' "$front_ends:$here/first:$rest" first "$here/first/gcc"
compiles 'cilkprof-cc, which looks for gcc' "$here/command:$rest" command gcc
compiles 'two wrappers' "$here/absolute:$here/waiting:$rest" 'absolute waiting' gcc
compiles 'two of them around the front ends' "$here/absolute:$front_ends:$here/waiting:$rest" 'absolute waiting' gcc

# One that is a program: it has no masquerade folder in its PATH, as ccache.
cat >program.c <<'EOC'
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
  FILE *ran = fopen(RAN, "a");
  fputs("program\n", ran);
  fclose(ran);
  argv[0] = "-DZERO=0";
  char *all[argc + 2];
  all[0] = CALLED;
  for (int i = 0; i <= argc; i++) all[i + 1] = argv[i];
  execv(CALLED, all);
  return 1;
}
EOC
mkdir program
cc -DRAN="\"$here/ran\"" -DCALLED="\"$front_ends/gcc\"" program.c -o program/gcc
compiles 'a program before the compiler' "$here/program:$rest" program gcc
compiles 'a program behind the front ends' "$front_ends:$here/program:$rest" program gcc

# Where there is no compiler, it is said.
mkdir tools
for tool in sh readlink head tr timeout; do ln -s "$(command -v $tool)" tools; done
(PATH=$here/absolute:$here/tools timeout 60 gcc prog.c -o prog) >said 2>&1
equal 'only a wrapper, and no compiler' "1 cilkprof-cc: gcc: not found in PATH after $here/absolute/gcc, which calls $front_ends/gcc" "$? $(cat said)"
(CILKPROF_CC=$here/command/gcc timeout 60 "$commands/cilkprof-cc" prog.c -o prog) >said 2>&1
equal 'a wrapper that is to be called' "1 cilkprof-cc: $here/command/gcc: it calls $commands/cilkprof-cc, which would call it again" "$? $(cat said)"
finish
