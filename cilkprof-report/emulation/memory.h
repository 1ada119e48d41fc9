/* Contention for memory that processors share: the model of Kim and others (IPDPS 2012).
   SPDX-License-Identifier: GPL-3.0-or-later

   The time of a program is that of its instructions if all data were in caches, plus a wait for each miss of the
   last-level cache.  How long a miss waits depends on the memory traffic that a thread achieves (Phi), which is less if
   other threads have traffic as well (Psi).  Both functions are measured on the machine.  Times are in nanoseconds,
   traffic in megabytes per second.  */

#ifndef CILKPROF_REPORT_MEMORY_H
#define CILKPROF_REPORT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Psi for one number of threads: their total traffic is SLOPE times that of one thread alone, or its logarithm, plus
   OFFSET.  */
struct traffic_fit {
  unsigned threads;
  bool logarithmic;
  double slope, offset;
};

enum { MAX_FITS = 32 };

/* Measured parameters of a machine.  */
struct memory_machine {
  double line;           /* bytes that a miss transfers */
  double wait, exponent; /* Phi: a miss waits for WAIT times traffic to the power of EXPONENT */
  double least;          /* threads with less traffic than this do not slow each other down */
  size_t fit_count;
  struct traffic_fit fits[MAX_FITS]; /* Psi, sorted by threads */
};

#define DEFAULT_LINE 64

/* Memory use of a section that runs on one processor.  */
struct memory_use {
  double instructions, time, misses; /* misses of the last-level cache */
};

struct memory_machine read_memory_contention_parameters(void);
bool set_memory_contention_parameter(struct memory_machine *machine, const char *name, const char *value);
void print_memory_contention_parameters(FILE *out, const struct memory_machine *machine, const char *between,
                                        const char *end);
/* Returns whether contention for memory was measured on MACHINE, so that forecasts can include it.  */
static inline bool is_memory_contention_calibrated(const struct memory_machine *machine) {
  return machine->fit_count > 0 && machine->wait > 0;
}
unsigned memory_contention_threads(const struct memory_machine *machine);

double contended_memory_traffic(const struct memory_machine *machine, double traffic, unsigned threads);
double memory_contention_burden(const struct memory_machine *machine, const struct memory_use *use, double traffic,
                                unsigned threads);

/* A measurement of the benchmark.  */
struct memory_point {
  unsigned threads, level; /* number of threads; one of several levels of traffic */
  double traffic;          /* of each thread */
  double wait;             /* of a miss */
};
struct memory_machine fit_memory_contention(const struct memory_point *points, size_t count, double line);

#endif
