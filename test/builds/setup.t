#!/bin/sh
# make setup installs what is missing, where it may; SETUP=no and a missing right leave the machine alone, and what can be
# built without is built.  The commands that would change the machine are the test's own.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

mkdir bin
cat >bin/dpkg-query <<'EOC'
#!/bin/sh
for package; do :; done
grep -qxF "$package" "$MISSING_HERE" || echo 'install ok installed'
EOC
cat >bin/apt-get <<'EOC'
#!/bin/sh
echo "apt-get $*" >>"$CALLED"
echo 'much that is not worth reading'
[ ! -f "$CALLED.fails" ]
EOC
cat >bin/id <<'EOC'
#!/bin/sh
echo "$USER_HERE"
EOC
cat >bin/sudo <<'EOC'
#!/bin/sh
exit 1
EOC
cat >bin/headless <<'EOC'
#!/bin/sh
case $* in *'-E -') ! grep -q gelf.h && exit || exit 1 ;; esac
exec gcc "$@"
EOC
cat >bin/pluginless <<'EOC'
#!/bin/sh
case $* in -print-file-name=plugin) echo plugin && exit ;; esac
exec g++ "$@"
EOC
cat >bin/future <<'EOC'
#!/bin/sh
case $* in -dumpversion) echo 99 && exit ;; esac
exec g++ "$@"
EOC
chmod +x bin/*
export MISSING_HERE="$PWD/missing" CALLED="$PWD/called" USER_HERE=0

# attempt ARGUMENT...: runs make; what it said but for its own messages is in got, its status in status.
attempt() {
  rm -f called
  env -u MAKEFLAGS -u MFLAGS PATH="$PWD/bin:$PATH" make -s -C "$TOP" BUILD="${BUILD_DIR#"$TOP"/}" \
    SETUP_LOG="$PWD/setup.log" "$@" >all 2>&1
  status=$?
  touch called
  grep -v '^make' all >got
}
# says NAME STATUS LINE...: what the last attempt did.
says() {
  name=$1 wanted_status=$2
  shift 2
  for line; do echo "$line"; done >wanted
  same "$name" wanted got
  equal "$name: its status" "$wanted_status" "$status"
}

: >missing
attempt setup
says 'nothing is missing' 0
printf 'jq\nlibelf-dev\n' >missing
attempt setup
says 'what is missing is installed' 0 'cilkprof: installing libelf-dev'
printf 'apt-get update -qq\napt-get install -y -qq --no-install-recommends libelf-dev\n' >wanted
same 'by apt-get' wanted called
attempt setup-check
says 'and what the tests need' 0 'cilkprof: installing libelf-dev' 'cilkprof: installing jq'
# On a bare machine the compiler comes first, and then what its version needs.
plugins=gcc-$(gcc -dumpversion)-plugin-dev
printf '#!/bin/sh\n[ -f "$CALLED" ] && exec %s "$@"\nexit 1\n' "$(command -v gcc)" >bin/gcc
chmod +x bin/gcc
printf 'gcc\n%s\n' "$plugins" >missing
attempt setup
says 'a bare machine: the compiler, then the headers of its version' 0 'cilkprof: installing gcc' "cilkprof: installing $plugins"
attempt try-setup
says 'the same before make demo' 0 'cilkprof: installing gcc' "cilkprof: installing $plugins"
rm bin/gcc
printf 'jq\nlibelf-dev\n' >missing
touch called.fails
attempt setup
says 'apt-get fails' 2 'cilkprof: installing libelf-dev' \
  "cilkprof: apt-get failed, see $PWD/setup.log; run: apt-get install -y libelf-dev"
rm called.fails
line='cilkprof: missing packages; run: apt-get install -y libelf-dev'
attempt setup SETUP=no
says 'SETUP=no' 2 "$line"
same 'nothing is installed' /dev/null called
USER_HERE=1000
attempt setup
says 'without the right to' 2 "$line"
same 'nothing is installed either' /dev/null called
echo "gcc-$(gcc -dumpversion)-plugin-dev" >missing
attempt try-setup SETUP=no
says 'make demo and make check go on' 0 "cilkprof: missing packages; run: apt-get install -y $(cat missing)"

attempt all CC=headless
says 'without a header, the rest is built' 2 'cilkprof: cilkprof-run is not built: no gelf.h; run: apt-get install -y libelf-dev' \
  'cilkprof: cilkprof-report is not built: no gelf.h; run: apt-get install -y binutils-dev libdw-dev libelf-dev zlib1g-dev'
attempt all PLUGIN_CXX=pluginless
says 'without those of plugins' 2 "cilkprof: cilkprof-cc is not built: no gcc-plugin.h of pluginless; run: apt-get install -y $(cat missing)"
tested=$(sed -n 's/^#define TESTED_GCC_VERSIONS //p' "$TOP/libcilkprof/cc/gcc/versions.h" | tr -d ,)
attempt all PLUGIN_CXX=future
says 'for a gcc that was never tested' 2 \
  "cilkprof: cilkprof-cc is not built: gcc 99 was never tested with it, gcc $tested were; run: make PLUGIN_CXX=g++-${tested##* }"
finish
