/* Annotations of what could run in parallel: see cilkprof-annotate(3).
   SPDX-License-Identifier: MIT

   PAR_SEC_BEGIN ("loop");             a section, whose tasks could run in parallel
   for (...) {
     PAR_TASK_BEGIN ("iteration");
     ...
     LOCK_BEGIN (total);               a lock is known by its number or its address
     ...
     LOCK_END (total);
     PAR_TASK_END ();
   }
   PAR_SEC_END (0);                    1: what follows does not wait for the tasks (nowait)

   They record only where pkg-config's flags for cilkprof-annotate, or -fcilkprof, are given; elsewhere, and with
   -DCILKPROF_ANNOTATE=0, they are nothing at all.  Any compiler of C or C++ takes them.  */

#ifndef CILKPROF_ANNOTATE_H
#define CILKPROF_ANNOTATE_H

#ifndef CILKPROF_ANNOTATE
#ifdef __cilkprof__
#define CILKPROF_ANNOTATE 1
#else
#define CILKPROF_ANNOTATE 0
#endif
#endif

#if CILKPROF_ANNOTATE

#ifdef __cplusplus
extern "C" {
#endif
void __cilkprof_api_section_begin(const char *name, const char *file, int line);
void __cilkprof_api_section_end(int nowait, const char *file, int line);
void __cilkprof_api_task_begin(const char *name, const char *file, int line);
void __cilkprof_api_task_end(const char *file, int line);
void __cilkprof_api_iteration(const char *name, const char *file, int line);
void __cilkprof_api_lock_begin(const char *name, unsigned long lock, const char *file, int line);
void __cilkprof_api_lock_end(const char *name, unsigned long lock, const char *file, int line);
#ifdef __cplusplus
}
#endif

#define CILKPROF_SECTION_BEGIN(name) __cilkprof_api_section_begin(name, __FILE__, __LINE__)
#define CILKPROF_SECTION_END(nowait) __cilkprof_api_section_end((nowait) != 0, __FILE__, __LINE__)
#define CILKPROF_TASK_BEGIN(name)    __cilkprof_api_task_begin(name, __FILE__, __LINE__)
#define CILKPROF_TASK_END            __cilkprof_api_task_end(__FILE__, __LINE__)
#define CILKPROF_ITERATION(name)     __cilkprof_api_iteration(name, __FILE__, __LINE__)
#define CILKPROF_LOCK_BEGIN(lock)    __cilkprof_api_lock_begin(#lock, (unsigned long)(lock), __FILE__, __LINE__)
#define CILKPROF_LOCK_END(lock)      __cilkprof_api_lock_end(#lock, (unsigned long)(lock), __FILE__, __LINE__)

#else

#define CILKPROF_SECTION_BEGIN(name) ((void)0)
#define CILKPROF_SECTION_END(nowait) ((void)0)
#define CILKPROF_TASK_BEGIN(name)    ((void)0)
#define CILKPROF_TASK_END            ((void)0)
#define CILKPROF_ITERATION(name)     ((void)0)
#define CILKPROF_LOCK_BEGIN(lock)    ((void)0)
#define CILKPROF_LOCK_END(lock)      ((void)0)

#endif

/* The names of Kim and others, of the paper.  */
#ifndef CILKPROF_ANNOTATE_NO_SHORT_NAMES
#define PAR_SEC_BEGIN(name)  CILKPROF_SECTION_BEGIN(name)
#define PAR_SEC_END(nowait)  CILKPROF_SECTION_END(nowait)
#define PAR_TASK_BEGIN(name) CILKPROF_TASK_BEGIN(name)
#define PAR_TASK_END()       CILKPROF_TASK_END
#define LOCK_BEGIN(lock)     CILKPROF_LOCK_BEGIN(lock)
#define LOCK_END(lock)       CILKPROF_LOCK_END(lock)
#endif

/* The names of Intel Advisor.  Its users write an argument of the ENDs, or none.  */
#ifndef ANNOTATE_SITE_BEGIN
#if defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L || defined __cplusplus && __cplusplus >= 201103L
#define ANNOTATE_SITE_END(...) CILKPROF_SECTION_END(0)
#define ANNOTATE_TASK_END(...) CILKPROF_TASK_END
#else
#define ANNOTATE_SITE_END(site) CILKPROF_SECTION_END(0)
#define ANNOTATE_TASK_END(task) CILKPROF_TASK_END
#endif
#define ANNOTATE_SITE_BEGIN(site)     CILKPROF_SECTION_BEGIN(#site)
#define ANNOTATE_TASK_BEGIN(task)     CILKPROF_TASK_BEGIN(#task)
#define ANNOTATE_ITERATION_TASK(task) CILKPROF_ITERATION(#task)
#define ANNOTATE_LOCK_ACQUIRE(lock)   CILKPROF_LOCK_BEGIN(lock)
#define ANNOTATE_LOCK_RELEASE(lock)   CILKPROF_LOCK_END(lock)
/* What Advisor looks for besides is of no use here.  */
#define ANNOTATE_RECORD_ALLOCATION(address, size) ((void)0)
#define ANNOTATE_RECORD_DEALLOCATION(address)     ((void)0)
#define ANNOTATE_INDUCTION_USES(address, size)    ((void)0)
#define ANNOTATE_REDUCTION_USES(address, size)    ((void)0)
#define ANNOTATE_OBSERVE_USES(address, size)      ((void)0)
#define ANNOTATE_CLEAR_USES(address)              ((void)0)
#define ANNOTATE_AGGREGATE_TASK(count)            ((void)0)
#define ANNOTATE_DISABLE_OBSERVATION_PUSH         ((void)0)
#define ANNOTATE_DISABLE_OBSERVATION_POP          ((void)0)
#define ANNOTATE_DISABLE_COLLECTION_PUSH          ((void)0)
#define ANNOTATE_DISABLE_COLLECTION_POP           ((void)0)
#endif

#endif
