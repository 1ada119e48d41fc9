/* When oneTBB's threads sleep: by system calls, which arrive here because this library is loaded before the C library.
   SPDX-License-Identifier: MIT  */

#include <dlfcn.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "libcilkprof/sampler/tbb/tbb.h"

/* A system call by its number.  oneTBB's threads are blocked by those of a futex when they have no work: they are idle
   until it returns.  What wakes them is work, so they count as working from then on.  */
EXPORTED long syscall(long number, ...) {
  long (*next)(long, ...);
  FIND_NEXT(next, "syscall")
  long arguments[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++)
    arguments[i] = va_arg(list, long);
  va_end(list);
  bool blocks = number == SYS_futex && tbb_self && (arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAIT &&
                tbb_is_library((uintptr_t)__builtin_return_address(0));
  if (blocks)
    tbb_set_working(false);
  long result = next(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  if (blocks)
    tbb_set_working(true);
  return result;
}
