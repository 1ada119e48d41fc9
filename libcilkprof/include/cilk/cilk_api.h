/* What a program asks Cilk's runtime.  Where it is compiled to run in parallel the runtime answers; else it is a
   serial run, and its one worker is number 0.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_API_H
#define CILK_API_H

#pragma GCC system_header
#include <cilk/common.h>
#include <stdlib.h>
#ifdef __cilkprof_parallel__
#include <cilkprof/parallel.h>
#endif

enum __cilkrts_set_param_status {
  __CILKRTS_SET_PARAM_SUCCESS = 0,
  __CILKRTS_SET_PARAM_UNIMP = 1,
  __CILKRTS_SET_PARAM_XRANGE = 2,
  __CILKRTS_SET_PARAM_INVALID = 3,
  __CILKRTS_SET_PARAM_LATE = 4
};

__CILKRTS_BEGIN_EXTERN_C

#ifdef __cilkprof_parallel__
/* Sets the parameter PARAM to VALUE.  "nworkers" is the number of workers, or "0" for the number of processors; it fails
   with LATE from the start of the workers until they end.  Other parameters of Cilk Plus change nothing.  */
int __cilkrts_set_param(const char *param, const char *value);
/* Starts the workers, if there are none.  */
void __cilkrts_init(void);
/* Ends the workers; the next spawn starts them again.  */
void __cilkrts_end_cilk(void);
/* Returns the number of workers.  */
int __cilkrts_get_nworkers(void);
/* Returns a number that is greater than that of every worker, including the program's own threads.  */
int __cilkrts_get_total_workers(void);
/* Returns the number of the worker that runs this code.  */
int __cilkrts_get_worker_number(void);
/* Returns whether the runtime has started.  */
int __cilkrts_is_initialized(void);
/* Returns whether a worker of the runtime runs this code.  */
int __cilkrts_running_on_workers(void);
#else
/* Accepts any parameter, which changes nothing, and returns success.  */
__CILKRTS_INLINE int __cilkrts_set_param(const char *param, const char *value) {
  (void)param;
  (void)value;
  return __CILKRTS_SET_PARAM_SUCCESS;
}

/* These two do nothing: a serial run has no workers to start or end.  */
__CILKRTS_INLINE void __cilkrts_init(void) {}

__CILKRTS_INLINE void __cilkrts_end_cilk(void) {}

/* Returns the number of workers of a serial run.  */
__CILKRTS_INLINE int __cilkrts_get_nworkers(void) {
  return 1;
}

/* Returns a number that is greater than that of every worker.  */
__CILKRTS_INLINE int __cilkrts_get_total_workers(void) {
  return 1;
}

/* Returns the number of the only worker.  */
__CILKRTS_INLINE int __cilkrts_get_worker_number(void) {
  return 0;
}

/* Returns that the runtime has started, so that programs for OpenCilk that wait for it do not wait.  */
__CILKRTS_INLINE int __cilkrts_is_initialized(void) {
  return 1;
}

/* Returns that no worker of OpenCilk's runtime runs this code.  */
__CILKRTS_INLINE int __cilkrts_running_on_workers(void) {
  return 0;
}
#endif

/* Returns whether every steal reduces views, a debugging setting of Cilk Plus: never.  */
__CILKRTS_INLINE int __cilkrts_get_force_reduce(void) {
  return 0;
}

/* Does nothing: Cilk Plus passes information to its tools by such calls.  */
__CILKRTS_INLINE void __cilkrts_metacall(unsigned tool, unsigned code, void *data) {
  (void)tool;
  (void)code;
  (void)data;
}

/* Calls CALLBACK, which Cilk Plus does when the runtime starts: here it is always running.  Returns 0.  */
__CILKRTS_INLINE int __cilkrts_atinit(void (*callback)(void)) {
  callback();
  return 0;
}

/* Arranges for CALLBACK to be called when the program ends.  Returns 0 unless there is no memory.  */
__CILKRTS_INLINE int __cilkrts_atexit(void (*callback)(void)) {
  return atexit(callback);
}

typedef struct {
  size_t size;
  void *data[3];
} __cilkrts_pedigree_context_t;

/* Does nothing: the compiler counts the iterations of a cilk_for in the pedigree.  Returns 0.  */
__CILKRTS_INLINE int __cilkrts_bump_loop_rank(void) {
  return 0;
}

/* Does nothing: OpenCilk's random numbers need no initialisation here.  */
__CILKRTS_INLINE void __cilkrts_init_dprng(void) {}

/* A strand's pedigree is a list of ranks, from its own up to that of its outermost ancestor.  In a parallel run it is the
   same in every run only with -fcilkplus-pedigrees.  OpenCilk's random numbers are computed from it.  */
#ifdef __cilkprof_parallel__
/* The functions of a parallel run.  They do what those of a serial run below do, with pedigrees of more than one rank.
   __cilkrts_get_pedigree_info returns 1 if there is no further rank.  */
__cilkrts_pedigree __cilkrts_get_pedigree(void);
int __cilkrts_get_worker_rank(uint64_t *rank);
int __cilkrts_bump_worker_rank(void);
int __cilkrts_get_pedigree_info(__cilkrts_pedigree_context_t *context, uint64_t *birthrank);
void __cilkrts_dprand_set_seed(uint64_t seed);
uint64_t __cilkrts_get_dprand(void);
#else
/* In a serial run it has one term, which counts the calls of __cilkrts_bump_worker_rank: generators of random numbers
   that hash the pedigree and then bump it give a new number each time.  One counter for all files of a program.  */
extern uint64_t __cilkrts_serial_rank;
__attribute__((__weak__)) uint64_t __cilkrts_serial_rank = 0;

/* Returns the pedigree of the calling strand: in a serial run one rank, without a parent.  */
__CILKRTS_INLINE __cilkrts_pedigree __cilkrts_get_pedigree(void) {
  __cilkrts_pedigree pedigree;
  pedigree.rank = __cilkrts_serial_rank;
  pedigree.parent = 0;
  return pedigree;
}

/* Sets *RANK to the last rank of the calling strand's pedigree.  Returns 0.  */
__CILKRTS_INLINE int __cilkrts_get_worker_rank(uint64_t *rank) {
  *rank = __cilkrts_serial_rank;
  return 0;
}

/* Increments the last rank of the calling strand's pedigree, so that random numbers that hash it differ from then on.
   Returns 0.  */
__CILKRTS_INLINE int __cilkrts_bump_worker_rank(void) {
  __cilkrts_serial_rank++;
  return 0;
}

/* Walks to the next rank of the pedigree and sets *BIRTHRANK to it: in a serial run there is none.  Returns 1 as there
   is none, or -3 if CONTEXT has the wrong size.  */
__CILKRTS_INLINE int __cilkrts_get_pedigree_info(__cilkrts_pedigree_context_t *context, uint64_t *birthrank) {
  (void)birthrank;
  return context->size == sizeof *context ? 1 : -3;
}

/* Sets the seed of __cilkrts_get_dprand; in a serial run that is the rank.  */
__CILKRTS_INLINE void __cilkrts_dprand_set_seed(uint64_t seed) {
  __cilkrts_serial_rank = seed;
}

/* Returns the next of OpenCilk's deterministic random numbers: the rank, incremented and mixed as SplitMix64 does.  */
__CILKRTS_INLINE uint64_t __cilkrts_get_dprand(void) {
  uint64_t x = ++__cilkrts_serial_rank * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}
#endif

/* OpenCilk's reducers as functions, for programs that call them: the leftmost view is the variable itself.  */
typedef void (*__cilk_identity_fn)(void *view);
typedef void (*__cilk_reduce_fn)(void *left, void *right);

/* Makes the variable at KEY a reducer of OpenCilk's: the variable is its leftmost view.  In a serial run it is the only
   one, and nothing is done; otherwise SIZE, IDENTITY and REDUCE are those of the first lookup.  */
__CILKRTS_INLINE void __cilkrts_reducer_register(void *key, size_t size, __cilk_identity_fn identity,
                                                 __cilk_reduce_fn reduce) {
  (void)size;
  (void)identity;
  (void)reduce;
#ifdef __cilkprof_parallel__
  if (__CILKPROF_R_VIEWS)
    __cilkprof_r_hyper_begin(key);
#endif
  (void)key;
}

/* Ends the reducer at KEY: later lookups return the variable itself.  All views have been reduced into it by a
   sync.  */
__CILKRTS_INLINE void __cilkrts_reducer_unregister(void *key) {
#ifdef __cilkprof_parallel__
  if (__CILKPROF_R_VIEWS)
    __cilkprof_r_reducer_end(key);
#endif
  (void)key;
}

/* Returns the calling strand's view of the reducer at KEY, which is SIZE bytes long; a new one, made by IDENTITY, if
   the strand has none yet.  REDUCE adds a right view to a left one.  In a serial run the view is KEY itself.  */
__CILKRTS_INLINE void *__hyper_lookup(void *key, size_t size, __cilk_identity_fn identity, __cilk_reduce_fn reduce) {
#ifdef __cilkprof_parallel__
  if (__builtin_expect(__CILKPROF_R_VIEWS, 0))
    return __cilkprof_r_hyper_view(key, size, identity, reduce);
#endif
  (void)size;
  (void)identity;
  (void)reduce;
  return key;
}

/* Returns the calling strand's view of the reducer at KEY: __hyper_lookup with the types that OpenCilk's compiler
   uses.  */
__CILKRTS_INLINE void *__cilkrts_reducer_lookup(void *key, size_t size, void *identity, void *reduce) {
  return __hyper_lookup(key, size, (__cilk_identity_fn)identity, (__cilk_reduce_fn)reduce);
}

__CILKRTS_END_EXTERN_C

#endif
