/* A system with processor counters that is made up, as few machines have them, to be preloaded: perf_event_open, and
   what is read of its files.  The files are those of a device that nobody else opens.
   SPDX-License-Identifier: MIT

   A program that includes it defines what differs: is_made_up, which counters there are, and set_readings, what they
   count.  FORBIDDEN=N in the environment: a thread may open only N of them.  */

#ifndef CILKPROF_TEST_PERF_SYSTEM_H
#define CILKPROF_TEST_PERF_SYSTEM_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns whether EVENT is a counter of this system; the others are left to that of the machine.  */
static int is_made_up(const struct perf_event_attr *event);
/* Sets READINGS to what a read of a group of COUNT counters returns: COUNT, how long they are enabled and how long they
   run, and the counters.  */
static void set_readings(uint64_t *readings, uint64_t count);

static __thread int opened; /* counters of this thread */

/* Returns whether FILE is that of a counter.  */
static int is_counter(int file) {
  struct stat here, device;
  return fstat(file, &here) == 0 && stat("/dev/full", &device) == 0 && here.st_rdev == device.st_rdev;
}

/* Opens a counter for this thread in the group of FIRST, which is a counter but for the first one.  Ends the program if
   the description is not as the kernel wants it.  */
static int open_counter(const struct perf_event_attr *event, int pid, int processor, int first, unsigned long flags) {
  const char *forbidden = getenv("FORBIDDEN");
  uint64_t format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  if (event->size < PERF_ATTR_SIZE_VER0 || event->read_format != format || !event->exclude_kernel || event->disabled ||
      pid != 0 || processor != -1 || flags != PERF_FLAG_FD_CLOEXEC || (opened > 0 ? !is_counter(first) : first != -1))
    abort();
  if (forbidden && opened == atoi(forbidden)) {
    errno = EACCES;
    return -1;
  }
  opened++;
  return open("/dev/full", O_RDONLY | O_CLOEXEC);
}

/* The C library's function: perf_event_open has no other name.  */
long syscall(long number, ...) {
  static long (*other)(long, ...);
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_perf_event_open && is_made_up((const struct perf_event_attr *)a[0]))
    return open_counter((const struct perf_event_attr *)a[0], (int)a[1], (int)a[2], (int)a[3], (unsigned long)a[4]);
  if (!other)
    other = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return other(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Tells the number of a counter.  */
int ioctl(int file, unsigned long request, ...) {
  static int (*other)(int, unsigned long, ...);
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  if (is_counter(file) && request == PERF_EVENT_IOC_ID) {
    *(uint64_t *)argument = 4711 + (uint64_t)file;
    return 0;
  }
  if (!other)
    other = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
  return other(file, request, argument);
}

/* Reads the counters of a group, in the place of the function that is called by this name (common/own-names).  SIZE is
   that of all of them: the kernel refuses less.  */
ssize_t __read(int file, void *to, size_t size) {
  static ssize_t (*other)(int, void *, size_t);
  if (is_counter(file)) {
    uint64_t readings[3 + 16] = {0}, count = size / 8 - 3;
    if (size < 4 * 8 || size % 8 || count > 16 || count != (uint64_t)opened) {
      errno = ENOSPC;
      return -1;
    }
    set_readings(readings, count);
    memcpy(to, readings, size);
    return (ssize_t)size;
  }
  if (!other)
    other = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "__read");
  return other(file, to, size);
}

#endif
