/* Cilk Plus has this header and nothing in it: programs may include it.
   SPDX-License-Identifier: MIT  */
#pragma GCC system_header
#include <cilk/reducer.h>
