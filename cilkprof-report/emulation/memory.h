/* What memory that processors share makes slower: the model of Kim and others (IPDPS 2012).
   SPDX-License-Identifier: GPL-3.0-or-later

   A program's time is that of its instructions, if all were in caches, and a wait for each miss of the last one.  How
   long a miss waits depends on the traffic that a thread has (Phi), which is less where others have some as well (Psi).
   Both are measured on a machine.  Times are in nanoseconds, traffic in megabytes per second.  */

#ifndef CILKPROF_REPORT_MEMORY_H
#define CILKPROF_REPORT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Psi, of a number of threads: the traffic of all together is SLOPE times that of one alone, or times the logarithm of
   it, and OFFSET.  */
struct traffic_fit {
  unsigned threads;
  bool logarithmic;
  double slope, offset;
};

enum { MOST_FITS = 32 };

/* Phi: a miss waits for WAIT times traffic to the power of EXPONENT.  */
struct memory_machine {
  double line; /* bytes that a miss brings */
  double wait, exponent;
  double least; /* with less traffic than this, threads do not disturb each other */
  size_t fit_count;
  struct traffic_fit fits[MOST_FITS]; /* by their threads */
};

#define DEFAULT_LINE 64

/* What a section does alone.  */
struct memory_use {
  double instructions, time, misses; /* of the last-level cache */
};

/* Those that --calibrate has written.  Without any fit nothing is known.  */
struct memory_machine memory_machine_read(void);
/* One of them, by its name and its value as text: line, phi, psi2 and so on.  False: it is none.  */
bool memory_machine_set(struct memory_machine *machine, const char *name, const char *value);
/* For each a line that can be read again, BETWEEN the name and the value, and END.  */
void memory_machine_print(FILE *out, const struct memory_machine *machine, const char *between, const char *end);
static inline bool memory_machine_known(const struct memory_machine *machine) {
  return machine->fit_count > 0 && machine->wait > 0;
}
/* The most threads that something is known of.  */
unsigned memory_machine_threads(const struct memory_machine *machine);

/* Megabytes per second of one of so many threads, each of which would have TRAFFIC alone.  0: it is not known.  */
double memory_traffic(const struct memory_machine *machine, double traffic, unsigned threads);
/* How many times as long its instructions take, when so many threads share the work; 1 at least.  0: it is not known.
   The time may have any unit that is the machine's.  */
double memory_burden(const struct memory_machine *machine, const struct memory_use *use, double traffic,
                     unsigned threads);

/* What a benchmark measured: on so many threads, at one of several levels of traffic.  */
struct memory_point {
  unsigned threads, level;
  double traffic; /* of one of them */
  double wait;    /* for a miss */
};
struct memory_machine memory_fit(const struct memory_point *points, size_t count, double line);

#endif
