/* The model of contention for memory that processors share.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/emulation/memory.h"
#include "cilkprof-report/emulation/overheads.h"

#define FEW_MISSES 0.001 /* misses per instruction, below which memory does not matter */

/* Returns the largest number of threads for which contention for memory is known on MACHINE.  */
unsigned memory_contention_threads(const struct memory_machine *machine) {
  return machine->fit_count > 0 ? machine->fits[machine->fit_count - 1].threads : 1;
}

/* Returns the total memory traffic of all threads of FIT, if one alone has TRAFFIC.  */
static double fitted_total_memory_traffic(const struct traffic_fit *fit, double traffic) {
  return fit->slope * (fit->logarithmic ? log(traffic) : traffic) + fit->offset;
}

/* Returns the memory traffic of each of THREADS that run at once, if each would have TRAFFIC alone; 0: unknown.  With
   more threads, the total traffic is not less, and that of each thread is not more: this is enforced, whatever was
   measured.  Between two measured numbers of threads the total is interpolated linearly.  */
double contended_memory_traffic(const struct memory_machine *machine, double traffic, unsigned threads) {
  double total = traffic;
  unsigned before = 1;
  if (threads > memory_contention_threads(machine))
    return 0;
  if (traffic < machine->least)
    return traffic;
  for (size_t i = 0; before < threads; i++) {
    const struct traffic_fit *fit = &machine->fits[i];
    double next = fmin(fmax(fitted_total_memory_traffic(fit, traffic), total), total / before * fit->threads);
    if (fit->threads >= threads)
      return (total + (next - total) * (threads - before) / (fit->threads - before)) / threads;
    total = next;
    before = fit->threads;
  }
  return traffic;
}

/* Returns how long a miss waits (Phi), in nanoseconds, if a thread has this memory TRAFFIC.  */
static double contended_memory_miss_wait(const struct memory_machine *machine, double traffic) {
  return machine->wait * pow(traffic, machine->exponent);
}

/* Returns the factor, at least 1, by which instructions take longer if THREADS share the work of USE, which has TRAFFIC
   on one processor; 0: unknown.  The time of USE must have the unit of the waits of MACHINE.  The wait of a miss is
   limited so that all misses together wait no longer than the time of USE.  Then the wait with several threads is
   limited in proportion.  */
double memory_contention_burden(const struct memory_machine *machine, const struct memory_use *use, double traffic,
                                unsigned threads) {
  if (threads <= 1 || !(use->instructions > 0) || !(use->time > 0) || use->misses / use->instructions < FEW_MISSES)
    return 1;
  double shared = contended_memory_traffic(machine, traffic, threads);
  if (!(shared > 0))
    return 0;
  double wait = fmin(contended_memory_miss_wait(machine, traffic), use->time / use->misses);
  double longer = wait * contended_memory_miss_wait(machine, shared) / contended_memory_miss_wait(machine, traffic);
  double cached = (use->time - wait * use->misses) / use->instructions, rate = use->misses / use->instructions;
  double burden = (cached + rate * longer) / (cached + rate * wait);
  return fmin(fmax(burden, 1), threads); /* together, threads that only wait for memory are not slower than one */
}

/* Reads exactly COUNT numbers that are separated by colons, the value of a parameter of contention for memory.  Returns
   whether TEXT has that form.  */
static bool parse_memory_contention_numbers(const char *text, double *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    char *end;
    numbers[i] = strtod(text, &end);
    if (end == text || !isfinite(numbers[i]) || *end != (i + 1 < count ? ':' : 0))
      return false;
    text = end + 1;
  }
  return true;
}

/* Sets the fit of memory traffic (Psi) for one number of THREADS from VALUE, such as "linear:1.5:2000".  Returns
   whether VALUE is valid.  */
static bool set_memory_traffic_fit(struct memory_machine *machine, unsigned long threads, const char *value) {
  struct traffic_fit fit = {.threads = (unsigned)threads, .logarithmic = strncmp(value, "log:", 4) == 0};
  const char *numbers = strchr(value, ':');
  double pair[2];
  if (threads < 2 || threads > 1024 || (!fit.logarithmic && strncmp(value, "linear:", 7) != 0) ||
      !parse_memory_contention_numbers(numbers + 1, pair, 2) || pair[0] < 0)
    return false;
  fit.slope = pair[0];
  fit.offset = pair[1];
  size_t place = 0;
  while (place < machine->fit_count && machine->fits[place].threads < threads)
    place++;
  bool same = place < machine->fit_count && machine->fits[place].threads == threads;
  if (!same && machine->fit_count == MAX_FITS)
    return false;
  if (!same)
    memmove(&machine->fits[place + 1], &machine->fits[place], (machine->fit_count++ - place) * sizeof fit);
  machine->fits[place] = fit;
  return true;
}

/* Sets the parameter NAME of the model of contention for memory (line, phi, psi2 and so on) to VALUE.  Returns false if
   there is no such parameter or VALUE is invalid.  */
bool set_memory_contention_parameter(struct memory_machine *machine, const char *name, const char *value) {
  double numbers[3];
  char *end;
  if (strcmp(name, "line") == 0) {
    if (!parse_memory_contention_numbers(value, numbers, 1) || numbers[0] < 1 || numbers[0] > 65536)
      return false;
    machine->line = numbers[0];
    return true;
  }
  if (strcmp(name, "phi") == 0) {
    if (!parse_memory_contention_numbers(value, numbers, 3) || numbers[0] <= 0 || fabs(numbers[1]) > 10 ||
        numbers[2] < 0)
      return false;
    machine->wait = numbers[0];
    machine->exponent = numbers[1];
    machine->least = numbers[2];
    return true;
  }
  if (strncmp(name, "psi", 3) != 0 || name[3] < '0' || name[3] > '9')
    return false;
  unsigned long threads = strtoul(name + 3, &end, 10);
  return *end == 0 && set_memory_traffic_fit(machine, threads, value);
}

/* Prints all parameters of the model of contention for memory so that they can be read again: a name, BETWEEN, a value,
   END.  Prints nothing if they are unknown.  */
void print_memory_contention_parameters(FILE *out, const struct memory_machine *machine, const char *between,
                                        const char *end) {
  if (!is_memory_contention_calibrated(machine))
    return;
  fprintf(out, "line%s%.0f%s", between, machine->line, end);
  fprintf(out, "phi%s%.6g:%.4g:%.0f%s", between, machine->wait, machine->exponent, machine->least, end);
  for (size_t i = 0; i < machine->fit_count; i++)
    fprintf(out, "psi%u%s%s:%.6g:%.6g%s", machine->fits[i].threads, between,
            machine->fits[i].logarithmic ? "log" : "linear", machine->fits[i].slope, machine->fits[i].offset, end);
}

/* Reads the parameters of contention for memory that --calibrate wrote.  Lines that are not valid are ignored.  Without
   fits the machine is unknown.  */
struct memory_machine read_memory_contention_parameters(void) {
  struct memory_machine machine = {.line = DEFAULT_LINE};
  char *path = emulated_overheads_path(), line[256], name[32], value[128];
  FILE *file = path != NULL ? fopen(path, "r") : NULL;
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "%31s %127s", name, value) == 2)
      set_memory_contention_parameter(&machine, name, value);
  if (file != NULL)
    fclose(file);
  free(path);
  return machine;
}
