# How packages of Debian are built and tested.  Sourced by run; the current folder is the package's unpacked source.
# SPDX-License-Identifier: MIT
#
# For each: source_NAME prints the Debian sources it needs, the first one unpacked here and others in ../SOURCE; build_NAME
# compiles the program and its tests with $cc, $cxx and -O2; suite_NAME runs them and fails when one fails.

packages='zlib bzip2 lua expat sqlite json'

source_zlib() { echo zlib; }
build_zlib() { CC=$cc CFLAGS=-O2 ./configure && make -j"$jobs" all64 all; }
suite_zlib() { make test; }

source_bzip2() { echo bzip2; }
build_bzip2() { make -j"$jobs" CC="$cc" CFLAGS='-O2 -D_FILE_OFFSET_BITS=64' bzip2 bzip2recover libbz2.a; }
suite_bzip2() { make CC="$cc" CFLAGS='-O2 -D_FILE_OFFSET_BITS=64' test; }

# Lua has no tests in its source: those of the parser library LPeg run in it.
source_lua() { echo lua5.4 lua-lpeg; }
build_lua() {
  make -j"$jobs" -C src linux CC="$cc" MYCFLAGS=-O2 &&
    make -C ../lua-lpeg linux CC="$cc" LUADIR="$PWD/src" COPT=-O2
}
suite_lua() { (cd ../lua-lpeg && LUA_PATH='./?.lua' LUA_CPATH='./?.so' "$OLDPWD/src/lua" test.lua); }

source_expat() { echo expat; }
build_expat() {
  cd expat && { [ -f configure ] || ./buildconf.sh; } &&
    ./configure CC="$cc" CXX="$cxx" CFLAGS=-O2 CXXFLAGS=-O2 --without-docbook --without-xmlwf --without-examples --disable-shared &&
    make -j"$jobs" && make -C tests runtests runtestspp
}
suite_expat() { cd expat && make check; }

# SQLite's programs are compiled and linked at once: one object file is for its size.  The whole of its quick tests takes
# long: here is every one whose name ends in 1.  Some fail for root, who may write everything: what fails must be what
# fails without instrumentation.
source_sqlite() { echo sqlite3; }
build_sqlite() { ./configure CC="$cc" CFLAGS=-O2 && make -j"$jobs" sqlite3 testfixture && $cc -O2 -c sqlite3.c; }
suite_sqlite() {
  failed=
  for each in test/*1.test; do
    case $each in */*fault*1.test | */*malloc*1.test | */*crash*1.test | */big*1.test | */sort*1.test | */speed*1.test) continue ;; esac
    timeout 600 ./testfixture "$each" >suite.out 2>&1 || failed="$failed $each"
  done
  echo "failed:$failed"
  case $cc in
  gcc) echo "$failed" >"$work/sqlite.failed" ;;
  *) [ "$failed" = "$(cat "$work/sqlite.failed")" ] ;;
  esac
}

# Of the tests of nlohmann's JSON library, those that need no data from elsewhere and compile in a minute.
source_json() { echo nlohmann-json3; }
json_tests='algorithms allocator capacity concepts constructor2 convenience items iterators2 large_json merge_patch modifiers ordered_map pointer_access reference_access readme wstring'
build_json() {
  $cxx -O2 -Iinclude -Itests/thirdparty/doctest -Itests/thirdparty -c tests/src/unit.cpp -o unit.o || return
  for each in $json_tests; do
    [ -f tests/src/unit-$each.cpp ] || continue
    $cxx -O2 -std=c++11 -DJSON_TEST_KEEP_MACROS -Iinclude -Itests/thirdparty/doctest -Itests/thirdparty/fifo_map -c tests/src/unit-$each.cpp -o $each.o &&
      $cxx unit.o $each.o -o test-$each || return
  done
}
suite_json() { for each in test-*; do ./"$each" || return; done; }
