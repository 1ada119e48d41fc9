/* What each thread of a parallel run did over time, as JSON for the page.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/html/html.h"
#include "cilkprof-report/samples/samples.h"
#include "cilkprof-report/support/json.h"

enum { MAX_SLICES = 50000 }; /* limit for browsers */

/* Compares two lengths, the larger first, for qsort.  */
static int compare_html_lengths(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a > b ? -1 : a < b;
}

/* Returns the length, in nanoseconds, that a slice must have to be shown on the page, so that there are not too
   many.  */
static uint64_t least_html_slice_length(const struct samples *samples) {
  size_t count = 0, next = 0;
  for (size_t i = 0; i < samples->thread_count; i++)
    count += samples->threads[i].count;
  if (count <= MAX_SLICES)
    return 0;
  uint64_t *lengths = allocate(count, sizeof *lengths);
  for (size_t i = 0; i < samples->thread_count; i++)
    for (size_t k = 0; k < samples->threads[i].count; k++)
      lengths[next++] = samples->threads[i].slices[k].end_ns - samples->threads[i].slices[k].begin_ns;
  qsort(lengths, count, sizeof *lengths, compare_html_lengths);
  uint64_t least = lengths[MAX_SLICES - 1] + 1;
  free(lengths);
  return least;
}

/* Prints the slices of THREAD that have at least LEAST nanoseconds as an array of numbers: for each its beginning, its
   length, the state, and its name and the thread that created its task, or -1.  Returns how many are left out.  */
static size_t print_html_slices(FILE *out, const struct sample_thread *thread, uint64_t least, struct names *names) {
  size_t left_out = 0;
  const char *comma = "";
  putc('[', out);
  for (size_t i = 0; i < thread->count; i++) {
    const struct sample_slice *slice = &thread->slices[i];
    if (slice->end_ns - slice->begin_ns < least) {
      left_out++;
      continue;
    }
    fprintf(out, "%s%llu,%llu,%d,%lld,%lld", comma, (unsigned long long)slice->begin_ns,
            (unsigned long long)(slice->end_ns - slice->begin_ns), (int)slice->state,
            slice->name != NULL ? (long long)interned_name_number(names, slice->name) : -1,
            slice->creator != CILKPROF_NO_THREAD ? (long long)slice->creator : -1);
    comma = ",";
  }
  putc(']', out);
  return left_out;
}

/* Prints the member "slices" of the page's data on a parallel run: what each thread did over time.  */
void html_print_slices(FILE *out, const struct samples *samples) {
  struct names names = {0};
  uint64_t least = least_html_slice_length(samples), dropped = 0;
  size_t left_out = 0;
  fputs(",\n\"slices\":{\"threads\":[", out);
  for (size_t i = 0; i < samples->thread_count; i++) {
    fputs(i > 0 ? ",\n" : "\n", out);
    left_out += print_html_slices(out, &samples->threads[i], least, &names);
    model_add_saturating(&dropped, samples->threads[i].dropped);
  }
  fprintf(out, "],\"leftOut\":%zu,\"dropped\":%llu,\"names\":[", left_out, (unsigned long long)dropped);
  for (size_t i = 0; i < names.count; i++) {
    fputs(i > 0 ? "," : "", out);
    print_json_string(out, names.strings[i]);
  }
  fputs("]}", out);
}
