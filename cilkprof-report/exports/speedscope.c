/* Calling contexts for speedscope: one profile for each weight, of stacks and what each has itself.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/options/options.h"

/* Frames are functions, by their numbers in the model.  */
static void print_frames(FILE *out, const struct model *model) {
  for (size_t i = 0; i < model->function_count; i++) {
    const struct function *function = model->functions[i];
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
}

/* The outermost function first.  */
static void print_stack(FILE *out, const struct model *model, uint32_t context, uint32_t **path, size_t *room) {
  const struct contexts *contexts = &model->contexts;
  putc('[', out);
  for (size_t left = context_path(contexts, context, path, room); left-- > 0;)
    fprintf(out, "%u%s", model->sites[contexts->contexts[(*path)[left]].site].callee->number, left > 0 ? "," : "]");
}

static const char *title(enum weight weight) {
  return weight == WEIGHT_WORK ? "work" : weight == WEIGHT_SPAN ? "span: the critical path" : "calls";
}

static void print_profile(FILE *out, const struct model *model, enum weight weight) {
  const struct contexts *contexts = &model->contexts;
  uint64_t sum = 0;
  uint32_t *path = NULL;
  size_t room = 0;
  const char *comma = "\n";
  fprintf(out, "{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"%s\",\"samples\":[", title(weight),
          weight != WEIGHT_CALLS && model->run.units_per_second > 0 ? "nanoseconds" : "none");
  for (uint32_t i = 0; i < contexts->count; i++) {
    uint64_t value = context_weight(model, &contexts->contexts[i], weight);
    if (value == 0)
      continue;
    fputs(comma, out);
    print_stack(out, model, i, &path, &room);
    comma = ",\n";
  }
  fputs("],\"weights\":[", out);
  comma = "";
  for (uint32_t i = 0; i < contexts->count; i++) {
    uint64_t value = context_weight(model, &contexts->contexts[i], weight);
    if (value == 0)
      continue;
    fprintf(out, "%s%llu", comma, (unsigned long long)value);
    add(&sum, value);
    comma = ",";
  }
  fprintf(out, "],\"startValue\":0,\"endValue\":%llu}", (unsigned long long)sum);
  free(path);
}

void print_speedscope(FILE *out, struct model *model, const struct options *options) {
  fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
        "\"exporter\":\"cilkprof-report\",\"name\":",
        out);
  print_json_string(out, model->program.argc > 0 ? model->program.argv[0] : "");
  fprintf(out, ",\"activeProfileIndex\":%d,\n\"shared\":{\"frames\":[", (int)options->weight);
  print_frames(out, model);
  fputs("]},\n\"profiles\":[\n", out);
  for (enum weight weight = 0; weight < WEIGHTS; weight++) {
    print_profile(out, model, weight);
    fputs(weight + 1 < WEIGHTS ? ",\n" : "]}\n", out);
  }
}
