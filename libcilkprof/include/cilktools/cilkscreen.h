/* What programs tell Cilk Plus's race detector.  A serial run has no races: all of it does nothing.
   SPDX-License-Identifier: MIT  */

#ifndef CILKTOOLS_CILKSCREEN_H
#define CILKTOOLS_CILKSCREEN_H

#pragma GCC system_header
#include <cilk/cilk_api.h>

#define METACALL_TOOL_CILKSCREEN 1
#define CS_METACALL_PUTS         0

#define __cilkscreen_metacall(what, data)      ((void)(what), (void)(data))
#define __cilkscreen_puts(text)                ((void)(text))
#define __cilkscreen_enable_instrumentation()  ((void)0)
#define __cilkscreen_disable_instrumentation() ((void)0)
#define __cilkscreen_enable_checking()         ((void)0)
#define __cilkscreen_disable_checking()        ((void)0)
#define __cilkscreen_acquire_lock(lock)        ((void)(lock))
#define __cilkscreen_release_lock(lock)        ((void)(lock))
#define __cilkscreen_clean(begin, end)         ((void)(begin), (void)(end))
#define __cilkscreen_atomic_clean(begin, end)  ((void)(begin), (void)(end))
#define __cilkscreen_begin_reduce_strand()     ((void)0)
#define __cilkscreen_end_reduce_strand()       ((void)0)

#endif
