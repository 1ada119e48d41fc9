#!/bin/sh
# CMake: find_package(cilkprof), the toolchain file, and cilkprof cc as the launcher of a compiler.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/builds/lib.sh"
command -v cmake >/dev/null || { echo '1..0 # SKIP no cmake'; exit 0; }
# Nothing but cilkprof's commands: the compilers are those of the system.
PATH=$BUILD_DIR/bin:/usr/bin:/bin
unset CC CXX FC CILKPROF_OUT CMAKE_PREFIX_PATH CMAKE_GENERATOR

mkdir project plain other
cp header.h prog.c prog.cc project
cat >project/CMakeLists.txt <<'EOC'
cmake_minimum_required(VERSION 3.16)
project(targets C CXX)
find_package(cilkprof 0.1 REQUIRED)
add_executable(in-c prog.c)
target_link_libraries(in-c PRIVATE cilkprof::profile)
add_library(tree OBJECT prog.cc)
target_link_libraries(tree PUBLIC cilkprof::profile)
add_executable(in-c++ $<TARGET_OBJECTS:tree>)
target_link_libraries(in-c++ PRIVATE cilkprof::profile)
add_executable(counted prog.c)
target_link_libraries(counted PRIVATE cilkprof::profile)
target_compile_options(counted PRIVATE -fcilkprof=count)
target_link_options(counted PRIVATE -fcilkprof=count)
add_executable(fast prog.cc)
target_link_libraries(fast PRIVATE cilkprof::parallel)
EOC
cp header.h prog.c prog.cc plain
cat >plain/CMakeLists.txt <<'EOC'
cmake_minimum_required(VERSION 3.16)
project(plain C CXX)
add_executable(in-c prog.c)
add_executable(in-c++ prog.cc)
EOC

# profiled NAME FOLDER: the two programs in it are right.
profiled() {
  for language in c c++; do
    cp "$2/in-$language" program && right "$1, in $language" program
  done
}

holds 'find_package' cmake -S project -B targets -DCMAKE_BUILD_TYPE=Release
holds 'a build with cilkprof::profile' cmake --build targets
profiled 'cilkprof::profile' targets
holds 'with -fcilkprof=count' sh -c 'CILKPROF_OUT=counted.prof targets/counted && cilkprof report --summary targets/counted counted.prof | grep instructions'
CILK_NWORKERS=2 CILKPROF_OUT=none.prof targets/fast >got 2>&1
echo '55 36' >printed
same 'cilkprof::parallel: the program' printed got
holds 'it leaves no profile' test ! -e none.prof
holds 'find_package by --print-cmake' env PATH=/usr/bin:/bin cmake -S project -B by-folder -Dcilkprof_DIR="$(cilkprof-cc --print-cmake)"
sed 's/cilkprof 0.1/cilkprof 99/' project/CMakeLists.txt >other/CMakeLists.txt
cp prog.c prog.cc other
cmake -S other -B later >said 2>&1
if [ $? = 1 ] && grep -q 'version "99"' said; then pass 'a later version is not found'; else fail 'a later version is not found' said; fi
if command -v clang++ >/dev/null; then
  cmake -S project -B by-clang -DCMAKE_CXX_COMPILER=clang++ >said 2>&1
  if [ $? = 1 ] && grep -q 'cilkprof needs gcc, but the compiler for CXX is' said; then pass 'clang is refused'; else fail 'clang is refused' said; fi
fi

holds 'the toolchain file' cmake -S plain -B toolchain -DCMAKE_TOOLCHAIN_FILE="$(cilkprof-cc --print-cmake)/toolchain.cmake"
holds 'a build with it' cmake --build toolchain
profiled 'the toolchain file' toolchain

# launched NAME COMMAND: the same by a launcher of compilers and linkers.
launched() {
  holds "$1" cmake -S plain -B "$1" -DCMAKE_C_COMPILER_LAUNCHER="$2" -DCMAKE_CXX_COMPILER_LAUNCHER="$2" \
    -DCMAKE_C_LINKER_LAUNCHER="$2" -DCMAKE_CXX_LINKER_LAUNCHER="$2"
  holds "$1: a build" cmake --build "$1"
}
launched launcher 'cilkprof;cc'
profiled 'cilkprof cc as a launcher' launcher
launched cilkprof-cc cilkprof-cc
profiled 'cilkprof-cc as a launcher' cilkprof-cc
launched parallel 'cilkprof;cc;--parallel'
CILK_NWORKERS=2 CILKPROF_OUT=none.prof parallel/in-c++ >got 2>&1
same 'cilkprof cc --parallel as a launcher: the program' printed got
holds 'it leaves no profile' test ! -e none.prof

for compiler in gcc /usr/bin/gcc "$(basename "$(readlink -f /usr/bin/gcc)")" "gcc-$(gcc -dumpversion | cut -d. -f1)"; do
  builds "cilkprof cc $compiler" cilkprof cc "$compiler" prog.c -o program
done
builds 'cilkprof c++ g++' cilkprof c++ g++ prog.cc -o program
builds 'of a folder of the usual names' cilkprof cc "$(cilkprof-cc --print-path)/gcc" -O2 prog.c -o program
: >cc
chmod +x cc
builds 'a file of that name is no compiler behind an option' cilkprof cc -O2 prog.c -o program
finish
