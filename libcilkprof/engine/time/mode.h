/* How the strands of a program are measured: MODE is a name, UNITS what the profile says of it.
   SPDX-License-Identifier: MIT

   Code that is instrumented in a mode refers to the function of that mode, which brings in the file that includes
   this, and with it the engine.  Where there is no engine the linker complains of that function alone
   (cc/needs.cc).  Code of two modes in one program brings in two such files, and the linker says so: their units
   cannot be added up.  */

#include "libcilkprof/engine/engine.h"

#define JOINED(a, b) a##b
#define NAME(mode)   JOINED(__cilkprof_mode_, mode)
#define LINKED(mode) JOINED(__cilkprof_is_missing_link_with_fcilkprof_, mode)
#define QUOTED(mode) #mode
#define TEXT(mode)   QUOTED(mode)

extern EXPORT const uint64_t NAME(MODE);
const uint64_t NAME(MODE) = UNITS;

extern HIDDEN const char __cilkprof_all_objects_must_be_compiled_in_the_same_mode[];
const char __cilkprof_all_objects_must_be_compiled_in_the_same_mode[] = TEXT(MODE);

/* Called when the program or a library starts.  */
EXPORT void LINKED(MODE)(void);
void LINKED(MODE)(void) {}
static const struct engine *const brought_in __attribute__((used)) = &ENGINE;
