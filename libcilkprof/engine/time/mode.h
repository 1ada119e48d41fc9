/* Defines the symbols of a mode, which is how the strands of a program are measured.  MODE is the name of the mode;
   UNITS is the mode that the profile states.
   SPDX-License-Identifier: MIT

   Instrumented code refers to the function of its mode.  That makes the linker take the file that includes this header,
   and with it the engine.  Without the engine, this function is the only symbol that the linker reports as missing
   (cc/needs.cc).  A program with code of two modes takes two such files, and the linker reports that both define the
   same symbol: units of different modes cannot be added up.  */

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

/* Does nothing.  Instrumented code refers to this function, whose name is the linker's message if the engine of this
   mode is missing.  */
EXPORT void LINKED(MODE)(void);
void LINKED(MODE)(void) {}
static const struct engine *const brought_in __attribute__((used)) = &ENGINE;
