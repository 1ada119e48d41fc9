/* <cilk/reducer_min_max.h>, by its older name.
   SPDX-License-Identifier: MIT  */

#include <cilk/reducer_min_max.h>
