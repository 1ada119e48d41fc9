/* Makes the linker refuse units with OpenMP constructs in a program that is linked without -fopenmp.
   SPDX-License-Identifier: MIT

   This file is in every instrumented executable and library that is linked without -fopenmp.  Units with OpenMP
   constructs define the same symbol.  The linker reports that, and the symbol's name tells the user what to do.  */

extern const char __cilkprof_is_missing_link_with_fopenmp __attribute__((visibility("hidden")));
const char __cilkprof_is_missing_link_with_fopenmp = 0;
