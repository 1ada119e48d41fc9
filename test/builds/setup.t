#!/bin/sh
# make setup installs what is missing, where it may, with the tool of the system; SETUP=no and a missing right leave the
# machine alone, and what can be built without is built.  The commands that would change the machine are the test's own.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# All programs, of which some are hidden until they are installed; headers are those that missing names.
mkdir bin tools hidden
ln -s /usr/bin/* /bin/* tools 2>/dev/null
rm tools/gcc tools/g++ tools/jq
cat >tools/gcc <<'EOC'
#!/bin/sh
header=$TOOLS/../header
case $* in '-E -') tee "$header" | grep -qFf "$MISSING_HERE" && exit 1; exec /usr/bin/gcc -E - <"$header" ;; esac
exec /usr/bin/gcc "$@"
EOC
cat >tools/g++ <<'EOC'
#!/bin/sh
case $* in -print-file-name=plugin) ! grep -q gcc-plugin.h "$MISSING_HERE" || { echo plugin && exit; } ;; esac
exec /usr/bin/g++ "$@"
EOC
printf '#!/bin/sh\n' >tools/jq
cat >bin/dpkg-query <<'EOC'
#!/bin/sh
for package; do :; done
grep -qxF "$package" "$MISSING_HERE" || echo 'install ok installed'
EOC
cat >bin/apt-cache <<'EOC'
#!/bin/sh
grep -qxF "$2" "$OFFERED_HERE"
EOC
cat >bin/apt-get <<'EOC'
#!/bin/sh
echo "${0##*/} $*" >>"$CALLED"
echo 'much that is not worth reading'
[ ! -f "$CALLED.fails" ] || exit 1
case " $* " in *' update '*) exit ;; esac
[ -f "$CALLED.forgets" ] || : >"$MISSING_HERE"
cd "$TOOLS/../hidden"
for package; do [ ! -e "$package" ] || mv "$package" "$TOOLS"; done
exit 0
EOC
for tool in dnf zypper pacman apk; do cp bin/apt-get "bin/$tool"; done
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
chmod +x bin/* tools/gcc tools/g++ tools/jq
export MISSING_HERE="$PWD/missing" OFFERED_HERE="$PWD/offered" CALLED="$PWD/called" TOOLS="$PWD/tools" USER_HERE=0
export OS_RELEASE="$PWD/os-release"
echo 'ID=debian' >os-release

# attempt ARGUMENT...: runs make; what it said but for its own messages is in got, its status in status.  Where nothing
# is built, it has an empty folder to build in: two thirds of its time are the dependencies of what is built.
attempt() {
  rm -f called
  env -u MAKEFLAGS -u MFLAGS PATH="$PWD/bin:$PWD/tools" make -s -C "$TOP" BUILD="$PWD/nothing-built" \
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
# lacks NAME...: headers that are missing, and programs.
lacks() {
  : >missing
  for name; do case $name in *.h) echo "$name" >>missing ;; *) mv "tools/$name" hidden ;; esac; done
}

echo '<none>' >missing
attempt setup
says 'nothing is missing' 0
lacks gelf.h jq
attempt setup
says 'what is missing is installed' 0 'cilkprof: installing libelf-dev'
wait='-o DPkg::Lock::Timeout=600'
printf 'apt-get %s\n' "$wait update -qq" "$wait install -y -qq --no-install-recommends libelf-dev" >wanted
same 'by apt-get, which waits for others' wanted called
lacks gelf.h
attempt setup-check
says 'and what the tests need' 0 'cilkprof: installing libelf-dev' 'cilkprof: installing jq'
# On a bare machine the compiler comes first, and then what its version needs.
plugins=gcc-$(gcc -dumpversion)-plugin-dev
for target in setup try-setup; do
  lacks gcc gcc-plugin.h
  : >called.forgets
  sed -i 's/^exit 0$/[ ! -f "$CALLED.second" ] || : >"$MISSING_HERE"; : >"$CALLED.second"/' bin/apt-get
  attempt $target
  says "a bare machine, make $target: the compiler, then the headers of its version" 0 'cilkprof: installing gcc libc6-dev' \
    "cilkprof: installing $plugins"
  rm called.forgets called.second
done
lacks gelf.h
: >called.forgets
attempt setup
says 'what is still missing is said' 2 'cilkprof: installing libelf-dev' 'cilkprof: still missing: libelf (gelf.h)'
rm called.forgets
: >called.fails
attempt setup
says 'apt-get fails' 2 'cilkprof: installing libelf-dev' \
  "cilkprof: apt failed, see $PWD/setup.log; run: apt-get install -y libelf-dev"
holds 'and so does CI, which tests nothing then' sh -c '! PATH="$PWD/bin:$PWD/tools" SETUP_LOG=/dev/null "$TOP/.ci/run" >ci 2>&1'
equal 'CI built nothing' "cilkprof: installing libelf-dev" "$(grep -v '^make' ci | head -n 1)"
equal 'CI ran no test' 0 "$(grep -c prove ci)"
rm called.fails
line='cilkprof: missing packages; run: apt-get install -y libelf-dev'
attempt setup SETUP=no
says 'SETUP=no' 2 "$line"
same 'nothing is installed' /dev/null called
USER_HERE=1000
attempt setup
says 'without the right to' 2 "$line"
same 'nothing is installed either' /dev/null called
attempt try-setup SETUP=no
says 'make demo and make check go on' 0 "$line"

# Other systems, by their names or by what they are like; and those of which nothing is known.
lacks gelf.h elfutils/libdw.h jq
while IFS='|' read -r release packages; do
  echo "$release" | tr ' ' '\n' | tr + ' ' >os-release
  attempt setup-check
  says "$release" 2 "cilkprof: $packages"
done <<'END'
ID=ubuntu|missing packages; run: apt-get install -y libelf-dev libdw-dev jq
ID=mint ID_LIKE="ubuntu+debian"|missing packages; run: apt-get install -y libelf-dev libdw-dev jq
ID=fedora|missing packages; run: dnf install -y elfutils-libelf-devel elfutils-devel jq
ID="rocky" ID_LIKE="rhel+centos+fedora"|missing packages; run: dnf install -y elfutils-libelf-devel elfutils-devel jq
ID=amzn|missing packages; run: dnf install -y elfutils-libelf-devel elfutils-devel jq
ID=opensuse-leap ID_LIKE="suse+opensuse"|missing packages; run: zypper install -y libelf-devel libdw-devel jq
ID=arch|missing packages; run: pacman -Sy --needed libelf jq
ID=wolfi|missing packages; run: apk add elfutils-dev jq
ID=other|missing: libelf (gelf.h); libdw of elfutils (elfutils/libdw.h); jq
END
USER_HERE=0
for system in fedora:dnf opensuse-tumbleweed:zypper arch:pacman alpine:apk; do
  echo "ID=${system%:*}" >os-release
  lacks gelf.h
  attempt setup
  says "${system%:*}: it is installed" 0 "$(grep installing got)"
  holds "${system%:*}: by ${system#*:}" grep -qx "${system#*:} .*elf.*" called
done
echo 'ID=debian' >os-release
mv hidden/jq tools
# A library is looked for by itself, and what its package is called by what is offered.
grep -o 'libdebuginfod1t64,libdebuginfod1' "$TOP/.setup/needs" >/dev/null || fail 'the table has changed' /dev/null
mkdir -p own
cp "$TOP/.setup/install" own
sed 's/libdebuginfod\.so\.1 /libdebuginfod.so.99/' "$TOP/.setup/needs" >own/needs
for offered in libdebuginfod1t64 libdebuginfod1; do
  echo "$offered" >offered
  PATH="$PWD/bin:$PWD/tools" SETUP=no own/install check >got 2>&1
  equal "of two names, $offered" "cilkprof: missing packages; run: apt-get install -y $offered" "$(cat got)"
done
equal 'every row has all columns' 8 "$(awk -F'|' '/^[a-z]/ { print NF }' "$TOP/.setup/needs" | sort -u)"

built="BUILD=${BUILD_DIR#"$TOP"/}"
attempt all "$built" CC=headless
says 'without a header, the rest is built' 2 'cilkprof: cilkprof-run is not built: no gelf.h; run: make setup' \
  'cilkprof: cilkprof-report is not built: no gelf.h; run: make setup'
attempt all "$built" PLUGIN_CXX=pluginless
says 'without those of plugins' 2 "cilkprof: cilkprof-cc is not built: no gcc-plugin.h of pluginless; run: make setup CXX=pluginless"
tested=$(sed -n 's/^#define TESTED_GCC_VERSIONS //p' "$TOP/libcilkprof/cc/gcc/versions.h" | tr -d ,)
attempt all "$built" PLUGIN_CXX=future
says 'for a gcc that was never tested' 2 \
  "cilkprof: cilkprof-cc is not built: gcc 99 was never tested with it, gcc $tested were; run: make PLUGIN_CXX=g++-${tested##* }"

# What is not supported is not begun, and said in one line.  Compilers of the test's own are gcc but for what they define.
mkdir other-libc
: >other-libc/features.h
while IFS='|' read -r name machine options words; do
  cat >"bin/$name" <<EOC
#!/bin/sh
case \$* in -dumpmachine) echo $machine && exit ;; esac
exec gcc $options "\$@"
EOC
  chmod +x "bin/$name"
  attempt all CC="$name"
  says "$name" 2 "cilkprof: $name ($machine) $words"
  attempt demo SETUP=no CXX="$name"
  says "$name for C++, make demo" 2 "cilkprof: $name ($machine) $words"
done <<END
riscv|riscv64-linux-gnu|-U__x86_64__ -U__aarch64__ -D__riscv|compiles for a processor that is not supported; x86-64 and aarch64 are
clang|x86_64-pc-linux-gnu|-D__clang__|is clang, which does not load plugins of gcc; run: make CC=gcc CXX=g++
musl|x86_64-linux-musl|-nostdinc -I$PWD/other-libc|compiles for another C library than that of GNU (musl?), which is not supported
bsd|x86_64-freebsd|-U__linux__|compiles for another system than Linux, which is not supported
END
finish
