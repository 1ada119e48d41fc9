/* Calling contexts for pprof: each sample is a stack with the exclusive values of all metrics.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/protobuf.h"
#include "cilkprof-report/exports/stacks.h"
#include "cilkprof-report/options/options.h"
#include "cilkprof-report/support/support.h"

/* Fields of the messages that profile.proto defines.  */
enum {
  PROFILE_SAMPLE_TYPE = 1,
  PROFILE_SAMPLE = 2,
  PROFILE_MAPPING = 3,
  PROFILE_LOCATION = 4,
  PROFILE_FUNCTION = 5,
  PROFILE_STRING = 6,
  PROFILE_TIME = 9,
  PROFILE_DURATION = 10,
  PROFILE_DEFAULT_TYPE = 14,
  TYPE_NAME = 1,
  TYPE_UNIT = 2,
  SAMPLE_LOCATIONS = 1,
  SAMPLE_VALUES = 2,
  MAPPING_ID = 1,
  MAPPING_FILE = 5,
  MAPPING_BUILD_ID = 6,
  MAPPING_HAS_FUNCTIONS = 7,
  MAPPING_HAS_FILES = 8,
  MAPPING_HAS_LINES = 9,
  LOCATION_ID = 1,
  LOCATION_MAPPING = 2,
  LOCATION_LINE = 4,
  LINE_FUNCTION = 1,
  LINE_NUMBER = 2,
  FUNCTION_ID = 1,
  FUNCTION_NAME = 2,
  FUNCTION_SYSTEM_NAME = 3,
  FUNCTION_FILE = 4,
  FUNCTION_START = 5,
};

/* A line of a function: where it calls the next function of a stack, or where it begins.  */
struct location {
  size_t function;
  uint32_t line;
};

struct writer {
  const struct stacks *stacks;
  struct message profile, part, list;
  struct names strings; /* by index; the first is empty */
  struct location *locations;
  size_t location_count, location_room;
  struct table table;
};

/* Returns the index of STRING, escaped, in the string table of the pprof file, to which it is added if necessary.  */
static uint64_t pprof_string_number(struct writer *writer, const char *string) {
  char *text = escape(string);
  uint64_t number = interned_name_number(&writer->strings, text);
  free(text);
  return number;
}

/* Returns whether the location at index PLACE of ARRAY is the location KEY.  For hash_table_find.  */
static bool is_pprof_location(const void *array, size_t place, const void *key) {
  const struct location *a = (const struct location *)array + place, *b = key;
  return a->function == b->function && a->line == b->line;
}

/* Returns pprof's identifier of the location at LINE of FUNCTION, which is added if necessary.  Identifiers of
   locations and functions are their indices plus one, because 0 means none.  */
static uint64_t pprof_location_id(struct writer *writer, const struct function *function, uint32_t line) {
  struct location location = {function->number, line};
  uint64_t hash = hash_add(hash_add(0, location.function), line);
  size_t place =
      hash_table_find(&writer->table, hash, is_pprof_location, writer->locations, &location, writer->location_count);
  if (place == writer->location_count) {
    writer->locations = grow_array(writer->locations, place, &writer->location_room, sizeof *writer->locations);
    writer->locations[writer->location_count++] = location;
  }
  return place + 1;
}

/* Adds STACK to the pprof file as a sample with the values of all metrics.  The innermost function comes first.  */
static void put_pprof_sample(struct writer *writer, const struct stack *stack) {
  const struct stacks *stacks = writer->stacks;
  uint32_t line = stack->function->place.line;
  for (const struct stack *at = stack;; at = &stacks->stacks[at->parent]) {
    protobuf_put_element(&writer->list, pprof_location_id(writer, at->function, line));
    if (at->parent == NO_CONTEXT)
      break;
    line = at->line;
  }
  protobuf_put_part(&writer->part, SAMPLE_LOCATIONS, &writer->list);
  for (size_t i = 0; i < stacks->weight_count; i++)
    protobuf_put_element(&writer->list, stack->values[stacks->weights[i]]);
  protobuf_put_part(&writer->part, SAMPLE_VALUES, &writer->list);
  protobuf_put_part(&writer->profile, PROFILE_SAMPLE, &writer->part);
}

/* Adds the names and units of the metrics to the pprof file.  */
static void put_pprof_types(struct writer *writer) {
  for (size_t i = 0; i < writer->stacks->weight_count; i++) {
    enum weight weight = writer->stacks->weights[i];
    protobuf_put_number(&writer->part, TYPE_NAME, pprof_string_number(writer, option_metric_name(weight)));
    protobuf_put_number(&writer->part, TYPE_UNIT,
                        pprof_string_number(writer, export_stacks_unit(writer->stacks, weight)));
    protobuf_put_part(&writer->profile, PROFILE_SAMPLE_TYPE, &writer->part);
  }
}

/* Adds the program to the pprof file as its only mapping, so that pprof does not search for one.  The flags state that
   functions, files and lines are already in the profile.  */
static void put_pprof_mapping(struct writer *writer) {
  const struct stacks *stacks = writer->stacks;
  char *build_id = format_object_build_id(stacks->build_id, stacks->build_id_size);
  protobuf_put_number(&writer->part, MAPPING_ID, 1);
  protobuf_put_number(&writer->part, MAPPING_FILE, pprof_string_number(writer, stacks->path));
  if (stacks->build_id_size > 0)
    protobuf_put_number(&writer->part, MAPPING_BUILD_ID, pprof_string_number(writer, build_id));
  for (unsigned field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_LINES; field++)
    protobuf_put_number(&writer->part, field, true);
  protobuf_put_part(&writer->profile, PROFILE_MAPPING, &writer->part);
  free(build_id);
}

/* Adds all locations that samples refer to to the pprof file.  */
static void put_pprof_locations(struct writer *writer) {
  for (size_t i = 0; i < writer->location_count; i++) {
    const struct location *location = &writer->locations[i];
    protobuf_put_number(&writer->list, LINE_FUNCTION, location->function + 1);
    protobuf_put_number(&writer->list, LINE_NUMBER, location->line);
    protobuf_put_number(&writer->part, LOCATION_ID, i + 1);
    protobuf_put_number(&writer->part, LOCATION_MAPPING, 1);
    protobuf_put_part(&writer->part, LOCATION_LINE, &writer->list);
    protobuf_put_part(&writer->profile, PROFILE_LOCATION, &writer->part);
  }
}

/* Adds all functions to the pprof file, with their names, files and first lines.  */
static void put_pprof_functions(struct writer *writer) {
  const struct functions *functions = writer->stacks->functions;
  for (size_t i = 0; i < functions->count; i++) {
    const struct function *function = functions->list[i];
    protobuf_put_number(&writer->part, FUNCTION_ID, i + 1);
    protobuf_put_number(&writer->part, FUNCTION_NAME, pprof_string_number(writer, function->name));
    protobuf_put_number(&writer->part, FUNCTION_SYSTEM_NAME,
                        pprof_string_number(writer, function->file == NULL ? function->symbol : function->name));
    if (function->place.file != NULL)
      protobuf_put_number(&writer->part, FUNCTION_FILE, pprof_string_number(writer, function->place.file));
    protobuf_put_number(&writer->part, FUNCTION_START, function->place.line);
    protobuf_put_part(&writer->profile, PROFILE_FUNCTION, &writer->part);
  }
}

/* Prints the calling contexts as a compressed file for pprof, with all metrics.  The one that --metric names is shown
   by default.  */
void print_pprof(FILE *out, struct model *model, const struct options *options) {
  struct stacks stacks = make_export_stacks(model, options);
  struct writer writer = {.stacks = &stacks};
  pprof_string_number(&writer, "");
  put_pprof_types(&writer);
  for (size_t i = 0; i < stacks.count; i++)
    put_pprof_sample(&writer, &stacks.stacks[i]);
  put_pprof_mapping(&writer);
  put_pprof_locations(&writer);
  put_pprof_functions(&writer);
  protobuf_put_number(&writer.profile, PROFILE_TIME, model->run.start_ns);
  protobuf_put_number(&writer.profile, PROFILE_DURATION, model->run.elapsed_ns);
  protobuf_put_number(&writer.profile, PROFILE_DEFAULT_TYPE,
                      pprof_string_number(&writer, option_metric_name(options->weight)));
  for (size_t i = 0; i < writer.strings.count; i++)
    protobuf_put_bytes(&writer.profile, PROFILE_STRING, writer.strings.strings[i], strlen(writer.strings.strings[i]));
  protobuf_print_gzip(out, &writer.profile);
  free(writer.profile.bytes);
  free(writer.part.bytes);
  free(writer.list.bytes);
  free(writer.locations);
  free(stacks.stacks);
}
