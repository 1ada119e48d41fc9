/* Start and end of the tool.
   SPDX-License-Identifier: MIT

   cilkprof-run preloads it with LD_PRELOAD, so that sampling starts before main.  OpenMP's runtime finds its
   function ompt_start_tool when the program first uses OpenMP.  Without cilkprof-run, it can be named in
   OMP_TOOL_LIBRARIES, with CILKPROF_SAMPLE=1: then sampling starts at the first use of OpenMP.  */

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/sampler/openmp/openmp.h"
#include "libcilkprof/common/protocol.h"
#include "libcilkprof/common/system.h"

static bool started;

static int by_affinity(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static void start(int processors) {
  unsigned hz = __cilkprof_s_wanted();
  if (!hz)
    return;
  started = true;
  openmp_configure(processors);
  openmp_thread_begin(false);
  __cilkprof_s_start(&openmp_agent, hz);
}

/* Called in the child after a fork, where only this thread exists.  */
static void after_fork_in_child(void) {
  __cilkprof_s_forked();
  openmp_forked();
}

/* cilkprof-run tells this process the number of processors and the former value of LD_PRELOAD.  The environment is
   restored for the children of the program, which may be any programs.  */
static __attribute__((constructor)) void begin(void) {
  const char *text = getenv(CILKPROF_OPENMP);
  int process, processors, length = 0;
  if (!text || sscanf(text, "%d:%d:%n", &process, &processors, &length) != 2 || !length || process != getpid())
    return;
  if (text[length])
    setenv("LD_PRELOAD", text + length, 1);
  else
    unsetenv("LD_PRELOAD");
  start(processors);
  unsetenv(CILKPROF_OPENMP);
  unsetenv("CILKPROF_SAMPLE");
  unsetenv("CILKPROF_SAMPLE_HZ");
  pthread_atfork(NULL, NULL, after_fork_in_child);
}

/* Destructors with the lowest priority run last.  */
static __attribute__((destructor(101))) void end(void) {
  __cilkprof_s_finish();
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  if (openmp_listen(lookup))
    return 1;
  __cilkprof_say("OpenMP", "its runtime does not tell what its threads do", "only the first is recorded");
  return 0;
}

static void finalize(ompt_data_t *data) {
  (void)data;
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime);
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  (void)version, (void)runtime;
  if (!started)
    start(by_affinity());
  return started ? &result : NULL;
}
