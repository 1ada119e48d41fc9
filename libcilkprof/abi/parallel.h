/* The interface between compiled Cilk code and the runtime that runs it in parallel, libcilkprof/runtime.  It is used
   with -fcilkplus and without -fcilkprof.
   SPDX-License-Identifier: MIT

   A function that spawns has a frame.  A spawned call is compiled to

     if (__cilkprof_r_want) { closure = {arguments}; __cilkprof_r_spawn(&frame, child, &closure, size, &site); }
     else result = f(arguments);

   where child(closure) does the same call, and a sync to `if (frame.deferred) __cilkprof_r_join(&frame)'.  A deferred
   child may run in another thread; the function that spawned it stays in its thread.  Names that begin with
   __cilkprof_r_ are the runtime's.  */

#ifndef __CILKPROF_PARALLEL_H
#define __CILKPROF_PARALLEL_H

#pragma GCC system_header

#ifdef __cplusplus
extern "C" {
#endif

/* Compiled code clears DEFERRED when the function is entered, and reads it.  The rest is the runtime's.  */
struct __cilkprof_r_frame {
  unsigned long deferred; /* not 0: children were deferred since the last join */
  void *own[7];
};

/* Not 0: this thread has fewer waiting children than other threads may steal, so the next child is deferred.  Another
   thread sets it as well, when it has stolen a child.  */
extern __thread unsigned char __cilkprof_r_want __attribute__((tls_model("initial-exec")));

/* What the runtime has learned of one cilk_spawn or cilk_for of the program.  Compiled code has a static variable for
   each, and reads PLAIN.  At first all is 0, but for NEEDED where a function spawns itself.  */
struct __cilkprof_r_site {
  unsigned long plain;  /* a loop of at most so many iterations is too short to be divided; a child counts as one */
  unsigned long cost;   /* of an iteration */
  unsigned long streak; /* how many runs in a row took what was expected */
  unsigned long needed; /* so many must, before PLAIN is set */
};
#define __CILKPROF_R_RECURSIVE 4096 /* NEEDED for a recursion, in which most runs are short, but all is in long ones */

/* Defers CHILD, with a copy of the closure that is aligned to __CILKPROF_R_ALIGN.  If the children of SITE are short,
   or if there is no memory, the child is called at once.  In C++, a child does not throw exceptions but passes them to
   __cilkprof_r_caught.  */
#define __CILKPROF_R_ALIGN   64
#define __CILKPROF_R_CLOSURE 16 /* sizes of closures that the compiler makes are multiples of it */
void __cilkprof_r_spawn(struct __cilkprof_r_frame *__frame, void (*__child)(void *), const void *__closure,
                        unsigned long __size, struct __cilkprof_r_site *__site);

/* Waits for all children.  If any have thrown exceptions, rethrows that of the first child in serial order.  */
void __cilkprof_r_join(struct __cilkprof_r_frame *__frame);
/* Waits for all children when the exception THROWN leaves the frame.  It is later than any exception of a child: if
   there is one, that is thrown in its place.  */
void __cilkprof_r_join_thrown(struct __cilkprof_r_frame *__frame, void *__thrown);

/* Keeps the exception THROWN until the join.  Called by children, bodies of loops and blocks in a handler that catches
   everything; in C++ only.  */
void __cilkprof_r_caught(void *__thrown);

/* Allocates and frees memory for the temporaries in the arguments of a spawned call.  Never returns NULL: without
   memory the program ends as by operator new.  */
void *__cilkprof_r_block(unsigned long __size);
void __cilkprof_r_block_free(void *__block);

/* A cilk_for.  Its body is a function BODY(data), which runs the iterations from LOW to before HIGH, as they are when
   it is called.  A loop is compiled to

     range.grain = grain; range.low = 0; range.high = trips;
     if (trips <= range.undivided) body(data);
     else if (trips <= max (site.plain, grain) && range.plain_runs) { range.plain_runs--; body(data); }
     else __cilkprof_r_loop(body, data, &site);
     if (range.thrown) __cilkprof_r_loop_end();

   where the grain size is 0 if the program gives none.  A loop without iterations does none of this.  r_loop calls the
   body for one range of iterations after another, in any thread, and returns when all are done, with the value of
   THROWN.  loop_end rethrows the exception of the body with the lowest iterations that threw one.  */
struct __cilkprof_r_range {
  unsigned long low, high, grain;
  unsigned long plain_runs; /* how many short loops are run before one is measured again */
  unsigned long undivided;  /* loops of so many iterations are not divided: none, or all where there is one worker */
  const void *thrown;       /* not NULL: there is an exception to rethrow */
  void *exception;
};
extern __thread struct __cilkprof_r_range __cilkprof_r_range __attribute__((tls_model("initial-exec")));
const void *__cilkprof_r_loop(void (*__body)(void *), void *__data, struct __cilkprof_r_site *__site);
void __cilkprof_r_loop_end(void);

/* A spawned block, which GCC outlines as a task of OpenMP.  The arguments are those of GOMP_task: COPY, if it is not
   NULL, makes the closure from DATA.  block_frame is called before it, in the same thread.  block_end is called after
   it, and rethrows the exception of a block that was run at once.  */
void __cilkprof_r_block_frame(struct __cilkprof_r_frame *__frame);
void __cilkprof_r_spawn_block(void (*__body)(void *), void *__data, void (*__copy)(void *, void *), long __size,
                              long __align, struct __cilkprof_r_site *__site);
void __cilkprof_r_block_end(void);

/* Reducers.  Each strand has its own view of every reducer that it uses, and views are reduced in the serial order of
   their strands.  The functions get the reducer, so that they can find its monoid.  */
struct __cilkprof_r_monoid {
  void *(*identity)(void *__reducer);                           /* makes a view; NULL: there is no memory */
  void (*reduce)(void *__reducer, void *__left, void *__right); /* reduces RIGHT into LEFT */
  void (*destroy)(void *__reducer, void *__view);               /* a view that IDENTITY made */
};

/* The views of the current strand.  NULL: no child was deferred before the strand began, so its view of every reducer
   is the leftmost one, which is in the reducer itself.  So nothing is looked up in a serial run, and in one with a
   single worker.  */
struct __cilkprof_r_views;
extern __thread struct __cilkprof_r_views *__cilkprof_r_views __attribute__((tls_model("initial-exec")));
/* Whether a strand may have views.  If several workers are profiled, compiled code always asks the runtime, so that
   what is counted does not depend on the schedule.  */
#ifdef __CILKPROF_PARALLEL
#define __CILKPROF_R_VIEWS 1
#else
#define __CILKPROF_R_VIEWS (__cilkprof_r_views != 0)
#endif
void *__cilkprof_r_view(void *__reducer, void *__leftmost, const struct __cilkprof_r_monoid *__monoid);
/* Called when a reducer is constructed and destroyed in a strand whose views are not NULL.  */
void __cilkprof_r_reducer_begin(void *__reducer, void *__leftmost, const struct __cilkprof_r_monoid *__monoid);
void __cilkprof_r_reducer_end(void *__reducer);
/* For OpenCilk's reducers, if the views are not NULL.  The reducer is its leftmost view, and its functions are passed
   with each use.  */
void *__cilkprof_r_hyper_view(void *__key, __SIZE_TYPE__ __size, void (*__identity)(void *),
                              void (*__reduce)(void *, void *));
void __cilkprof_r_hyper_begin(void *__key);
/* Calls FUNCTION(DATA) so that nothing of it is recorded.  NULL: the workers are not profiled.  */
extern void (*__cilkprof_r_unrecorded)(void (*__function)(void *), void *__data);

/* References to these functions link the runtime, and its part for C++, into a program.  All other references to it are
   weak: if it is missing, the linker complains about these names only.  */
void __cilkprof_r_is_missing_link_with_fcilkplus(void);
void __cilkprof_r_is_missing_link_with_gxx_fcilkplus(void);

/* Not 0: this run is sampled.  The wrappers of the program's calls of locks and of _exit then call these functions.
   lock_waits: this thread begins to wait for a lock (TAKEN is NULL), or it has the lock and returns to TAKEN.
   sampling_ends: the program ends here, SURELY or possibly.  */
extern int __cilkprof_r_sampled;
void __cilkprof_r_lock_waits(const void *__taken);
void __cilkprof_r_sampling_ends(int __surely);

/* The last term of the current strand's pedigree.  Compiled code writes it, and asks the runtime for it.  */
struct __cilkprof_r_pedigree {
  unsigned long long rank;
  const struct __cilkprof_r_pedigree *parent; /* NULL: there is none */
};
extern __thread struct __cilkprof_r_pedigree __cilkprof_r_pedigree __attribute__((tls_model("initial-exec")));

#ifdef __cplusplus
}
#endif

#endif
