#!/bin/sh
# Every function of GCC that the plugins call is there, in each of the compilers that load them.  One that is declared weak
# and that GCC no longer has would be NULL when it is called.
# SPDX-License-Identifier: GPL-3.0-or-later

. "$TOP/test/cc/lib.sh"

plugins=$BUILD_DIR/lib/cilkprof/gcc-$(gcc -dumpversion | cut -d. -f1)

# defined COMPILER: the symbols that it has, and those of its libraries and the plugins'.
defined() {
  for file in "$1" $(ldd "$1" "$plugins"/*.so | awk '$2 == "=>" { print $3 }' | sort -u); do
    nm -D --defined-only "$file"
  done | awk '{ print $NF }' | sed 's/@.*//' | sort -u
}

# wanted PLUGIN LETTERS: what it takes from others, of these kinds: U, and w or v for weak.
wanted() {
  nm -D --undefined-only "$plugins/cilkprof_$1.so" | sed 's/@.*//' |
    awk -v letters="$2" 'index(letters, $1) && $2 !~ /^_ITM_|^__gmon_start__$|^__cxa_finalize$/ { print $2 }' | sort -u
}

for pair in 'cc1 gcc' 'cc1plus g++' 'lto1 gcc' 'f951 gcc'; do
  set -- $pair
  file=$("$2" -print-prog-name="$1")
  [ "$1" = f951 ] && ! [ -x "$file" ] && continue # there may be no Fortran
  [ -x "$file" ] || give_up "$1: where it is"
  defined "$file" >"$1.defined"
  for plugin in front back; do
    wanted $plugin U >wanted
    holds "$1 has what the plugin of the $plugin end calls" test -s wanted
    comm -23 wanted "$1.defined" | c++filt >missing
    same "$1 lacks nothing of it" /dev/null missing
  done
done

# C++ has all of it.
for plugin in front back; do
  wanted $plugin Uwv | comm -23 - cc1plus.defined | c++filt >missing
  same "cc1plus has what the plugin of the $plugin end calls for some languages only" /dev/null missing
done
finish
