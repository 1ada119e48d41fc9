/* Linked into every instrumented executable and library: tells the engine where its site records are and when it is
   unloaded, and asks whether its functions are to run without events.
   SPDX-License-Identifier: MIT

   The records are in a section of their own, for the live file.  LAST is linked behind them.  LAST and so the section
   are aligned to the largest page size: no page with a record holds anything else.  */

extern void __cilkprof_records_add(char *start, char *end);
extern int __cilkprof_reference_start(void) __attribute__((weak)); /* missing where a tool replaces the engine */
extern void __cilkprof_counters_add(void *begin, void *end) __attribute__((weak));
extern void __cilkprof_unload(const void *inside);
extern char __start_cilkprof_records[] __attribute__((visibility("hidden")));
/* Where calls in counted code are counted; missing if there is no such code.  */
extern char __start_cilkprof_counters[] __attribute__((visibility("hidden"), weak));
extern char __stop_cilkprof_counters[] __attribute__((visibility("hidden"), weak));
extern void *const __dso_handle __attribute__((visibility("hidden"))); /* 0 in an executable */

#if defined(__aarch64__)
#define LARGEST_PAGE 65536
#else
#define LARGEST_PAGE 4096
#endif
static char last[8] __attribute__((section("cilkprof_records"), aligned(LARGEST_PAGE), used));

/* Whether functions are to run without events.  Functions that other code can enter check it (cc/back/bare.cc).  */
extern int __cilkprof_bare __attribute__((visibility("hidden"), weak)); /* defined in every unit */
int __cilkprof_bare;

/* Tells the engine where the site records of this executable or library are, and asks whether its functions are to run
   without events.  Runs before the program's own constructors.  */
static __attribute__((constructor(101))) void load(void) {
  __cilkprof_bare = __cilkprof_reference_start && __cilkprof_reference_start();
  __cilkprof_records_add(__start_cilkprof_records, last);
  if (__cilkprof_counters_add)
    __cilkprof_counters_add(__start_cilkprof_counters, __stop_cilkprof_counters);
}

/* Tells the engine that this library is unloaded.  Runs after the library's own destructors: the one with the lowest
   priority number is last.  An executable is never unloaded.  */
static __attribute__((destructor(101))) void unload(void) {
  if (__dso_handle)
    __cilkprof_unload(last);
}
