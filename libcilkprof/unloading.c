/* What every instrumented shared library holds: it tells the engine that it is about to be unloaded.
   SPDX-License-Identifier: MIT  */

extern void __cilkprof_unload(const void *inside);

/* The earliest priority runs last, after the library's own destructors.  */
static __attribute__((destructor(101))) void unload(void) {
  static const char inside;
  __cilkprof_unload(&inside);
}
