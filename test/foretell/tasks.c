/* Many tasks of equal length.
   SPDX-License-Identifier: MIT

     tasks COUNT TURNS     prints the nanoseconds of the processor's time that they took, and by how many kB the
                           process grew  */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "cilkprof-annotate.h"

/* Returns the largest amount of memory that the process has had so far, in kB; 0 if the system does not say.  */
static long peak(void) {
  char line[256];
  long kilobytes = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file) && sscanf(line, "VmHWM: %ld", &kilobytes) != 1)
    ;
  if (file)
    fclose(file);
  return kilobytes;
}

/* Returns the CPU time that the process has used, in nanoseconds.  */
static double processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* Spends time: runs an empty loop of so many TURNS, which the compiler must keep.  */
static __attribute__((noinline)) void turn(long turns) {
  while (turns-- > 0)
    __asm__ volatile("" ::: "memory");
}

/* Runs COUNT tasks of TURNS turns each, one after the other, and prints what they took.  */
int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 1, turns = argc > 2 ? atol(argv[2]) : 1, before = peak();
  double begin = processor_time();
  PAR_SEC_BEGIN("loop");
  for (long i = 0; i < count; i++) {
    PAR_TASK_BEGIN("task");
    turn(turns);
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
  double end = processor_time();
  printf("%.0f %ld\n", end - begin, peak() - before);
  return 0;
}
