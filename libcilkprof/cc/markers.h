/* Markers: calls of functions that do not exist.  The front end's plugin puts them where Cilk's constructs were; the
   back end's replaces them by events.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_MARKERS_H
#define CILKPROF_CC_MARKERS_H

/* What the names of markers begin with, and, of those to which keywords expand, as errors of GCC show these.  */
#define MARKER_PREFIX         "__cilkprof_mark_"
#define KEYWORD_MARKER_PREFIX "__cilk_"

/* An attribute of functions that the programmer made static.  */
#define STATIC_ATTRIBUTE "cilkprof static"

/* An attribute of copies without events.  */
#define BARE_ATTRIBUTE "cilkprof bare"

/* The function that spawns a call which other workers may run, in programs that are profiled while they run in
   parallel.  Its last argument is what the call reaches.  */
#define PROFILED_SPAWN "__cilkprofiled_spawn"
#define PROFILED_JOIN  "__cilkprof_join"
/* And the one that runs a cilk_for, by calling a function with its body for each grain.  */
#define PROFILED_LOOP "__cilkprofiled_loop"

/* Beginnings of the names of variables that spawns need: closures, in whose records a field with the callee follows the
   arguments, and frames of the runtime.  */
#define CLOSURE_NAME   "cilk_closure"
#define CLOSURE_CALLEE "cilk_callee"
#define FRAME_NAME     "cilk_frame"

/* The symbol of the main program, in Fortran.  */
#define FORTRAN_MAIN_SYMBOL "MAIN__"

/* An attribute of functions of Fortran and of units with modules, by which they are known at the link: their units have
   no header with the bodies of events.  */
#define HEADLESS_ATTRIBUTE "cilkprof headless"

enum marker {
  MARK_SPAWN,     /* (): the next call is spawned */
  MARK_CALLEE,    /* (pointer): the same pointer, of which the optimisers know nothing */
  MARK_ENTRY,     /* (): in a function that is spawned */
  MARK_SYNC,      /* () */
  MARK_LOOP,      /* (grain or 0, trips or 0) */
  MARK_ITERATE,   /* () */
  MARK_LOOP_END,  /* (trips) */
  MARK_RANGES,    /* (): the next call runs a cilk_for that workers share */
  MARK_BLOCK,     /* (symbol of the callee): the following, up to its end, is spawned */
  MARK_BLOCK_END, /* () */
  MARK_SCOPE,     /* () */
  MARK_SCOPE_END, /* () */
  MARK_ARRIVAL,   /* (blocks around it): a label that may be reached by a jump out of others */
  /* Of OpenMP's constructs.  The markers of blocks, scopes and loops end what these begin.  */
  MARK_CALLED,    /* (name): the following, up to its end, is measured like a call */
  MARK_LOCK,      /* (name): a block that one thread at a time runs, as part of the task around it */
  MARK_TASK,      /* (name, whether it is deferred, flags, depend): as they are passed to libgomp */
  MARK_TASK_CALL, /* (whether it is deferred, flags): the next call is a task */
  MARK_GROUP,     /* (): a scope in the same task */
  MARK_TASKWAIT,  /* (what it waits for: __CILKPROF_WAIT_...) */
  MARK_TEAM,      /* (threads or 0): the block that began last is a parallel region */
  MARK_TEAM_RUN,  /* (name, function, data, threads or 0): a team of fibers runs the body of the region */
  MARK_TEAM_LOOP, /* (grain or 0, trips or 0, name, schedule and flags) */
  /* Of serial loops, which the back end's plugin marks itself.  */
  MARK_SERIAL_LOOP,     /* () */
  MARK_SERIAL_LOOP_END, /* () */
  /* Of loops with a second body, in which iterations are counted; the back end's plugin marks these, too.  */
  MARK_COUNTED_LOOP, /* (): before the loop */
  MARK_COUNTED_LEFT, /* (): how many iterations run in the second body, from this one on */
  MARK_COUNTED_BODY, /* (): the second body begins */
  /* Of those of these loops that are serial, and call functions.  */
  MARK_CALLING_LOOP,     /* (): before the loop */
  MARK_CALLING_ITERATE,  /* () */
  MARK_CALLING_LOOP_END, /* (iterations that the second body had left, with this one, or 0): after the loop */
  /* Of bare copies of guarded functions, which the back end's plugin makes, too.  */
  MARK_UNCOUNTED_PART, /* (): the code from here on runs only where nothing is counted */
  MARK_COUNTED_PART,   /* (address of a bare copy): what follows was a call of it, which is to be counted */
  MARKERS,
  NO_MARKER = MARKERS
};

/* marker-names.cc */
const char *marker_name(marker which);
marker marker_of_decl(tree function_decl); /* NO_MARKER: it is none */
marker marker_of_call(const gimple *statement);
int blocks_opened_by_marker(const gimple *statement); /* by how many more it leaves open */
int loops_opened_by_marker(const gimple *statement);  /* of these, parallel loops */

#endif
