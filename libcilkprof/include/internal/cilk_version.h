/* The version of Cilk Plus's runtime that these headers stand for.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_INTERNAL_VERSION_H
#define CILK_INTERNAL_VERSION_H

#pragma GCC system_header

#define VERSION_MAJOR  2
#define VERSION_MINOR  0
#define VERSION_BUILD  0
#define VERSION_REV    0
#define VERSION_STRING "2,0,0,0"
#define VERSION_HASH   ""
#define VERSION_BRANCH ""

#endif
