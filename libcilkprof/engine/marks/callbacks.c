/* The events as functions that also call functions of a user's tool, for code compiled with -fcilkprof-callbacks.
   SPDX-License-Identifier: MIT

   A function of a tool runs like a signal handler: the state of the measurement is set aside, and nothing is recorded
   until the function returns.  */

#include <string.h>

#define __cilkprof__ /* as in profiled programs: what the header then declares is defined here */
#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/engine/span/observer.h"
#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/names/descriptions.h"
#include "libcilkprof/include/cilkprof.h"

struct tool {
  struct cilkprof_callbacks callbacks;
  struct cilkprof_invocation *invocations; /* one for each frame of the profiled thread */
  size_t count;
};

/* Returns the callbacks of the user's tool; all are NULL if there is no tool.  */
static const struct cilkprof_callbacks *tool_callbacks(void) {
  static const struct cilkprof_callbacks none;
  return profiled_thread()->tool ? &profiled_thread()->tool->callbacks : &none;
}

/* Returns the description of FRAME's invocation for the tool; NULL: there is no tool, or nothing is recorded.  */
static struct cilkprof_invocation *tool_invocation_of(const frame_t *frame) {
  size_t index = (size_t)(frame - first_frame());
  const struct tool *tool = profiled_thread()->tool;
  return tool && THREAD.recording && index < tool->count ? &tool->invocations[index] : NULL;
}

/* Calls FUNCTION of the user's tool, which may be NULL, for FRAME's invocation.  Nothing is recorded until it
   returns.  */
static void call_tool_back(void (*function)(struct cilkprof_invocation *invocation), const frame_t *frame) {
  struct cilkprof_invocation *invocation = function ? tool_invocation_of(frame) : NULL;
  if (!invocation || !__cilkprof_api_begins())
    return;
  uint64_t key = (uint64_t)__builtin_frame_address(0), handlers = THREAD.signals;
  __cilkprof_signal_entered(key);
  if (THREAD.signals > handlers) {
    function(invocation);
    __cilkprof_signal_left(key);
  }
  __cilkprof_api_ends();
}

/* Returns the string with NUMBER of the description of SITE.  It is empty if SITE is NULL or has no description.  */
static const char *tool_site_description_string(const site_t *site, int number) {
  return site && site->description ? __cilkprof_description_string(__cilkprof_describe(site->description), number) : "";
}

/* Returns whether the call that is under way in CALLER led directly to the next frame.  FOREIGN is the foreign code
   that was running when that frame was entered.  */
static int tool_sees_next_frame_called(const frame_t *caller, const struct __cilkprof_foreign *foreign) {
  return caller >= first_frame() && caller->site &&
         (!(caller->site & __CILKPROF_CALL_FOREIGN) || foreign->instrumented);
}

/* Describes FRAME's invocation for the tool.  FOREIGN was running when FRAME was entered.  OUTSIDE is the function's
   site for entries from foreign code; NULL: it is not known.  */
static void describe_invocation_for_tool(const frame_t *frame, const struct __cilkprof_foreign *foreign,
                                         const site_t *outside) {
  struct cilkprof_invocation *invocation = tool_invocation_of(frame);
  if (!invocation)
    return;
  int direct = tool_sees_next_frame_called(frame - 1, foreign);
  const site_t *site = direct ? called_site(&frame[-1]) : outside;
  const char *name = tool_site_description_string(outside, CALLEE);
  *invocation = (struct cilkprof_invocation){
      .parent = frame > first_frame() ? invocation - 1 : NULL,
      .spawned = direct && frame[-1].site & __CILKPROF_CALL_SPAWN,
      .function = *name ? name : tool_site_description_string(site, CALLEE),
      .caller = tool_site_description_string(site, CALLER),
      .file = tool_site_description_string(site, SOURCE),
  };
  if (site && site->description)
    invocation->line = __cilkprof_describe(site->description)->line;
}

/* Describes for the tool the invocations that were entered before there was a tool.  */
static void describe_open_frames_for_tool(void) {
  const struct __cilkprof_foreign *foreign = &THREAD.foreign;
  for (const frame_t *frame = THREAD.frames; frame >= first_frame(); frame--) {
    if (frame->site & __CILKPROF_CALL_FOREIGN)
      foreign = &frame->outer;
    describe_invocation_for_tool(frame, foreign,
                                 tool_sees_next_frame_called(frame - 1, foreign) ? NULL : foreign->entered);
  }
}

/* Calls the tool's before_leave where control leaves FRAME without a return.  */
static void tell_tool_frame_left(const frame_t *frame) {
  call_tool_back(tool_callbacks()->before_leave, frame);
}

/* Returns a tool with descriptions of as many invocations as the thread can have frames; NULL: there is no memory.
   From then on, frames that control leaves are observed.  */
static struct tool *make_callback_tool(void) {
  size_t count = (size_t)(THREAD.frames_end - first_frame()) + 1;
  struct tool *tool = __cilkprof_reserve(sizeof *tool + count * sizeof *tool->invocations);
  if (!tool)
    return NULL;
  tool->invocations = (struct cilkprof_invocation *)(tool + 1);
  tool->count = count;
  __cilkprof_observer.frame_left = tell_tool_frame_left;
  return tool;
}

/* Makes WANTED the callbacks of the user's tool, or none if it is NULL, for cilkprof_register_callbacks.  Returns 0, or
   -1 if the thread is not recorded or there is no memory.  */
int __cilkprof_api_callbacks(const struct cilkprof_callbacks *wanted) {
  struct __cilkprof_profiled_thread *own = profiled_thread();
  if (!__cilkprof_api_begins())
    return -1;
  if (!own->tool && (own->tool = make_callback_tool()))
    describe_open_frames_for_tool();
  if (own->tool)
    own->tool->callbacks = wanted ? *wanted : (struct cilkprof_callbacks){0};
  __cilkprof_api_ends();
  return own->tool ? 0 : -1;
}

/* The program calls the functions below, which do the same as the events without callbacks.  A tool has functions for
   entries, syncs and leaves only, so the other events call none.  FRAME is that of the function with the event, and
   LOCAL_WORK the work that it did itself so far.  A site is the record of a place in its code: where a call, a spawn or
   a block is.  */
#define DECLARE(name, result, ...)  extern EXPORT result __cilkprof_t_##name(__VA_ARGS__);
#define TOLD(name, result, ...)     DECLARE(name, result, __VA_ARGS__)
#define DIRECT(name, result, ...)   DECLARE(name, result, __VA_ARGS__)
#define CALLBACK(name, result, ...) DECLARE(name, result, __VA_ARGS__)
#include "libcilkprof/abi/events.def"

/* Event of a program with callbacks: enters FUNCTION, and then calls the tool's after_enter.  KEY identifies the
   invocation.  Returns its frame.  */
frame_t *__cilkprof_t_enter_linked(function_t *function, uint64_t key) {
  frame_t *frame = __cilkprof_h_enter_linked(function);
  frame->key = key;
  describe_invocation_for_tool(frame, &THREAD.foreign, &function->outside);
  call_tool_back(tool_callbacks()->after_enter, frame);
  return frame;
}

/* Event of a program with callbacks: the body of a loop is called, for a grain.  Returns the frame of the function
   around the loop.  */
frame_t *__cilkprof_t_range_enter(void) {
  return THREAD.frames;
}

/* Event of a program with callbacks: calls the tool's before_sync if there is anything to join, and joins the children
   of FRAME, whose function has done LOCAL_WORK itself.  */
void __cilkprof_t_sync(frame_t *frame, uint64_t local_work) {
  if (frame->spawned)
    call_tool_back(tool_callbacks()->before_sync, frame);
  __cilkprof_h_sync(frame, local_work);
}

/* Event of a program with callbacks: calls the tool's before_leave, and leaves the function of FRAME, which has done
   LOCAL_WORK itself.  */
void __cilkprof_t_leave(frame_t *frame, uint64_t local_work) {
  call_tool_back(tool_callbacks()->before_leave, frame);
  __cilkprof_h_leave(frame, local_work);
}

/* Event of a program with callbacks: removes FRAME, and what was left above it, from the stack of frames.  The tool was
   told when the function was left.  */
void __cilkprof_t_unlink_frame(frame_t *frame) {
  __cilkprof_h_unlink_frame(frame);
}

/* Event of a program with callbacks: begins a call by SITE in FRAME.  The tool is told when the callee is entered.  */
void __cilkprof_t_call(frame_t *frame, uint64_t local_work, site_t *site) {
  __cilkprof_h_call(frame, local_work, site);
}

/* Event of a program with callbacks: finishes the call by SITE, which has returned to FRAME.  */
void __cilkprof_t_returned(frame_t *frame, site_t *site) {
  __cilkprof_h_returned(frame, site);
}

/* Event of a program with callbacks: begins a spawn by SITE in FRAME.  The tool is told when the child is entered.  */
void __cilkprof_t_spawn(frame_t *frame, uint64_t local_work, site_t *site) {
  __cilkprof_h_spawn(frame, local_work, site);
}

/* Event of a program with callbacks: finishes what SITE spawned, which has returned to FRAME.  */
void __cilkprof_t_spawn_returned(frame_t *frame, uint64_t local_work, site_t *site) {
  __cilkprof_h_spawn_returned(frame, local_work, site);
}

/* Event of a program with callbacks: begins a call of CALLEE, which may have no instrumentation, by SITE in FRAME.
   SPAWNED: the call is spawned.  The tool is told of instrumented functions only, when they are entered.  */
void __cilkprof_t_foreign_call(frame_t *frame, site_t *site, const void *callee, uint64_t local_work,
                               uint64_t spawned) {
  __cilkprof_foreign_call(frame, site, callee, local_work, spawned);
}

/* Event of a program with callbacks: finishes the call of code that may have no instrumentation, which has returned to
   FRAME.  */
void __cilkprof_t_foreign_returned(frame_t *frame) {
  __cilkprof_foreign_returned(frame);
}

/* Event of a program with callbacks: corrects the state where control came back to FRAME without a return, by an
   exception or a jump.  tell_tool_frame_left tells the tool of the frames that were left.  */
void __cilkprof_t_resume(frame_t *frame) {
  __cilkprof_h_resume(frame);
}

/* Event of a program with callbacks: ends the blocks of FRAME that a jump to a point inside of AROUND blocks has
   left.  */
void __cilkprof_t_close_blocks(frame_t *frame, uint64_t around) {
  __cilkprof_close_blocks(frame, around);
}

/* Event of a program with callbacks: returns the site for calls of CALLEE at SITE, an indirect call.  */
site_t *__cilkprof_t_callee(site_t *site, const void *callee) {
  return __cilkprof_callee(site, callee);
}

/* Event of a program with callbacks: begins a block of KIND, one of __CILKPROF_BLOCK_... with flags, in FRAME.  SITE
   spawns or calls it; a scope has none.  A block is no invocation, so the tool is not told.  Returns the local work in
   it.  */
uint64_t __cilkprof_t_block_begin(frame_t *frame, uint64_t local_work, site_t *site, uint64_t kind) {
  return __cilkprof_block_begin(frame, local_work, site, kind);
}

/* Event of a program with callbacks: ends the innermost block of FRAME.  Returns the local work around it.  */
uint64_t __cilkprof_t_block_end(frame_t *frame, uint64_t local_work) {
  return __cilkprof_block_end(frame, local_work);
}

/* Event of a program with callbacks: sets the GRAIN size of the loop that has begun in FRAME, 0 or less if none is
   given, and TRIPS, the number of its iterations, 0 if that is not known.  */
void __cilkprof_t_loop_grains(frame_t *frame, uint64_t grain, uint64_t trips) {
  __cilkprof_loop_grains(frame, grain, trips);
}

/* Event of a program with callbacks: begins an iteration of the loop in FRAME.  */
void __cilkprof_t_iterate(frame_t *frame, uint64_t local_work) {
  __cilkprof_h_iterate(frame, local_work);
}

/* Event of a program with callbacks: ends the loop in FRAME.  TRIPS is the number of its iterations if there were no
   events between them, else 0.  Returns the local work around it.  */
uint64_t __cilkprof_t_loop_end(frame_t *frame, uint64_t local_work, uint64_t trips) {
  return __cilkprof_loop_end(frame, local_work, trips);
}

/* Event of a program with callbacks at the end of the serial loop at SITE in FRAME: returns LOCAL_WORK, and not the
   work BEFORE the loop.  The loop stays part of its function, as a tool expects the work of an invocation to grow
   only.  */
uint64_t __cilkprof_t_serial_loop_end(frame_t *frame, uint64_t local_work, site_t *site, uint64_t before) {
  (void)frame;
  (void)site;
  (void)before;
  return local_work;
}

/* Event of a program with callbacks: sets the number of THREADS of the parallel region in FRAME.  */
void __cilkprof_t_team(frame_t *frame, uint64_t threads) {
  __cilkprof_team(frame, threads);
}

/* Event of a program with callbacks: runs BODY, the code of the parallel region in FRAME, with DATA, by a team.
   THREADS is how many threads the region asks for, 0 if it does not say.  Each thread is a child that is spawned at the
   site SPAWNED; where there is but one, BODY is called at the site CALLED.  */
void __cilkprof_t_team_run(frame_t *frame, uint64_t local_work, site_t *spawned, site_t *called, body_t *body,
                           void *data, uint64_t threads) {
  __cilkprof_team_run(frame, local_work, spawned, called, body, data, threads);
}

/* Event of a program with callbacks: sets how a team divides the loop that has begun in FRAME: by SCHEDULE, one of
   __CILKPROF_SCHEDULE_..., in chunks of CHUNK iterations, 0 if none is given, of TRIPS, 0 if that is not known.  */
void __cilkprof_t_team_loop(frame_t *frame, uint64_t schedule, uint64_t chunk, uint64_t trips) {
  __cilkprof_team_loop(frame, schedule, chunk, trips);
}

/* Event of a program with callbacks: begins an OpenMP task that is a block in FRAME, and so no invocation of which the
   tool is told.  It is spawned at the site SPAWNED if DEFERRED and if tasks are deferred here, else called at the site
   CALLED.  FLAGS and DEPEND are what its clauses say; DEPEND is NULL if it depends on nothing.  Returns the local work
   in it.  */
uint64_t __cilkprof_t_task_begin(frame_t *frame, uint64_t local_work, site_t *spawned, site_t *called,
                                 uint64_t deferred, uint64_t flags, const void *depend) {
  return __cilkprof_task_begin(frame, local_work, spawned, called, deferred, flags, depend);
}

/* Event of a program with callbacks: begins an OpenMP task that is a call in FRAME, at the site SPAWNED, or at the site
   CALLED where tasks are not deferred.  The tool is told when the callee is entered.  */
void __cilkprof_t_task_call(frame_t *frame, uint64_t local_work, site_t *spawned, site_t *called) {
  __cilkprof_h_task_call(frame, local_work, spawned, called);
}

/* Event of a program with callbacks: begins an OpenMP task that is a call in FRAME and has an if or final clause:
   DEFERRED is the value of the first, and FLAGS say if it is final.  The call is at the site SPAWNED, or at the site
   CALLED if the task is not deferred.  */
void __cilkprof_t_task_call_if(frame_t *frame, uint64_t local_work, site_t *spawned, site_t *called, uint64_t deferred,
                               uint64_t flags) {
  __cilkprof_h_task_call_if(frame, local_work, spawned, called, deferred, flags);
}

/* Event of a program with callbacks: finishes an OpenMP task that was a call, which has returned to FRAME.  */
void __cilkprof_t_task_returned(frame_t *frame, uint64_t local_work) {
  __cilkprof_h_task_returned(frame, local_work);
}

/* Event of a program with callbacks: calls the tool's before_sync if FRAME has children and WHAT is waited for is not
   only a turn, and joins those of the current task.  */
void __cilkprof_t_taskwait(frame_t *frame, uint64_t local_work, uint64_t what) {
  if (frame->spawned && what != __CILKPROF_WAIT_TURN)
    call_tool_back(tool_callbacks()->before_sync, frame);
  __cilkprof_taskwait(frame, local_work, what);
}

/* Event of a program with callbacks: makes the tasks that were left to FRAME its own children, after a call by SITE
   has returned to it or a block in it has ended.  */
void __cilkprof_t_adopt(frame_t *frame, uint64_t local_work, site_t *site) {
  __cilkprof_adopt(frame, local_work, site);
}

/* Event of a program with callbacks: leaves the OpenMP tasks of FRAME's function to its caller.  */
void __cilkprof_t_tasks_leave(frame_t *frame, uint64_t local_work) {
  __cilkprof_tasks_leave(frame, local_work);
}

/* Event of a program with callbacks: notes how far FRAME's function is, before it calls the engine.  */
void __cilkprof_t_here(frame_t *frame, uint64_t local_work) {
  __cilkprof_here(frame, local_work);
}

/* Event of a program with callbacks: ends the strand that FRAME's function has named and the regions that it has
   begun, when it returns.  */
void __cilkprof_t_strands_end(frame_t *frame, uint64_t local_work) {
  __cilkprof_strands_end(frame, local_work);
}
