#!/bin/sh
# An installed copy works without the build tree, and can be removed.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

quietly() {
  env -u MAKEFLAGS -u MFLAGS make -s -C "$TOP" BUILD="${BUILD_DIR#"$TOP"/}" "$@" >said 2>&1
}
quietly install PREFIX="$PWD/usr" || fail 'make install' said
cat >wanted <<EOC
$("$BUILD_DIR/bin/cilkprof" --version) is installed in $PWD/usr; make uninstall PREFIX=$PWD/usr removes it
to use it: PATH="$PWD/usr/lib/cilkprof/bin:$PWD/usr/bin:\$PATH"; cc -O2 -fcilkplus -fcilkprof prog.c -o prog; man cilkprof
EOC
same 'it says where, and what comes next' wanted said
# with_debugging FOLDER: what in it has debugging information.
with_debugging() {
  find "$1" -type f \( -name '*.[ao]' -o -name '*.so' -o -path '*/bin/cilkprof*' \) | sort |
    while read -r file; do ! readelf -WS "$file" 2>/dev/null | grep -q ' \.debug_info' || echo "${file##*/}"; done
}
with_debugging usr >got
same 'debugging information is not installed' /dev/null got
PATH=$PWD/usr/bin:$(dirname "$(command -v gcc | grep -v lib/cilkprof || echo /usr/bin/gcc)"):/usr/bin:/bin
cp "$programs/fib.c" .
cilkprof-cc -O2 fib.c -o fib && ./fib 10 >/dev/null
holds 'cilkprof-cc and cilkprof-report' cilkprof-report fib cilkprof.out
PATH=$(cilkprof-cc --print-path):$PATH
cc -O2 -fcilkplus -fcilkprof fib.c -o fib
holds 'the masquerade folder' sh -c './fib 10 && cilkprof-report fib'
holds 'nothing refers to the build tree' sh -c "! grep -rIl '$BUILD_DIR' usr"
for page in "$TOP"/man/*.[1-8]; do
  section=${page##*.}
  [ -s "usr/share/man/man$section/${page##*/}" ] || echo "${page##*/}"
done >missing
same 'every manual page is in its section' /dev/null missing
for name in cilkprof-c++.1 $(sed -n 's/^__CILKPROF_API .*[ *]\(cilkprof_[a-z_]*\)(.*/\1.3/p' "$TOP/libcilkprof/include/cilkprof.h"); do
  page=usr/share/man/man${name##*.}/$name
  [ -s "$page" ] && [ -s "usr/share/man/$(sed -n 's/^\.so //p' "$page")" ] || echo "$name"
done >missing
same 'every function and the other names of commands lead to their page' /dev/null missing
equal 'there are functions' 10 "$(ls usr/share/man/man3/cilkprof_*.3 | wc -l)"
! command -v man >/dev/null || holds 'man finds it' sh -c 'man -M usr/share/man 3 cilkprof_write | grep -q cilkprof_write'
for command in cilkprof-report cilkprof-cc cilkprof-c++; do
  for place in bash-completion/completions/$command fish/vendor_completions.d/$command.fish; do
    [ -s "usr/share/$place" ] || echo "$place"
  done
  grep -h '^#compdef' usr/share/zsh/site-functions/* | tr ' ' '\n' | grep -qxF -- "$command" || echo "zsh: $command"
done >missing
same 'a completion of every command for every shell' /dev/null missing
if command -v pkg-config >/dev/null; then
  PKG_CONFIG_PATH=$PWD/usr/lib/pkgconfig
  export PKG_CONFIG_PATH
  equal 'pkg-config: the version' "$(cilkprof-report --version | sed 's/.* //')" "$(pkg-config --modversion cilkprof)"
  equal 'pkg-config: the compilers' "$(cilkprof-cc --print-path)" "$(pkg-config --variable=compilers cilkprof)"
  equal 'pkg-config: the specs' "$(cilkprof-cc --print-specs)" "$(pkg-config --variable=specs cilkprof)"
  echo 'int main(void) { return cilkprof_write(); }' >plain.c
  holds 'pkg-config: --cflags finds the headers' \
    sh -c '/usr/bin/gcc -include cilkprof.h $(pkg-config --cflags cilkprof) plain.c -o plain && ./plain'
  rm -f cilkprof.out
  holds 'pkg-config: --libs links what was instrumented' \
    sh -c 'cilkprof-cc -O2 -c fib.c && /usr/bin/gcc fib.o -o linked $(pkg-config --libs cilkprof) && ./linked 10 && test -s cilkprof.out'
fi
if command -v cmake >/dev/null; then
  mkdir project
  cp fib.c project
  printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' 'project(fib C)' 'find_package(cilkprof REQUIRED)' 'add_executable(fib fib.c)' \
    'target_link_libraries(fib PRIVATE cilkprof::profile)' >project/CMakeLists.txt
  rm -f cilkprof.out
  holds 'cmake: the installed package' \
    sh -c 'cmake -S project -B made && cmake --build made && grep -q "^cilkprof_DIR:PATH=$PWD/usr/" made/CMakeCache.txt && made/fib 10 && test -s cilkprof.out'
fi
quietly uninstall PREFIX="$PWD/usr" || fail 'make uninstall' said
equal 'make uninstall leaves no file' '' "$(find usr -type f -o -type l)"
quietly install PREFIX=/opt/cilkprof DESTDIR="$PWD/stage" STRIP= || fail 'make install DESTDIR=' said
holds 'DESTDIR is not in the installed files' sh -c "! grep -rIl '$PWD/stage' stage && test -x stage/opt/cilkprof/bin/cilkprof-cc"
with_debugging stage | grep -cx 'cilkprof\|cilkprof-run\|cilkprof-report\|cilkprof_back.so\|libcilkprof.a\|libcilkprof.so\|records.o' >got
equal 'STRIP= keeps it, in programs, libraries and what loads plugins' 7 "$(cat got)"
quietly all || fail make said
equal 'a second make does nothing' '' "$(cat said)"
finish
