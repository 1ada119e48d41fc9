/* Collapsed stacks for flamegraph.pl: each line has the functions of a calling context and its exclusive value.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/stacks.h"

/* Prints the function NAME of a collapsed stack with colons instead of semicolons, because semicolons separate
   functions.  */
static void print_collapsed_frame(FILE *out, const char *name) {
  for (; *name != 0; name++)
    putc(*name == ';' ? ':' : *name, out);
}

/* Prints the calling contexts as collapsed stacks, one in a line, with the value of the metric that --metric names.
   Contexts without such a value are omitted.  */
void print_collapsed(FILE *out, struct model *model, const struct options *options) {
  struct stacks stacks = make_export_stacks(model, options);
  uint32_t *path = NULL;
  size_t room = 0;
  for (uint32_t i = 0; i < stacks.count; i++) {
    uint64_t value = stacks.stacks[i].values[options->weight];
    if (value == 0)
      continue;
    for (size_t left = export_stack_path(&stacks, i, &path, &room); left-- > 0;) {
      print_collapsed_frame(out, stacks.stacks[path[left]].function->name);
      putc(left > 0 ? ';' : ' ', out);
    }
    fprintf(out, "%llu\n", (unsigned long long)value);
  }
  free(path);
  free(stacks.stacks);
}
