#!/bin/sh
# Debian's packages have every file that is installed, each in one package, and ask for none that is not there.  What they
# ask for is read here as debhelper reads it; `make deb' needs debhelper itself.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/libcilkprof/lib.sh"

holds 'make install' env -u MAKEFLAGS -u MFLAGS make -s -C "$TOP" BUILD="${BUILD_DIR#"$TOP"/}" install PREFIX=/usr DESTDIR="$PWD/stage"
(cd stage && find usr -type f -o -type l) | sort >installed

# Those of the plugins are made for each version of gcc, with one line.
plugins=$(sed -n 's/.*echo "\(usr[^"$]*\)\$\$n" >.*\.install.*/\1/p' "$TOP/.debian/rules")
ls -d "stage/$plugins"* | sed 's/^stage.//' >cilkprof-gcc.install
cp "$TOP"/.debian/*.install .
: >packaged
: >unmatched
for list in *.install; do
  # The first word names files or folders; the second, where there is one, the folder that they are put into.
  while read -r pattern _; do
    (cd stage && for found in $pattern; do [ ! -e "$found" ] || find "$found" -type f -o -type l; done) >matched
    [ -s matched ] || echo "$list: $pattern" >>unmatched
    cat matched >>packaged
  done <"$list"
done
sort packaged >all
uniq all >once
same 'what is installed is in a package' installed once
uniq -d all >twice
same 'and in one alone' /dev/null twice
same 'every line of a package is of something that is installed' /dev/null unmatched
finish
