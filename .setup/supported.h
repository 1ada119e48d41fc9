/* What is not supported, in words: the preprocessor of the compiler that is asked leaves one line of this, or none.
   SPDX-License-Identifier: MIT  */
#if defined __clang__
is clang, which does not load plugins of gcc; run: make CC=gcc CXX=g++
#elif !defined __linux__
compiles for another system than Linux, which is not supported
#elif !defined __x86_64__ && !defined __aarch64__
compiles for a processor that is not supported; x86-64 and aarch64 are
#elif defined __ILP32__
compiles for 32-bit addresses, which are not supported
#elif __has_include(<features.h>)
#include <features.h>
#ifndef __GLIBC__
compiles for another C library than that of GNU (musl?), which is not supported
#endif
#endif
