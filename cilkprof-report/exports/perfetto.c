/* What the threads of a parallel run did over time, as Chrome's trace events, which the viewers of Perfetto and of
   Chrome open: a row for each thread, and an arrow for each task that another thread created.
   SPDX-License-Identifier: GPL-3.0-or-later

   Times are in microseconds.  The unit of display is ns: with ms, Chrome's viewer rounds times to microseconds, and
   draws short slices inside of their neighbours.  The events are: M, names; X, something with a duration; s and f, the
   ends of an arrow; b and e, the beginning and the end of a parallel region, which has a row of its own.  */

#include <stdlib.h>
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/samples/samples.h"
#include "cilkprof-report/support/json.h"

enum { PROCESS = 1 };

/* Prints the beginning of an event of the phase PHASE, in thread number THREAD at NS nanoseconds of the run: the
   members that all events have, without the closing brace.  */
static void print_perfetto_event(FILE *out, char phase, size_t thread, uint64_t ns) {
  fprintf(out, ",\n{\"ph\":\"%c\",\"pid\":%d,\"tid\":%zu,\"ts\":%llu.%03u", phase, PROCESS, thread + 1,
          (unsigned long long)(ns / 1000), (unsigned)(ns % 1000));
}

/* Prints the member NAME of an event, a string.  */
static void print_perfetto_text(FILE *out, const char *name, const char *text) {
  fprintf(out, ",\"%s\":", name);
  print_json_string(out, text);
}

/* Prints the names of the process and of its threads, the first events.  */
static void print_perfetto_names(FILE *out, const struct model *model) {
  const struct samples *samples = model->samples;
  fprintf(out, "\n{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":", PROCESS);
  print_json_string(out, samples->program.argc > 0 ? samples->program.argv[0] : "");
  fputs("}}", out);
  for (size_t i = 0; i < samples->thread_count; i++) {
    fprintf(out, ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%zu,\"name\":\"thread_name\",\"args\":{\"name\":\"thread %zu\"}}",
            PROCESS, i + 1, i + 1);
    fprintf(out,
            ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%zu,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%zu}}",
            PROCESS, i + 1, i + 1);
  }
}

/* Returns whether THREAD did anything known at NS nanoseconds of the run: viewers draw an arrow only from there.  */
static bool is_perfetto_thread_seen(const struct sample_thread *thread, uint64_t ns) {
  size_t low = 0, high = thread->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ns < thread->slices[middle].begin_ns)
      high = middle;
    else if (ns >= thread->slices[middle].end_ns)
      low = middle + 1;
    else
      return true;
  }
  return false;
}

/* Prints SLICE of thread number THREAD of SAMPLES, and the arrow from the thread that created its task, if that is
   another one. *ARROWS is the number of arrows so far.  */
static void print_perfetto_slice(FILE *out, const struct samples *samples, const struct sample_slice *slice,
                                 size_t thread, size_t *arrows) {
  const char *state = sample_state_name(slice->state);
  uint64_t length = slice->end_ns - slice->begin_ns;
  print_perfetto_event(out, 'X', thread, slice->begin_ns);
  fprintf(out, ",\"dur\":%llu.%03u", (unsigned long long)(length / 1000), (unsigned)(length % 1000));
  print_perfetto_text(out, "cat", state);
  print_perfetto_text(out, "name", slice->name != NULL && slice->state == CILKPROF_THREAD_WORKS ? slice->name : state);
  putc('}', out);
  if (slice->creator == CILKPROF_NO_THREAD || slice->creator == thread ||
      !is_perfetto_thread_seen(&samples->threads[slice->creator], slice->begin_ns))
    return;
  ++*arrows;
  print_perfetto_event(out, 's', slice->creator, slice->begin_ns);
  fprintf(out, ",\"id\":%zu,\"cat\":\"task\",\"name\":\"task\"}", *arrows);
  print_perfetto_event(out, 'f', thread, slice->begin_ns);
  fprintf(out, ",\"id\":%zu,\"cat\":\"task\",\"name\":\"task\",\"bp\":\"e\"}", *arrows);
}

/* Prints REGION, which thread number THREAD began, as the events of its beginning and its end.  NUMBER tells regions
   apart.  */
static void print_perfetto_region(FILE *out, const struct sample_region *region, size_t thread, size_t number) {
  for (int end = 0; end < 2; end++) {
    print_perfetto_event(out, end ? 'e' : 'b', thread, end ? region->end_ns : region->begin_ns);
    fprintf(out, ",\"id\":%zu,\"cat\":\"region\"", number);
    print_perfetto_text(out, "name", region->name != NULL ? region->name : "region");
    putc('}', out);
  }
}

/* Prints the timeline of a parallel run as JSON in Chrome's trace event format.  */
void print_perfetto(FILE *out, struct model *model, const struct options *options) {
  const struct samples *samples = model->samples;
  size_t arrows = 0, regions = 0;
  uint64_t dropped = 0;
  (void)options;
  fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", out);
  print_perfetto_names(out, model);
  for (size_t i = 0; i < samples->thread_count; i++) {
    const struct sample_thread *thread = &samples->threads[i];
    model_add_saturating(&dropped, thread->dropped);
    for (size_t k = 0; k < thread->count; k++)
      print_perfetto_slice(out, samples, &thread->slices[k], i, &arrows);
    for (size_t k = 0; k < thread->region_count; k++)
      print_perfetto_region(out, &thread->regions[k], i, ++regions);
  }
  fprintf(out, "],\n\"otherData\":{\"exporter\":\"cilkprof-report\",\"earlier_changes_not_kept\":\"%llu\"}}\n",
          (unsigned long long)dropped);
}
