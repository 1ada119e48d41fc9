/* An older name.  SPDX-License-Identifier: MIT  */
#pragma GCC system_header
#include <cilk/cilk_api.h>
