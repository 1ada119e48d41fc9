#!/bin/sh
# A compiler for which there is no plugin, or one of another release, is refused by one line that says what to do.  And what
# version of cilkprof this is.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

major=$(gcc -dumpversion | cut -d. -f1) full=$(gcc -dumpfullversion)
lib=$BUILD_DIR/lib/cilkprof
mkdir -p usr/lib usr/bin
cp -r "$lib" usr/lib/cilkprof
cp "$BUILD_DIR/bin/cilkprof-cc" usr/bin
sed -i "s|$lib|$PWD/usr/lib/cilkprof|g" usr/lib/cilkprof/cilkprof.specs
echo 'int main(void) { return 0; }' >empty.c
# refused NAME WORDS: it is, by one line with these words.
refused() {
  if usr/bin/cilkprof-cc empty.c -o empty >refusal 2>&1; then echo "it compiles" >refusal; fi
  equal "$1: lines" 1 "$(wc -l <refusal)"
  holds "$1: which" grep "$2" refusal
}
holds 'the plugins of this version' usr/bin/cilkprof-cc empty.c -o empty
plugins=usr/lib/cilkprof/gcc-$major
echo 'extern int gone(void); int plugin_init(void) { return gone(); }' >other.c
/usr/bin/env gcc -shared -fPIC other.c -o "$plugins/cilkprof_front.so"
refused 'one of another release, which calls what is gone' \
  "cilkprof was built for another release of gcc $major, but this is gcc $full (.*gone); rebuild or reinstall"
# The same, where gcc says that it compiles for another system than that of the plugin.
case $(gcc -v 2>&1) in
*--target=*)
  for plugin in front back; do mv "usr/lib/cilkprof/cilkprof_$plugin.so" .; done
  for plugin in front back; do
    /usr/bin/env gcc -shared -fPIC -DBUILT_FOR='"other-linux-gnu"' "$TOP/libcilkprof/cc/driver/loader.c" -o "usr/lib/cilkprof/cilkprof_$plugin.so"
  done
  refused 'one for another processor' \
    "cilkprof was built for gcc $major for other-linux-gnu, but this is gcc $full for $(gcc -dumpmachine) (.*gone); rebuild or reinstall"
  mv cilkprof_front.so cilkprof_back.so usr/lib/cilkprof
  ;;
esac
cat >other.c <<'EOC'
#include <stdio.h>
int plugin_init(void) { fputs("it does not fit\n", stderr); return 1; }
EOC
/usr/bin/env gcc -shared -fPIC other.c -o "$plugins/cilkprof_front.so"
refused 'one that does not fit' '^it does not fit$'
rm -r "$plugins"
refused 'none at all' "no plugin for gcc $major .*install the package cilkprof-gcc-$major, or build it with PLUGIN_CXX=g++-$major\$"

cat >clang-99 <<'EOC'
#!/bin/sh
echo "what clang says" >&2
exit 1
EOC
chmod +x clang-99
CILKPROF_CC=$PWD/clang-99 refused 'clang' "^cilkprof-cc: $PWD/clang-99: clang does not load the plugins of gcc; name a gcc by CILKPROF_CC\$"

# What tells releases apart is the size of what they add to: here another option.
cat >fits.cc <<'EOC'
#include "gcc-plugin.h"
#include "libcilkprof/cc/gcc/fit.h"
int plugin_is_GPL_compatible;
int plugin_init(plugin_name_args *, plugin_gcc_version *running) { return !plugin_fits_gcc_p(running, "-fcilkplus"); }
EOC
# loads NAME HEADERS: a plugin that only asks whether it fits, compiled with HEADERS.
loads() {
  g++ -std=gnu++17 -fno-rtti -shared -fPIC -isystem "$2" -I"$TOP" fits.cc "$TOP/libcilkprof/cc/gcc/fit.cc" -o "$1.so" &&
    gcc -fplugin="./$1.so" -c empty.c
}
headers=$(gcc -print-file-name=plugin)/include
holds 'the headers of this release: it fits' loads fits "$headers"
cp -rs "$headers" headers
rm headers/options.h
sed '/^struct gcc_options$/,/{/s/{/{ int x_added;/' "$headers/options.h" >headers/options.h
loads differs headers >refusal 2>&1
holds 'one more option: refused' grep "'-fcilkplus': cilkprof was built for gcc $full, but this is gcc $full" refusal
# And what is configured for another processor: here the headers say that they are of such a one.
rm headers/configargs.h
echo 'static const char configuration_arguments[] = "configure --target=other-linux-gnu --with-abi=x";' >headers/configargs.h
loads differs headers >refusal 2>&1
holds 'another processor: both are named' grep \
  "cilkprof was built for gcc $full for other-linux-gnu, but this is gcc $full\( for [a-z0-9_-]*\)*; rebuild" refusal

version=$(sed -n 's/^#define CILKPROF_VERSION "\(.*\)"$/\1/p' "$BUILD_DIR/version.h")
equal 'cilkprof-report --version' "$version" "$(cilkprof-report --version | sed -n '1s/.* //p')"
equal 'cilkprof-run --version' "$version" "$(cilkprof-run --version | sed -n '1s/.* //p')"
for command in cc c++; do
  equal "cilkprof-$command --version" "cilkprof $version" "$("cilkprof-$command" --version | tail -n 1)"
  "cilkprof-$command" --version | head -n 1 >got
  case $command in cc) gcc --version ;; *) g++ --version ;; esac | head -n 1 >wanted
  same "cilkprof-$command --version: that of the compiler first" wanted got
done
release=$(sed -n 's/^RELEASE := //p' "$TOP/Makefile")
equal "Debian's changelog" "cilkprof ($release-1)" "$(sed -n '1s/).*/)/p' "$TOP/.debian/changelog")"
finish
