/* Calling contexts for speedscope: for each metric a profile of stacks with their exclusive values.  Samples of a
   parallel run add a profile of the time line: how many threads worked at each time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/support/json.h"
#include "cilkprof-report/exports/stacks.h"
#include "cilkprof-report/support/support.h"

/* Prints the frames that speedscope's stacks refer to: the functions by number, then the numbers of threads at work,
   from 1.  */
static void print_speedscope_frames(FILE *out, const struct stacks *stacks) {
  size_t threads = stacks->timeline != NULL ? stacks->timeline->thread_count : 0;
  for (size_t i = 0; i < stacks->functions->count; i++) {
    const struct function *function = stacks->functions->list[i];
    fputs(i > 0 ? ",\n{\"name\":" : "\n{\"name\":", out);
    print_json_string(out, function->name);
    if (function->place.file != NULL) {
      fputs(",\"file\":", out);
      print_json_string(out, function->place.file);
    }
    if (function->place.line > 0)
      fprintf(out, ",\"line\":%u", function->place.line);
    putc('}', out);
  }
  for (size_t i = 0; i < threads; i++)
    fprintf(out, ",\n{\"name\":\"%zu at work\"}", i + 1);
}

/* Prints the frames of the stack with index STACK, the outermost function first. *PATH, an array of *ROOM elements, is
   reused from stack to stack.  */
static void print_speedscope_stack(FILE *out, const struct stacks *stacks, uint32_t stack, uint32_t **path,
                                   size_t *room) {
  putc('[', out);
  for (size_t left = export_stack_path(stacks, stack, path, room); left-- > 0;)
    fprintf(out, "%u%s", stacks->stacks[(*path)[left]].function->number, left > 0 ? "," : "]");
}

/* Returns the title under which speedscope shows the profile of WEIGHT.  */
static const char *speedscope_profile_title(enum weight weight) {
  return weight == WEIGHT_SPAN ? "span: the critical path" : option_metric_name(weight);
}

/* Prints a profile for speedscope: the stacks that have a value of WEIGHT, and these values.  */
static void print_speedscope_profile(FILE *out, const struct stacks *stacks, enum weight weight) {
  uint64_t sum = 0;
  uint32_t *path = NULL;
  size_t room = 0;
  const char *comma = "\n";
  fprintf(out, "{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"%s\",\"samples\":[", speedscope_profile_title(weight),
          weight != WEIGHT_CALLS && stacks->timed ? "nanoseconds" : "none");
  for (uint32_t i = 0; i < stacks->count; i++) {
    if (stacks->stacks[i].values[weight] == 0)
      continue;
    fputs(comma, out);
    print_speedscope_stack(out, stacks, i, &path, &room);
    comma = ",\n";
  }
  fputs("],\"weights\":[", out);
  comma = "";
  for (uint32_t i = 0; i < stacks->count; i++) {
    uint64_t value = stacks->stacks[i].values[weight];
    if (value == 0)
      continue;
    fprintf(out, "%s%llu", comma, (unsigned long long)value);
    model_add_saturating(&sum, value);
    comma = ",";
  }
  fprintf(out, "],\"startValue\":0,\"endValue\":%llu}", (unsigned long long)sum);
  free(path);
}

/* Compares two times, the shorter first, for qsort.  */
static int compare_speedscope_times(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? -1 : a > b;
}

/* The time, in one bucket of the time line, in which COUNT threads worked at once.  A thread that worked for a shorter
   time is assumed to have worked while the others did.  */
struct concurrency {
  size_t count;
  uint64_t ns;
};

/* Fills in LEVELS, how long how many threads worked at once, for each bucket of the time line, and returns their
   number.  LEVELS has room for one more than the number of threads in each bucket.  */
static size_t find_speedscope_levels(const struct cilkprof_timeline *line, struct concurrency *levels) {
  uint64_t *times = allocate(line->thread_count, sizeof *times);
  size_t count = 0;
  for (uint64_t bucket = 0; bucket < line->bucket_count; bucket++) {
    uint64_t before = 0;
    for (uint64_t i = 0; i < line->thread_count; i++) {
      uint64_t worked = line->work_ns[i * line->bucket_count + bucket];
      times[i] = worked < line->bucket_ns ? worked : line->bucket_ns;
    }
    qsort(times, line->thread_count, sizeof *times, compare_speedscope_times);
    for (uint64_t i = 0; i < line->thread_count; before = times[i++])
      if (times[i] > before)
        levels[count++] = (struct concurrency){line->thread_count - i, times[i] - before};
    if (line->bucket_ns > before)
      levels[count++] = (struct concurrency){0, line->bucket_ns - before};
  }
  free(times);
  return count;
}

/* Prints the time line of a parallel run as a profile for speedscope: the depth of each stack is the number of threads
   at work.  */
static void print_speedscope_timeline(FILE *out, const struct stacks *stacks) {
  const struct cilkprof_timeline *line = stacks->timeline;
  struct concurrency *levels = allocate((line->thread_count + 1) * line->bucket_count, sizeof *levels);
  size_t count = find_speedscope_levels(line, levels);
  fputs("{\"type\":\"sampled\",\"name\":\"time line: how many were at work\",\"unit\":\"nanoseconds\",\"samples\":[",
        out);
  for (size_t i = 0; i < count; i++) {
    fputs(i > 0 ? ",[" : "[", out);
    for (size_t k = 0; k < levels[i].count; k++)
      fprintf(out, k > 0 ? ",%zu" : "%zu", stacks->functions->count + k);
    putc(']', out);
  }
  fputs("],\"weights\":[", out);
  for (size_t i = 0; i < count; i++)
    fprintf(out, i > 0 ? ",%llu" : "%llu", (unsigned long long)levels[i].ns);
  fprintf(out, "],\"startValue\":0,\"endValue\":%llu}", (unsigned long long)(line->bucket_ns * line->bucket_count));
  free(levels);
}

/* Returns the index of the profile of WEIGHT, which speedscope shows first.  */
static size_t speedscope_active_profile(const struct stacks *stacks, enum weight weight) {
  size_t i = 0;
  while (i + 1 < stacks->weight_count && stacks->weights[i] != weight)
    i++;
  return i;
}

/* Prints the calling contexts as a JSON file for speedscope, with a profile for each metric and one for the time line
   of a parallel run.  */
void print_speedscope(FILE *out, struct model *model, const struct options *options) {
  struct stacks stacks = make_export_stacks(model, options);
  fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
        "\"exporter\":\"cilkprof-report\",\"name\":",
        out);
  print_json_string(out, model->program.argc > 0 ? model->program.argv[0] : "");
  fprintf(out, ",\"activeProfileIndex\":%zu,\n\"shared\":{\"frames\":[",
          speedscope_active_profile(&stacks, options->weight));
  print_speedscope_frames(out, &stacks);
  fputs("]},\n\"profiles\":[\n", out);
  for (size_t i = 0; i < stacks.weight_count; i++) {
    fputs(i > 0 ? ",\n" : "", out);
    print_speedscope_profile(out, &stacks, stacks.weights[i]);
  }
  if (stacks.timeline != NULL) {
    fputs(",\n", out);
    print_speedscope_timeline(out, &stacks);
  }
  fputs("]}\n", out);
  free(stacks.stacks);
}
