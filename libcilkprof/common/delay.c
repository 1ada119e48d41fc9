/* How long a thread was ready to run and had no processor, as the kernel counts it (CONFIG_SCHED_INFO).
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "libcilkprof/common/system.h"

/* Returns how long thread number THREAD of this process, or the calling thread if that is 0, has been ready to run
   without a processor, in nanoseconds; CILKPROF_NO_DELAY if the system does not say.  Preserves errno.  */
uint64_t __cilkprof_delay_ns(int thread) {
  int error = errno;
  char path[64] = "/proc/thread-self/schedstat", text[80];
  uint64_t delay = CILKPROF_NO_DELAY;
  if (thread)
    snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : 0;
  text[length > 0 ? length : 0] = 0;
  if (file >= 0)
    close(file);
  if (sscanf(text, "%*u %" SCNu64, &delay) != 1)
    delay = CILKPROF_NO_DELAY;
  errno = error;
  return delay;
}
