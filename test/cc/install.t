#!/bin/sh
# An installed copy works without the build tree, and can be removed.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

quietly() {
  env -u MAKEFLAGS -u MFLAGS make -s -C "$TOP" BUILD="${BUILD_DIR#"$TOP"/}" "$@" >said 2>&1
}
quietly install PREFIX="$PWD/usr" || fail 'make install' said
PATH=$PWD/usr/bin:$(dirname "$(command -v gcc | grep -v lib/cilkprof || echo /usr/bin/gcc)"):/usr/bin:/bin
cp "$programs/fib.c" .
cilkprof-cc -O2 fib.c -o fib && ./fib 10 >/dev/null
holds 'cilkprof-cc and cilkprof-report' cilkprof-report fib cilkprof.out
PATH=$(cilkprof-cc --print-path):$PATH
cc -O2 -fcilkplus -fcilkprof fib.c -o fib
holds 'the masquerade folder' sh -c './fib 10 && cilkprof-report fib'
holds 'nothing refers to the build tree' sh -c "! grep -rIl '$BUILD_DIR' usr"
holds 'manual pages' test -s usr/share/man/man1/cilkprof-report.1 -a -s usr/share/man/man1/cilkprof.1
holds 'a completion' test -s usr/share/bash-completion/completions/cilkprof-report
quietly uninstall PREFIX="$PWD/usr" || fail 'make uninstall' said
equal 'make uninstall leaves no file' '' "$(find usr -type f -o -type l)"
quietly install PREFIX=/opt/cilkprof DESTDIR="$PWD/stage" || fail 'make install DESTDIR=' said
holds 'DESTDIR is not in the installed files' sh -c "! grep -rIl '$PWD/stage' stage && test -x stage/opt/cilkprof/bin/cilkprof-cc"
quietly all || fail make said
equal 'a second make does nothing' '' "$(cat said)"
finish
