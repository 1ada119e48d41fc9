/* The name that it has in Cilk++.  SPDX-License-Identifier: MIT  */
#pragma GCC system_header
#include <cilk/reducer_opand.h>
