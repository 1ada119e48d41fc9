/* Calls that are not recorded: functions of reducers.
   SPDX-License-Identifier: MIT

   A serial run has one view of each reducer.  In a parallel run there are more, by what was stolen, and the program's
   functions make, reduce and destroy them.  Such a call is recorded like a program of its own, and the result is
   dropped.  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/workers/workers.h"

/* A call that is under way, and what its thread recorded before.  */
struct unrecorded_call {
  struct recorder *recorder;        /* NULL: there is no memory for one, */
  struct unprofiled_memory *memory; /* and this is used */
  struct __cilkprof_thread before;
  struct absence absence;
};

/* Clears what was recorded of CALL, which has returned.  */
static void drop_unrecorded_call(const struct unrecorded_call *call) {
  __cilkprof_book_pending();
  struct passage_result *result = __cilkprof_passage_result(call->recorder, 0, NULL, NULL);
  if (result)
    __cilkprof_buffer_give(result);
  __cilkprof_recorder_give(call->recorder);
}

/* Ends CALL, also when an exception is thrown.  Then its recorder, in which functions are open, is not used again.  */
static void end_unrecorded_call(const struct unrecorded_call *call) {
  __cilkprof_worker_becomes(&call->before);
  if (call->memory)
    __cilkprof_end_without_recorder(call->memory);
  __cilkprof_end_absence(&call->absence);
}

/* Calls FUNCTION(DATA) for the runtime, so that nothing of it is recorded.  */
RUNS_PROGRAM void __cilkprof_unrecorded(void (*function)(void *), void *data) {
  __attribute__((cleanup(end_unrecorded_call))) struct unrecorded_call call = {
      .recorder = __cilkprof_recorder_take(), .before = THREAD, .absence = __cilkprof_begin_absence()};
  if (call.recorder) {
    __cilkprof_recorder_use(call.recorder);
    THREAD.absent = 1;
    THREAD.following = UINT64_MAX; /* counters are not part of the result that is dropped */
  } else
    call.memory = __cilkprof_begin_without_recorder();
  function(data);
  if (call.recorder)
    drop_unrecorded_call(&call);
}
