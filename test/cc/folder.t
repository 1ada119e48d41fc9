#!/bin/sh
# The folder in which the compiler ran is in the program, so that its sources are found from elsewhere without -g.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

mkdir project project/source elsewhere
cat >project/source/work.c <<'EOC'
__attribute__((noinline)) int work(int n) { volatile int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }
int main(void) { return work(100) < 0; }
EOC
here=$PWD
# annotated NAME: the program made in the project, run elsewhere, has its source: its path, or what is said instead.
annotated() {
  (cd elsewhere && ../$1 && cilkprof-report -b -A ../$1 2>&1 | sed -n 's/^\*\*\* File \(.*\):$/\1/p; s/.*work.c: source/source/p')
}
folders() {
  readelf -p cilkprof_sites "$1" | grep -c "  $here/project\$"
}
(cd project && cc -O1 -fcilkprof=count source/work.c -o ../plain)
equal 'the source is found from elsewhere' "$here/project/source/work.c" "$(annotated plain)"
equal 'the folder is there once' 1 "$(folders plain)"
(cd elsewhere && cilkprof-report --html=page.html ../plain && grep -c 'int work(int n) {' page.html) >got
holds 'the page has it' grep -qx 1 got
cilkprof-report -b -z --sites plain elsewhere/cilkprof.out >got
holds 'it is no call site' sh -c "! grep -q '$here/project' got"
(cd project && cc -O1 -fcilkprof=count "$here/project/source/work.c" -o ../absolute)
equal 'an absolute name needs no folder' "$here/project/source/work.c 0" "$(annotated absolute) $(folders absolute)"
(cd project && cc -O1 -fcilkprof=count "-ffile-prefix-map=$here/project=." source/work.c -o ../mapped)
equal 'nothing of a folder that is mapped stays' 0 "$(strings -a mapped | grep -c "$here/project")"
equal 'then it is not found, and that is said' 'source not found; name its folder with -I' "$(annotated mapped)"
cp -r project other
(cd project && cc -O1 -fcilkprof=count -ffile-prefix-map="$here/project=." -c source/work.c -o ../one.o)
(cd other && cc -O1 -fcilkprof=count -ffile-prefix-map="$here/other=." -c source/work.c -o ../two.o)
holds 'the same object from both folders' cmp one.o two.o
(cd project && cc -O1 -flto -fcilkprof=count source/work.c -o ../linked)
holds 'link-time optimisation: no wrong folder' sh -c '! readelf -p cilkprof_sites linked | grep -q "  /.*[^c]$"'
finish
