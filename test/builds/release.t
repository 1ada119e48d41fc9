#!/bin/sh
# The version is that of the commit, and of a release the one in its file; a commit makes little anew.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

mkdir tree
tar -C "$TOP" -c --exclude=./build --exclude='./build-*' --exclude=.git --exclude=VERSION . | tar -C tree -x
# version FOLDER: what is made there would be called.
version() {
  make -C "$1" -pn clean 2>/dev/null | sed -n 's/^VERSION := //p'
}
commits() {
  git -C tree -c user.name=A -c user.email=a@b commit -q --allow-empty -m "$1"
}
release=$(sed -n 's/^RELEASE := //p' "$TOP/Makefile")
equal 'sources of which nothing is known' "$release" "$(version tree)"
git -C tree -c init.defaultBranch=main init -q
git -C tree add -A
commits first
equal 'no tag' "$release-g$(git -C tree rev-parse --short HEAD)" "$(version tree)"
git -C tree tag v7.2
equal 'a tag' 7.2 "$(version tree)"
commits second
described=7.2-1-g$(git -C tree rev-parse --short HEAD)
equal 'after a tag' "$described" "$(version tree)"

release_of() {
  env -u MAKEFLAGS make -s -C "$1" dist
}
release_of tree >said 2>&1
equal 'make dist: the name' "cilkprof: build/cilkprof-$described.tar.gz" "$(cat said)"
tar -xf "tree/build/cilkprof-$described.tar.gz"
equal 'it knows its version' "$described" "$(version "cilkprof-$described")"
holds 'it says what is new' grep "^cilkprof $release" "cilkprof-$described/NEWS"
release_of "cilkprof-$described" >said 2>&1
tar -tf "cilkprof-$described/build/cilkprof-$described.tar.gz" | grep -v '/$' | sort >got
tar -tf "tree/build/cilkprof-$described.tar.gz" | grep -v '/$' | sort >wanted
same 'a release of that has the same files' wanted got

make -n -C "$TOP" BUILD="${BUILD_DIR#"$TOP"/}" VERSION=99 all >anew 2>&1
grep -o -- '-c [^ ]*\.cc* ' anew | sort -u >compiled
grep -rl 'include "version.h"' "$TOP/cilkprof-report" "$TOP/libcilkprof" | sed "s|^$TOP/|-c |; s/\$/ /" | sort >wanted
same 'a commit compiles what says the version' wanted compiled
holds 'which is something' test -s compiled
finish
