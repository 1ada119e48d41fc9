/* Collapsed stacks: the functions of a calling context, then what it has itself.  flamegraph.pl draws them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/options/options.h"

/* A semicolon stands between functions, so none can stand in a name.  */
static void print_frame(FILE *out, const char *name) {
  for (; *name != 0; name++)
    putc(*name == ';' ? ':' : *name, out);
}

void print_collapsed(FILE *out, struct model *model, const struct options *options) {
  const struct contexts *contexts = &model->contexts;
  uint32_t *path = NULL;
  size_t room = 0;
  for (uint32_t i = 0; i < contexts->count; i++) {
    uint64_t value = context_weight(model, &contexts->contexts[i], options->weight);
    if (value == 0)
      continue;
    for (size_t left = context_path(contexts, i, &path, &room); left-- > 0;) {
      print_frame(out, model->sites[contexts->contexts[path[left]].site].callee->name);
      putc(left > 0 ? ';' : ' ', out);
    }
    fprintf(out, "%llu\n", (unsigned long long)value);
  }
  free(path);
}
