/* Annotated sources: each line with the values of the calls in it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/annotations.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/tables/layout.h"
#include "cilkprof-report/support/output.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"

static const char explanation[] =
    "\n"
    " calls      \tthe number of calls made by this line; where a function starts, of calls of it,\n"
    " work       \ttheir work, with callees.\n"
    " on span    \tthe span of the calls on the critical path; where a function starts, only of its calls by "
    "uninstrumented code, such as that of main,\n"
    " % span     \tand the share of the program's span that their callees themselves take; these add up to 100.\n"
    " parallel   \tthe parallelism of all these calls.\n"
    "\n"
    " #####      \ta line with calls that were never made, or a function that was never called.\n";

/* gprof has only the column of calls, and an arrow before the line.  */
enum { CALLS, WORK, ON_SPAN, SHARE, PARALLEL, ARROW, COLUMNS };
static const struct layout_column columns[COLUMNS] = {
    [CALLS] = {NULL, "calls", 12, 0}, [WORK] = {NULL, "work", 8, 1},         [ON_SPAN] = {NULL, "on span", 8, 2},
    [SHARE] = {NULL, "% span", 7, 0}, [PARALLEL] = {NULL, "parallel", 8, 3}, [ARROW] = {NULL, "", 3, 0},
};
static const uint64_t OUR_COLUMNS = 1 << WORK | 1 << ON_SPAN | 1 << SHARE | 1 << PARALLEL;

/* A source file and the data that is printed beside its lines.  */
struct source {
  FILE *out;
  const struct model *model;
  const struct options *options;
  const struct annotation *annotations; /* of this file, sorted by line */
  size_t count;
  uint64_t last_calls; /* calls of the last annotated line, for --all-lines */
  struct layout layout;
};

/* Returns whether the span of an annotated line is printed.  Where a function starts, it is printed only for calls from
   code without instrumentation: other calls have lines of their own.  */
static bool has_printed_source_line_span(const struct annotation *annotation) {
  return !annotation->is_function || annotation->on_span.span > 0;
}

/* Adds work, span and parallelism of an annotated line to the margin of the source.  */
static void print_source_line_measures(const struct source *source, struct line *line,
                                       const struct annotation *annotation) {
  const struct cilkprof_measure *on_work = &annotation->on_work;
  const struct layout *layout = &source->layout;
  struct quantity share = {""};
  if (has_printed_source_line_span(annotation))
    snprintf(share.text, sizeof share.text, "%.2f",
             model_percent_of_whole(annotation->local_span, source->model->totals.span));
  layout_string_cell(layout, line, WORK, model_quantity(source->model, (double)annotation->work, 4, "").text);
  layout_string_cell(layout, line, ON_SPAN,
                     has_printed_source_line_span(annotation)
                         ? model_quantity(source->model, (double)annotation->on_span.span, 4, "").text
                         : "");
  layout_string_cell(layout, line, SHARE, share.text);
  layout_string_cell(layout, line, PARALLEL, model_parallelism_text(on_work->work, on_work->span).text);
}

/* Adds blanks in the place of work, span and parallelism to the margin of the source, up to the arrow.  */
static void print_source_line_blanks(const struct source *source, struct line *line) {
  for (size_t i = WORK; i < ARROW; i++)
    layout_string_cell(&source->layout, line, i, "");
}

/* Prints the margin before an annotated line of the source: its calls, or ##### if they were never made, its costs and
   an arrow.  */
static void print_source_margin(const struct source *source, const struct annotation *annotation) {
  struct line line = {.out = source->out};
  if (annotation->calls == 0)
    layout_string_cell(&source->layout, &line, CALLS, "#####");
  else if (annotation->sampled)
    layout_string_cell(&source->layout, &line, CALLS, "");
  else
    layout_integer_cell(&source->layout, &line, CALLS, annotation->calls);
  if (annotation->calls > 0)
    print_source_line_measures(source, &line, annotation);
  else
    print_source_line_blanks(source, &line);
  line_add_string(&line, 0, " -> ");
  line_flush(&line);
}

/* Prints the margin before a line of the source without an annotation.  With --all-lines it repeats the calls of the
   last annotated line.  */
static void print_empty_source_margin(const struct source *source) {
  struct line line = {.out = source->out};
  bool counted = source->options->all_lines && source->last_calls > 0;
  if (counted)
    layout_integer_cell(&source->layout, &line, CALLS, source->last_calls);
  else
    layout_string_cell(&source->layout, &line, CALLS, "");
  print_source_line_blanks(source, &line);
  line_add_string(&line, 0, counted ? " -> " : "    ");
  line_flush(&line);
}

/* Returns a layout for the margin of a source whose columns leave room for the longest line of TEXT, if possible.  */
static struct layout fit_printed_source_lines(const struct source *source, const char *text, size_t size) {
  enum { MOST = 60, ARROW_WIDTH = 3 };
  const struct options *options = source->options;
  size_t longest = 0;
  for (const char *end = text + size, *newline; text < end; text = newline + 1) {
    newline = memchr(text, '\n', (size_t)(end - text));
    newline = newline != NULL ? newline : end;
    longest = (size_t)(newline - text) > longest ? (size_t)(newline - text) : longest;
  }
  struct layout layout = layout_fit_columns(columns, COLUMNS, options->separate_files ? 0 : options->terminal_width,
                                            ARROW_WIDTH + (int)(longest < MOST ? longest : MOST));
  layout.gone |= options->gprof_columns ? OUR_COLUMNS : 0;
  return layout;
}

/* Prints the headings of the columns in the margin of an annotated source.  */
static void print_source_headings(const struct source *source) {
  struct line line = {.out = source->out};
  for (size_t i = CALLS; i < ARROW; i++)
    layout_string_cell(&source->layout, &line, i, columns[i].heading);
  line_add_character(&line, '\n');
  line_flush(&line);
}

/* Prints the SIZE bytes of TEXT line by line, each after its margin.  Bytes that are not text are escaped.  */
static void print_source_lines(struct source *source, char *text, size_t size) {
  const struct annotation *next = source->annotations, *end = next + source->count;
  const char *stop = text + size;
  for (uint32_t line = 1; text < stop; line++) {
    char *newline = memchr(text, '\n', (size_t)(stop - text));
    size_t length = (size_t)((newline != NULL ? newline : stop) - text);
    while (next < end && next->line < line)
      next++;
    if (next < end && next->line == line) {
      print_source_margin(source, next);
      source->last_calls = next->calls;
    } else {
      print_empty_source_margin(source);
    }
    char *escaped = escape_source_line(text, length, "\f\r");
    fprintf(source->out, "%s\n", escaped);
    free(escaped);
    text += length + 1;
  }
}

/* Compares two annotated lines for the list of the top lines with gprof's columns, for qsort: by calls, the largest
   first.  */
static int compare_printed_source_calls(const void *left, const void *right) {
  const struct annotation *a = *(const struct annotation *const *)left, *b = *(const struct annotation *const *)right;
  if (a->calls != b->calls)
    return a->calls > b->calls ? -1 : 1;
  return a->line < b->line ? -1 : 1;
}

/* Compares two annotated lines for the list of the top lines, for qsort: by their part of the span, then by calls, the
   largest first.  */
static int compare_printed_source_weights(const void *left, const void *right) {
  const struct annotation *a = *(const struct annotation *const *)left, *b = *(const struct annotation *const *)right;
  if (a->local_span != b->local_span)
    return a->local_span > b->local_span ? -1 : 1;
  return compare_printed_source_calls(left, right);
}

/* Prints the list of the most important lines below an annotated source, as many as --table-length says.  */
static void print_top_source_lines(const struct source *source) {
  bool more = !source->options->gprof_columns;
  const struct annotation **top = allocate(source->count, sizeof *top);
  size_t count = 0;
  for (size_t i = 0; i < source->count; i++)
    if (source->annotations[i].calls > 0)
      top[count++] = &source->annotations[i];
  qsort(top, count, sizeof *top, more ? compare_printed_source_weights : compare_printed_source_calls);
  fprintf(source->out, "\n\nTop %u Lines:\n\n     Line      Count%s\n\n", source->options->table_length,
          more ? "  % span" : "");
  for (size_t i = 0; i < count && i < source->options->table_length; i++) {
    fprintf(source->out, "%9u %10llu", top[i]->line, (unsigned long long)top[i]->calls);
    if (more && has_printed_source_line_span(top[i]))
      fprintf(source->out, " %7.2f", model_percent_of_whole(top[i]->local_span, source->model->totals.span));
    putc('\n', source->out);
  }
  free(top);
}

/* Prints the summary below an annotated source: how many of its lines were executed, and how often.  */
static void print_source_totals(const struct source *source) {
  uint64_t executed = 0, executions = 0;
  for (size_t i = 0; i < source->count; i++) {
    executed += source->annotations[i].calls > 0;
    model_add_saturating(&executions, source->annotations[i].calls);
  }
  fprintf(source->out,
          "\nExecution Summary:\n\n%9zu   Executable lines in this file\n%9llu   Lines executed\n"
          "%9.2f   Percent of the file executed\n\n%9llu   Total number of line executions\n"
          "%9.2f   Average executions per line\n",
          source->count, (unsigned long long)executed, model_percent_of_whole(executed, source->count),
          (unsigned long long)executions, (double)executions / (double)source->count);
}

/* Prints the annotated source FILE, which was read from PATH, with headings, its top lines and a summary.  */
static void print_annotated_source(struct source *source, const char *path, struct file file) {
  char *name = escape(path);
  source->layout = fit_printed_source_lines(source, file.bytes, file.size);
  fprintf(source->out, "*** File %s:\n", name);
  if (!source->options->gprof_columns)
    print_source_headings(source);
  print_source_lines(source, file.bytes, file.size);
  if (source->options->table_length > 0)
    print_top_source_lines(source);
  print_source_totals(source);
  free(name);
}

/* Prints the explanation of the columns of annotated sources, unless the options are for brief output or gprof's
   columns.  */
static void print_source_explanation(const struct source *source) {
  const struct options *options = source->options;
  if (options->brief || options->gprof_columns)
    return;
  unsigned width = options->separate_files ? 0 : options->terminal_width;
  print_prose(source->out, explanation, width);
  explain_omitted_table_columns(source->out, &source->layout, width);
}

/* Prints how many headers of the system and of libraries are omitted from the annotated sources, and how to see
   them.  */
static void print_omitted_headers(FILE *out, const struct annotations *all, const struct model *model,
                                  const struct options *options) {
  if (all->left_out.count == 0 || options->brief || options->gprof_columns)
    return;
  char *first = escape(base_name(all->left_out.strings[0]));
  fprintf(out,
          "\n System and library headers not shown: %zu, with %.2f%% of the span.  To see one, name it:\n -A%s%s\n",
          all->left_out.count, model_percent_of_whole(all->left_out_span, model->totals.span), first,
          strchr(first, '.') != NULL ? "" : ":");
  free(first);
}

/* Writes the annotated source FILE, which was read from PATH, to a file NAME-ann in the current folder, for
   --separate-files.  If another source has the same name, only a note is printed.  */
static void print_source_to_file(struct source *source, const char *path, struct file file) {
  char *name = format_string("%s-ann", base_name(path));
  if (output_is_taken(name)) {
    note(path, "not annotated: %s already belongs to another source; choose one with -A", name);
  } else {
    source->out = output_open(name, source->options->force);
    print_annotated_source(source, path, file);
    print_source_explanation(source);
    output_close(source->out);
  }
  free(name);
}

/* Prints the section of --annotated-source: each source file with calls, work and span beside its lines.  */
void print_source(FILE *out, struct model *model, const struct options *options) {
  struct annotations all = model_annotations_make(model, options);
  const char *separator = "";
  struct source source;
  for (struct annotated_file annotated; model_annotations_next(&all, &annotated);) {
    source = (struct source){out, model, options, annotated.lines, annotated.count, 0, {NULL}};
    char *path = find_function_source(&model->functions, annotated.file, options);
    struct file file = {NULL, 0};
    const char *wrong = "source not found; name its folder with -I";
    if (path != NULL)
      wrong = try_to_read_file(path, NULL, SIZE_MAX, &file);
    if (wrong != NULL) {
      note(annotated.file, "%s", wrong);
    } else if (options->separate_files) {
      print_source_to_file(&source, path, file);
    } else {
      fputs(separator, out);
      print_annotated_source(&source, path, file);
      separator = "\f\n";
    }
    free(file.bytes);
    free(path);
  }
  if (separator[0] != 0)
    print_source_explanation(&source);
  print_omitted_headers(out, &all, model, options);
  model_annotations_free(&all);
}
