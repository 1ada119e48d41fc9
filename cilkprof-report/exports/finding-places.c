/* Where findings are, as other tools name files: relative to the current folder, where that is possible.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/exports/findings.h"
#include "cilkprof-report/names/sources.h"
#include "cilkprof-report/support/support.h"

char *exported_source_path(const struct model *model, const struct options *options, const char *file) {
  char *found = find_function_source(&model->functions, file, options);
  char *whole = found != NULL ? realpath(found, NULL) : NULL, *here = getcwd(NULL, 0);
  size_t length = here != NULL ? strlen(here) : 0;
  bool below = whole != NULL && length > 1 && strncmp(whole, here, length) == 0 && whole[length] == '/';
  char *path = format_string("%s", below ? whole + length + 1 : whole != NULL ? whole : file);
  free(found);
  free(whole);
  free(here);
  return path;
}

/* Returns the function main of MODEL if it is known where it is defined, for findings about the whole program; else
   NULL.  */
static const struct function *exported_main_function(const struct model *model) {
  for (size_t i = 0; i < model->functions.count; i++) {
    const struct function *function = model->functions.list[i];
    if (function->file == NULL && function->place.file != NULL && strcmp(function->name, "main") == 0)
      return function;
  }
  return NULL;
}

bool exported_finding_place(const struct model *model, const struct options *options, const struct finding *finding,
                            struct exported_place *place) {
  const struct function *all = finding == NULL || finding->file == NULL ? exported_main_function(model) : NULL;
  const char *file = all != NULL ? all->place.file : finding != NULL ? finding->file : NULL;
  *place = (struct exported_place){.line = all != NULL ? all->place.line : finding != NULL ? finding->line : 0};
  if (file != NULL)
    place->file = exported_source_path(model, options, file);
  return file != NULL;
}
