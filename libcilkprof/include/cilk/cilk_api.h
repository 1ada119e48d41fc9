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
/* "nworkers": a number, or "0" for the processors; LATE once workers were started, until they are ended.  Others
   that Cilk Plus knew change nothing.  */
int __cilkrts_set_param(const char *param, const char *value);
void __cilkrts_init(void);
void __cilkrts_end_cilk(void);
int __cilkrts_get_nworkers(void);
/* Every number of a worker is less than this, those of the program's own threads too; with one such thread, less than
   __cilkrts_get_nworkers.  */
int __cilkrts_get_total_workers(void);
int __cilkrts_get_worker_number(void);
int __cilkrts_is_initialized(void);
int __cilkrts_running_on_workers(void);
#else
/* Any parameter is accepted and changes nothing.  */
__CILKRTS_INLINE int __cilkrts_set_param(const char *param, const char *value) {
  (void)param;
  (void)value;
  return __CILKRTS_SET_PARAM_SUCCESS;
}

__CILKRTS_INLINE void __cilkrts_init(void) {}

__CILKRTS_INLINE void __cilkrts_end_cilk(void) {}

__CILKRTS_INLINE int __cilkrts_get_nworkers(void) {
  return 1;
}

__CILKRTS_INLINE int __cilkrts_get_total_workers(void) {
  return 1;
}

__CILKRTS_INLINE int __cilkrts_get_worker_number(void) {
  return 0;
}

/* OpenCilk's.  The runtime is there from the start, so that what waits for it need not; it has no threads.  */
__CILKRTS_INLINE int __cilkrts_is_initialized(void) {
  return 1;
}

__CILKRTS_INLINE int __cilkrts_running_on_workers(void) {
  return 0;
}
#endif

__CILKRTS_INLINE int __cilkrts_get_force_reduce(void) {
  return 0;
}

__CILKRTS_INLINE void __cilkrts_metacall(unsigned tool, unsigned code, void *data) {
  (void)tool;
  (void)code;
  (void)data;
}

__CILKRTS_INLINE int __cilkrts_atinit(void (*callback)(void)) {
  callback();
  return 0;
}

__CILKRTS_INLINE int __cilkrts_atexit(void (*callback)(void)) {
  return atexit(callback);
}

typedef struct {
  size_t size;
  void *data[3];
} __cilkrts_pedigree_context_t;

__CILKRTS_INLINE int __cilkrts_bump_loop_rank(void) {
  return 0;
}

__CILKRTS_INLINE void __cilkrts_init_dprng(void) {}

/* A strand's pedigree is a list of ranks.  In parallel it depends on who took what, and with -fcilkplus-pedigrees on the
   program alone.  get_pedigree_info walks to the next term; 1: there is none.  OpenCilk's random numbers come of it.  */
#ifdef __cilkprof_parallel__
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

__CILKRTS_INLINE __cilkrts_pedigree __cilkrts_get_pedigree(void) {
  __cilkrts_pedigree pedigree;
  pedigree.rank = __cilkrts_serial_rank;
  pedigree.parent = 0;
  return pedigree;
}

__CILKRTS_INLINE int __cilkrts_get_worker_rank(uint64_t *rank) {
  *rank = __cilkrts_serial_rank;
  return 0;
}

__CILKRTS_INLINE int __cilkrts_bump_worker_rank(void) {
  __cilkrts_serial_rank++;
  return 0;
}

__CILKRTS_INLINE int __cilkrts_get_pedigree_info(__cilkrts_pedigree_context_t *context, uint64_t *birthrank) {
  (void)birthrank;
  return context->size == sizeof *context ? 1 : -3;
}

__CILKRTS_INLINE void __cilkrts_dprand_set_seed(uint64_t seed) {
  __cilkrts_serial_rank = seed;
}

/* Scrambled as SplitMix does.  */
__CILKRTS_INLINE uint64_t __cilkrts_get_dprand(void) {
  uint64_t x = ++__cilkrts_serial_rank * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}
#endif

/* OpenCilk's reducers, by hand: the leftmost view is the variable itself.  */
typedef void (*__cilk_identity_fn)(void *view);
typedef void (*__cilk_reduce_fn)(void *left, void *right);

__CILKRTS_INLINE void __cilkrts_reducer_register(void *key, size_t size, __cilk_identity_fn identity,
                                                 __cilk_reduce_fn reduce) {
  (void)size;
  (void)identity;
  (void)reduce;
#ifdef __cilkprof_parallel__
  if (__cilkprof_r_views)
    __cilkprof_r_hyper_begin(key);
#endif
  (void)key;
}

__CILKRTS_INLINE void __cilkrts_reducer_unregister(void *key) {
#ifdef __cilkprof_parallel__
  if (__cilkprof_r_views)
    __cilkprof_r_reducer_end(key);
#endif
  (void)key;
}

__CILKRTS_INLINE void *__hyper_lookup(void *key, size_t size, __cilk_identity_fn identity, __cilk_reduce_fn reduce) {
#ifdef __cilkprof_parallel__
  if (__builtin_expect(__cilkprof_r_views != 0, 0))
    return __cilkprof_r_hyper_view(key, size, identity, reduce);
#endif
  (void)size;
  (void)identity;
  (void)reduce;
  return key;
}

__CILKRTS_INLINE void *__cilkrts_reducer_lookup(void *key, size_t size, void *identity, void *reduce) {
  return __hyper_lookup(key, size, (__cilk_identity_fn)identity, (__cilk_reduce_fn)reduce);
}

__CILKRTS_END_EXTERN_C

#endif
