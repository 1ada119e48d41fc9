/* The source files that the page shows, and those that it cannot show.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/html/html.h"
#include "cilkprof-report/names/sources.h"
#include "cilkprof-report/support/json.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

enum { MAX_SOURCE = 4 << 20 }; /* bytes of all files together: a limit for browsers */

/* Prints the member "lines" of a source file in the page's data: the SIZE bytes of TEXT as an array of strings.  Bytes
   that are not text are escaped as everywhere in the report.  */
void html_print_lines(FILE *out, const char *text, size_t size) {
  const char *end = text + size, *comma = "";
  fputs(",\"lines\":[", out);
  while (text < end) {
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    size_t length = (size_t)((newline != NULL ? newline : end) - text);
    char *line = escape_source_line(text, length, "");
    fputs(comma, out);
    print_json_string(out, line);
    free(line);
    comma = ",";
    text += length + 1;
  }
  fputs("]", out);
}

/* Finds and reads the source file NAME, for the page.  Returns true, with its contents in *FILE, which the caller
   frees, if it is found, can be read, and the page has room for it.  Otherwise notes in SOURCES that it is missing.  */
bool html_take_source(struct html_sources *sources, const struct functions *functions, const char *name,
                      const struct options *options, struct file *file) {
  char *path = find_function_source(functions, name, options);
  const char *wrong = "not found";
  if (path != NULL)
    wrong = try_to_read_file(path, NULL, MAX_SOURCE - sources->size, file);
  if (wrong != NULL && path != NULL)
    wrong = wrong == file_is_too_large ? "too large" : "not readable";
  free(path);
  if (wrong == NULL) {
    sources->size += file->size;
    sources->taken++;
    return true;
  }
  sources->missing = grow_array(sources->missing, sources->count, &sources->room, sizeof *sources->missing);
  sources->missing[sources->count++] = (struct missing_source){name, wrong};
  return false;
}

/* Prints the member "missing" of the page's data: the files that SOURCES lack, each with the reason in two words.  */
void html_print_missing_sources(FILE *out, struct html_sources *sources) {
  fputs(",\"missing\":[", out);
  for (size_t i = 0; i < sources->count; i++) {
    fputs(i > 0 ? ",[" : "[", out);
    print_json_string(out, sources->missing[i].file);
    fprintf(out, ",\"%s\"]", sources->missing[i].why);
  }
  putc(']', out);
  free(sources->missing);
}
