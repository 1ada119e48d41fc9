/* Starting and ending the measurement, and profiles in between.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_RUN_H
#define CILKPROF_RUN_H

#include "libcilkprof/engine/engine.h"

/* start.c.  */

/* Starts the engine, or, if it has been started, only the thread.  FUNCTION is entered in a thread without state.  */
HIDDEN void __cilkprof_start(const function_t *function);
/* Ends everything that is open, and writes the profile of process PID.  Returns 0, or -1 if it cannot be written.  */
HIDDEN int __cilkprof_finish(int pid);
/* Writes the profile of a process that ends.  Only the first call does anything.  */
HIDDEN void __cilkprof_end(void);

/* request.c: profiles on request, and every INTERVAL seconds unless that is 0.  __cilkprof_answer writes a profile if
   one is due.  It is called when ENGINE.requests is set, and only where __cilkprof_snapshot may be called.  */
HIDDEN void __cilkprof_requests_start(uint64_t interval);
HIDDEN void __cilkprof_answer(void);

/* snapshot.c: writes the profile as if the program ended now; the program goes on as if nothing had happened.  May be
   called only where every open frame is linked, that is, during a foreign call of instrumented code.  Returns 0, or -1
   if nothing was written.  */
HIDDEN int __cilkprof_snapshot(void);

#endif
