/* Between compiled Cilk code and the runtime that runs it in parallel, libcilkprof/runtime: -fcilkplus without
   -fcilkprof.
   SPDX-License-Identifier: MIT

   A function that spawns has a frame.  A spawned call is

     if (__cilkprof_r_want) { closure = {arguments}; __cilkprof_r_spawn(&frame, child, &closure, sizeof closure); }
     else result = f(arguments);

   where child(closure) does the same call, and a sync is `if (frame.deferred) __cilkprof_r_join(&frame)'.  A child that
   is deferred may run in another thread; the function that spawned it stays where it is.  Names that begin with
   __cilkprof_r_ are the runtime's.  */

#ifndef __CILKPROF_PARALLEL_H
#define __CILKPROF_PARALLEL_H

#pragma GCC system_header

#ifdef __cplusplus
extern "C" {
#endif

/* Compiled code clears the first word when the function is entered, and reads it; the rest is the runtime's.  */
struct __cilkprof_r_frame {
  unsigned long deferred; /* not 0: children were deferred since the last join */
  void *own[7];
};

/* Not 0: this thread has fewer children waiting than others may come for, so the next one is to be deferred.  The
   runtime of another thread sets it as well, when it took one away.  */
extern __thread unsigned char __cilkprof_r_want __attribute__((tls_model("initial-exec")));

/* The closure is copied; the copy is aligned as __CILKPROF_R_ALIGN says.  Where there is no memory the child is called
   at once.  In C++ a child lets no exception out, but hands it to __cilkprof_r_caught.  */
#define __CILKPROF_R_ALIGN 64
void __cilkprof_r_spawn(struct __cilkprof_r_frame *__frame, void (*__child)(void *), const void *__closure,
                        unsigned long __size);

/* Waits for all children; rethrows the exception of the serially first that has one.  */
void __cilkprof_r_join(struct __cilkprof_r_frame *__frame);
/* The same where the frame is left by THROWN, an exception that is later than any of the children's: if a child has
   one, that is thrown in its place.  */
void __cilkprof_r_join_thrown(struct __cilkprof_r_frame *__frame, void *__thrown);

/* Called in a handler for everything, with what was caught, by children, by bodies of loops and by blocks: the
   exception is kept until the join.  Of C++ alone.  */
void __cilkprof_r_caught(void *__thrown);

/* Memory for the temporaries in the arguments of a spawned call; never NULL (a program without memory is ended as by
   operator new).  */
void *__cilkprof_r_block(unsigned long __size);
void __cilkprof_r_block_free(void *__block);

/* A cilk_for: begin says how many iterations there are and the grain size, 0 where the program named none; loop has
   BODY(data) called for one range after the other, in any thread, and returns when all are done; within BODY low and
   high tell the range, [low, high).  end rethrows what a body threw: the one of the lowest iterations.  */
void __cilkprof_r_loop_begin(unsigned long __trips, unsigned long __grain);
void __cilkprof_r_loop(void (*__body)(void *), void *__data);
unsigned long __cilkprof_r_loop_low(void);
unsigned long __cilkprof_r_loop_high(void);
void __cilkprof_r_loop_end(void);

/* A spawned block, which GCC outlines as a task of OpenMP's: COPY, if there is one, makes the closure of DATA
   (arguments as GOMP_task has them).  block_frame is called before it, in the same thread; block_end behind it
   rethrows what the block threw if it was run at once.  */
void __cilkprof_r_block_frame(struct __cilkprof_r_frame *__frame);
void __cilkprof_r_spawn_block(void (*__body)(void *), void *__data, void (*__copy)(void *, void *), long __size,
                              long __align);
void __cilkprof_r_block_end(void);

/* Reducers.  A strand of the serial order has its own view of each reducer that it uses, and views are reduced in that
   order.  VIEW functions get the reducer, so that they find its monoid.  */
struct __cilkprof_r_monoid {
  void *(*identity)(void *__reducer);                           /* makes a view; NULL: there is no memory */
  void (*reduce)(void *__reducer, void *__left, void *__right); /* into the left one */
  void (*destroy)(void *__reducer, void *__view);               /* one that identity made */
};

/* NULL: the strand began where no child is deferred before it, and the view of every reducer is the leftmost, which
   is in the reducer itself.  So a serial run, and one with a single worker, looks nothing up.  */
struct __cilkprof_r_views;
extern __thread struct __cilkprof_r_views *__cilkprof_r_views __attribute__((tls_model("initial-exec")));
void *__cilkprof_r_view(void *__reducer, void *__leftmost, const struct __cilkprof_r_monoid *__monoid);
/* A reducer that begins to be, and that ends, in a strand whose views are not NULL.  */
void __cilkprof_r_reducer_begin(void *__reducer, void *__leftmost, const struct __cilkprof_r_monoid *__monoid);
void __cilkprof_r_reducer_end(void *__reducer);
/* OpenCilk's, where the views are not NULL: the reducer is its leftmost view, and its functions are given with each
   use.  */
void *__cilkprof_r_hyper_view(void *__key, __SIZE_TYPE__ __size, void (*__identity)(void *),
                              void (*__reduce)(void *, void *));
void __cilkprof_r_hyper_begin(void *__key);

/* What brings the runtime into a program, and the part that is of C++: the other references to it are weak, and where
   it is missing the linker says nothing but these names.  */
void __cilkprof_r_is_missing_link_with_fcilkplus(void);
void __cilkprof_r_is_missing_link_with_gxx_fcilkplus(void);

/* Not 0: samples are taken of this run.  What the program's calls of locks and of _exit become tells the runtime
   that this thread begins to wait for a lock (NULL), or that it has it and returns to TAKEN; and that the program ends
   here or may.  */
extern int __cilkprof_r_sampled;
void __cilkprof_r_lock_waits(const void *__taken);
void __cilkprof_r_sampling_ends(int __surely);

/* The last term of this strand's pedigree.  Compiled code writes it, and asks the runtime for it.  */
struct __cilkprof_r_pedigree {
  unsigned long long rank;
  const struct __cilkprof_r_pedigree *parent; /* NULL: there is none */
};
extern __thread struct __cilkprof_r_pedigree __cilkprof_r_pedigree __attribute__((tls_model("initial-exec")));

#ifdef __cplusplus
}
#endif

#endif
