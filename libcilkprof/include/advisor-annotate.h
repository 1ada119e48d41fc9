/* Programs that are annotated for Intel Advisor include this name: see cilkprof-annotate(3).
   SPDX-License-Identifier: MIT  */

#define CILKPROF_ANNOTATE_NO_SHORT_NAMES
#include "cilkprof-annotate.h"
