/* The beginning and the end of a measurement.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_RUN_H
#define CILKPROF_RUN_H

#include "libcilkprof/engine/engine.h"

/* start.c */
HIDDEN void __cilkprof_start(const function_t *function);
/* Ends all that is open and writes the profile of process PID.  Returns 0, or -1 when it cannot be written.  */
HIDDEN int __cilkprof_finish(int pid);
HIDDEN void __cilkprof_end(void); /* writes the profile of a process that ends, once */

/* request.c: profiles on request.  The second is called where __cilkprof_snapshot may be, when there are requests.  */
HIDDEN void __cilkprof_requests_start(uint64_t interval);
HIDDEN void __cilkprof_answer(void);

/* snapshot.c: writes the profile as if the program ended here; it goes on as if nothing had happened.  Only for places
   where every open frame is linked: those that instrumented code reached by a foreign call.  Returns 0, or -1 when
   nothing was written.  */
HIDDEN int __cilkprof_snapshot(void);

#endif
