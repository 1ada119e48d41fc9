/* Start and end of the tool.
   SPDX-License-Identifier: MIT

   cilkprof-run preloads it with LD_PRELOAD, so that sampling starts before main.  OpenMP's runtime finds its
   function ompt_start_tool when the program first uses OpenMP.  Without cilkprof-run, it can be named in
   OMP_TOOL_LIBRARIES, with CILKPROF_SAMPLE=1: then sampling starts at the first use of OpenMP.  */

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/sampler/hand/hand.h"
#include "libcilkprof/sampler/openmp/openmp.h"
#include "libcilkprof/sampler/preload/preload.h"
#include "libcilkprof/common/protocol.h"
#include "libcilkprof/common/system.h"

static bool started;
static int allowed; /* processors that the program may use */

/* What this library tells LLVM's runtime by its environment, unless the user does, and whether it has.  */
static struct setting {
  const char *name, *value;
  bool set;
} lock_kind = {"KMP_LOCK_KIND", "futex", false}, sleep_at_once = {"KMP_BLOCKTIME", "0", false},
  no_yield = {"KMP_USE_YIELD", "0", false};

static void add_setting(struct setting *setting) {
  setting->set = !getenv(setting->name) && setenv(setting->name, setting->value, 0) == 0;
}

static void drop_setting(struct setting *setting) {
  if (setting->set)
    unsetenv(setting->name);
  setting->set = false;
}

/* Returns the number of processors in the affinity mask of this thread; 1 if it is unknown.  */
static int openmp_affinity_processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* Adds up the work and span, for the profile, when all that the program forks by hand has ended.  */
static bool add_up_watched(uint64_t *flags, struct cilkprof_totals *totals) {
  *flags |= hand_ends(atomic_load(&openmp_elsewhere)) ? CILKPROF_INCOMPLETE : 0;
  return openmp_spans.add_up(flags, totals);
}

/* Writes the sites, and the names of those that have one.  */
static void write_watched(struct cilkprof_writer *writer) {
  openmp_spans.write(writer);
  hand_write_names(writer);
}

/* Starts sampling this OpenMP program, which may use that many PROCESSORS, if the environment asks for it.  */
static void start_openmp_sampling(int processors) {
  unsigned hz = __cilkprof_s_wanted();
  if (!hz)
    return;
  started = true;
  allowed = processors;
  openmp_configure(processors);
  openmp_thread_begin(false);
  const char *watched = __cilkprof_process_setting(CILKPROF_WATCHED);
  static struct sampler_agent agent;
  static struct sampled_spans spans;
  agent = openmp_agent;
  agent.spans = &spans;
  spans = openmp_spans;
  spans.add_up = add_up_watched;
  spans.write = write_watched;
  if (watched && strcmp(watched, CILKPROF_WATCHED_FORKS) == 0)
    agent.sampled = CILKPROF_SAMPLED_SERIAL; /* how many threads there are to be is not known */
  __cilkprof_s_start(&agent, hz);
  if (openmp_self && watched)
    openmp_spans_start();
  hand_start();
}

/* Ends sampling in the child after a fork, where only this thread exists.  */
static void reset_openmp_after_fork(void) {
  __cilkprof_s_forked();
  hand_stop();
  paths_stop();
  openmp_forked();
}

/* Starts sampling before main runs, if cilkprof-run preloaded this library into this process.  */
static __attribute__((constructor)) void begin_openmp_tool(void) {
  int processors = begin_preload();
  if (!processors)
    return;
  start_openmp_sampling(processors);
  complete_preload(reset_openmp_after_fork);
}

/* Makes LLVM's runtime, which is about to read its settings, use locks like those of GCC's runtime if it takes the
   place of that.  By itself it hands a lock to the thread that has waited longest, even if that has no processor: on a
   busy machine a program with critical sections then takes ten times as long as it does otherwise.  Names both in the
   profile.  */
static void prepare_openmp_replacement(void) {
  void *gomp = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!gomp)
    return;
  __cilkprof_s_name_object(dlsym(gomp, "GOMP_parallel"));
  dlclose(gomp);
  add_setting(&lock_kind);
}

/* Makes LLVM's runtime, which is about to read its settings, put threads to sleep that have nothing to do, if a watched
   program has more threads than processors.  By itself it lets them try again and again in turn: what others do in
   between takes many times as long, and work that follows such a switch does, too.  */
static void prepare_many_threads(void) {
  const char *threads = getenv("OMP_NUM_THREADS");
  if (!openmp_watched || !threads || atoi(threads) <= allowed || getenv("OMP_WAIT_POLICY"))
    return;
  add_setting(&sleep_at_once);
  if (sleep_at_once.set)
    add_setting(&no_yield);
}

/* Registers the callbacks when OpenMP's runtime starts the tool, after it has read its settings.  Returns 0, which
   makes the runtime do without it, if that fails.  */
static int initialize_openmp_tool(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  drop_setting(&lock_kind);
  drop_setting(&sleep_at_once);
  drop_setting(&no_yield);
  openmp_runtime_is_at((const void *)(uintptr_t)lookup);
  if (openmp_register_callbacks(lookup))
    return 1;
  __cilkprof_say("OpenMP", "the runtime does not report the state of its threads", "only the first thread is sampled");
  return 0;
}

/* Called when OpenMP's runtime ends, which is at the exit of the program.  The program is sampled until it exits.  */
static void finalize_openmp_tool(ompt_data_t *data) {
  (void)data;
  openmp_runtime_works();
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime);
/* Called by OpenMP's runtime, which finds the tool by this name, when the program first uses OpenMP.  Starts sampling,
   if it has not begun before main.  Returns what the runtime calls, or NULL if the run is not sampled.  */
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize_openmp_tool, finalize_openmp_tool, {0}};
  (void)version, (void)runtime;
  if (!started) {
    start_openmp_sampling(openmp_affinity_processors());
    if (started)
      pthread_atfork(NULL, NULL, reset_openmp_after_fork);
  }
  if (started) {
    openmp_runtime_works();
    __cilkprof_s_name_object(__builtin_return_address(0));
    prepare_openmp_replacement();
    prepare_many_threads();
  }
  return started ? &result : NULL;
}
