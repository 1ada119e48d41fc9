/* Statistics of numbers that another process sends through a pipe.
   SPDX-License-Identifier: MIT

   verdict: pipe-read | openmp | waiting | - | - |
   colleague: It waits for its input most of the time; the parallel part is short beside that.
   verdict: pipe-read-cilk | cilk -g | waiting | - | - |
   colleague: It waits for its input most of the time; the parallel part is short beside that.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
enum { PARTS = 12, PART = 4096 };

static double numbers[PART], results[PART];

/* The process that makes the numbers, slowly.  */
static void produce(int to) {
  for (int part = 0; part < PARTS; part++) {
    for (int i = 0; i < PART; i++)
      numbers[i] = (i * 7919 + part) % 1009;
    nanosleep(&(struct timespec){0, 15000000}, NULL);
    if (write(to, numbers, sizeof numbers) != sizeof numbers)
      _exit(1);
  }
  _exit(0);
}

static int receive(int from) {
  size_t had = 0;
  while (had < sizeof numbers) {
    ssize_t more = read(from, (char *)numbers + had, sizeof numbers - had);
    if (more <= 0)
      return 0;
    had += (size_t)more;
  }
  return 1;
}

int main(void) {
  int ends[2];
  if (pipe(ends) != 0)
    return 1;
  pid_t child = fork();
  if (child == 0)
    produce(ends[1]);
  close(ends[1]);
  double sum = 0;
  while (receive(ends[0])) {
    parallel_for(int i = 0; i < PART; i++) {
      double x = numbers[i];
      for (int k = 0; k < 20; k++)
        x = sqrt(x + k);
      results[i] = x;
    }
    sum += results[PART / 2];
  }
  waitpid(child, NULL, 0);
  printf("%.6f\n", sum);
  return 0;
}
