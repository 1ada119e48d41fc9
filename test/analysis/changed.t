#!/bin/sh
# `make check-changed': which tests run for which files, in a repository with the folders and the table of this one.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

for folder in "$TOP"/test/*/; do
  mkdir -p "test/$(basename "$folder")" && touch "test/$(basename "$folder")/any.t"
done
cp "$TOP/test/README.md" test
echo '. "$TOP/test/cc/lib.sh"' >test/openmp/any.t
git init -q .
printf '%s\n' said got words >.git/info/exclude
git add . && git -c user.name=x -c user.email=x@x commit -qm first 2>said || give_up 'a repository' said

# runs FOLDERS FILE...: when these have changed, with what every change asks for.
runs() {
  folders=$1
  shift
  for file; do mkdir -p "$(dirname "$file")" && echo changed >>"$file"; done
  sh "$TOP/test/changed" HEAD 2>said | cut -d/ -f2 | tr '\n' ' ' >got
  git stash -qu -- "$@" && git stash drop -q
  equal "after a change of $*" "$folders" "$(sed 's/ $//' got)"
}
all=$(ls test | grep -v README | tr '\n' ' ' | sed 's/ $//')
runs 'analysis fmt fuzz house report' fmt/read.c
runs 'analysis foretell house libcilkprof oracle programs verdicts' libcilkprof/engine/tree/grow.c
runs 'analysis house html' test/html/any.t
runs 'analysis cc house' test/cc/any.t
runs "$all" test/cc/lib.sh
runs "$all" Makefile
runs "$all" libcilkprof/rules.mk
runs "$all" of-no-row
runs 'analysis fmt fuzz house html report' fmt/read.c test/html/any.t
equal 'nothing has changed' '' "$(sh "$TOP/test/changed" HEAD)"
holds 'a commit that is not there' sh -c '! sh "$TOP/test/changed" nosuch'
for folder in $(cd "$TOP" && ls -d test/*/*.t | cut -d/ -f2 | sort -u); do
  holds "the table has a row for $folder" grep -q "^| .$folder/. |.*[a-z].*|.*[a-z].*|" test/README.md
done
finish
