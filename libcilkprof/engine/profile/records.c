/* What every instrumented executable and library holds: where its site records are, for the live file, whether its
   functions are to run without events, and that it is about to be unloaded.
   SPDX-License-Identifier: MIT

   The records are in a section of their own.  LAST is linked behind them and is aligned to the largest page, and so is
   their section: no page with a record holds anything else.  */

extern void __cilkprof_records_add(char *start, char *end);
extern int __cilkprof_reference_start(void) __attribute__((weak)); /* a tool may take the engine's place */
extern void __cilkprof_unload(const void *inside);
extern char __start_cilkprof_records[] __attribute__((visibility("hidden")));
extern void *const __dso_handle __attribute__((visibility("hidden"))); /* 0 in an executable */

#if defined(__aarch64__)
#define LARGEST_PAGE 65536
#else
#define LARGEST_PAGE 4096
#endif
static char last[8] __attribute__((section("cilkprof_records"), aligned(LARGEST_PAGE), used));

/* Whether functions are to run without events: those that can be entered look at it (cc/bare.cc).  */
extern int __cilkprof_bare __attribute__((visibility("hidden"), weak)); /* every unit has it */
int __cilkprof_bare;

/* Before the program's own constructors.  */
static __attribute__((constructor(101))) void load(void) {
  __cilkprof_bare = __cilkprof_reference_start && __cilkprof_reference_start();
  __cilkprof_records_add(__start_cilkprof_records, last);
}

/* The earliest priority runs last, after the library's own destructors.  An executable stays.  */
static __attribute__((destructor(101))) void unload(void) {
  if (__dso_handle)
    __cilkprof_unload(last);
}
