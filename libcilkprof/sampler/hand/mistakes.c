/* What a program that forks by hand gets wrong.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/common/system.h"
#include "libcilkprof/sampler/hand/hand.h"

static const char *const mistakes[HAND_MISTAKES][3] = {
    [HAND_OUTSIDE] = {"cilkprof_spawn", "called in a thread that runs no task",
                      "its tasks are not measured; call it in the first thread, or in a task"},
    [HAND_FULL] = {"cilkprof_spawn", "there are too many tasks that are not over", "others are not measured"},
    [HAND_BEGIN] = {"cilkprof_task_begin", "no task that waits to be run", "each begins once, where it runs"},
    [HAND_END] = {"cilkprof_task_end", "not the task that this thread has begun last",
                  "each ends once, in the thread where it began, after those that began inside"},
    [HAND_EARLY] = {"cilkprof_sync", "some tasks of this one had not ended, or theirs",
                    "the span lacks them; call cilkprof_task_end before others can go on"},
    [HAND_WAITS] = {"cilkprof_wait", "no cilkprof_sync followed", "what the task did after it is not measured"},
    [HAND_LEFT] = {"cilkprof_task_end", "some tasks had not ended when the program did", "the span lacks them"},
    [HAND_OPENMP] = {"OpenMP", "used in a task of cilkprof_spawn", "the span is not known"},
};

static atomic_bool said[HAND_MISTAKES];
static atomic_bool wrong;

void hand_say(enum hand_mistake mistake) {
  atomic_store(&wrong, true);
  if (!atomic_exchange(&said[mistake], true))
    __cilkprof_say(mistakes[mistake][0], mistakes[mistake][1], mistakes[mistake][2]);
}

bool hand_is_wrong(void) {
  return atomic_load(&wrong);
}
