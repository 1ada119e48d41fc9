/* The data that the page shows, as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/timing.h"
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/html/html.h"
#include "cilkprof-report/model/annotations.h"
#include "cilkprof-report/tables/columns.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/tables/program.h"
#include "cilkprof-report/support/json.h"
#include "cilkprof-report/support/support.h"

enum { MAX_SITES = 20000 }; /* limit for browsers */

/* Prints a member of the page's JSON data that is a number, with a comma before it.  */
static void print_html_member(FILE *out, const char *name, uint64_t value) {
  fprintf(out, ",\"%s\":%llu", name, (unsigned long long)value);
}

/* Prints a member of the page's JSON data that is a string, with a comma before it.  */
static void print_html_text(FILE *out, const char *name, const char *text) {
  fprintf(out, ",\"%s\":", name);
  print_json_string(out, text);
}

/* Prints the remarks of the summary on how the time was measured, if there are any, as members of the page's data.  */
static void print_html_timing(FILE *out, const struct model *model) {
  struct timing timing = timing_reliability(model);
  char *time = timing_reliability_text(model, &timing), *system = timing_system_text(model, &timing);
  if (time != NULL)
    print_html_text(out, "time", time);
  if (system != NULL)
    print_html_text(out, "systemTime", system);
  free(time);
  free(system);
}

/* Prints FINDING as an object of the page's JSON data: its tone, subject and text.  */
static void print_html_finding(FILE *out, const struct finding *finding) {
  fprintf(out, "{\"tone\":\"%s\"", finding_tone_name(finding->tone));
  print_html_text(out, "subject", finding->subject);
  print_html_text(out, "text", finding->text);
  putc('}', out);
}

/* Prints the members "processors" and "findings" of the page's data: the verdict.  */
static void print_html_findings(FILE *out, struct model *model, const struct options *options) {
  struct verdict verdict = find_verdict(model, options);
  fprintf(out, ",\n\"processors\":%u,\"findings\":[", verdict.processors);
  for (size_t i = 0; i < verdict.count; i++) {
    fputs(i > 0 ? ",\n" : "\n", out);
    print_html_finding(out, &verdict.findings[i]);
  }
  fputs("]", out);
}

/* Prints the member "whatifs" of the page's data: an array for each what-if.  One whose candidate costs nothing has a
   finding as its last element.  */
static void print_html_whatifs(FILE *out, const struct model *model, unsigned processors) {
  fputs(",\n\"whatifs\":[", out);
  for (size_t i = 0; i < model->whatif_count; i++) {
    const struct cilkprof_whatif *whatif = &model->whatifs[i];
    struct judged_whatif_variant variant = judged_whatif_variant(whatif);
    fputs(i > 0 ? ",\n[" : "\n[", out);
    print_json_string(out, whatif->candidate);
    fprintf(out, ",%llu,%llu,%.17g,%.17g", (unsigned long long)whatif->faster, (unsigned long long)whatif->count,
            variant.work, variant.span);
    if (whatif->faster == 0) {
      struct finding finding = judge_whatif(model, whatif, processors);
      putc(',', out);
      print_html_finding(out, &finding);
    }
    putc(']', out);
  }
  fputs("]", out);
}

/* Prints the members of the page's data that describe the program: how it was measured, work, spans and flags.  */
static void print_html_program(FILE *out, const struct model *model) {
  const struct cilkprof_totals *totals = &model->totals;
  print_html_text(out, "mode", table_program_mode_text(model->program.mode));
  print_html_member(out, "unitsPerSecond", model->run.units_per_second);
  print_html_member(out, "runs", model->run_count);
  if (model->root != NULL) {
    print_html_text(out, "root", model->root);
    print_html_member(out, "invocations", model->invocations);
  }
  print_html_member(out, "burden", model->program.burden);
  print_html_member(out, "flags", model->program.flags);
  print_html_member(out, "work", totals->work);
  print_html_member(out, "span", totals->span);
  print_html_member(out, "burdenedSpan", totals->burdened_span);
  print_html_member(out, "spawns", totals->spawns);
  print_html_member(out, "syncs", totals->syncs);
  print_html_timing(out, model);
}

/* The functions that the sites refer to.  */
struct names_used {
  uint32_t *place; /* by number of the function: index in FUNCTIONS plus one; 0: it is not there yet */
  const struct function **functions;
  size_t count, room;
};

/* Returns the index of FUNCTION in the page's list of names, to which it is added if necessary; -1 for code without
   instrumentation.  */
static long long html_name_index(struct names_used *used, const struct function *function) {
  if (function == NULL)
    return -1;
  if (used->place[function->number] == 0) {
    used->functions = grow_array(used->functions, used->count, &used->room, sizeof *used->functions);
    used->functions[used->count] = function;
    used->place[function->number] = (uint32_t)++used->count;
  }
  return (long long)used->place[function->number] - 1;
}

/* Prints the member "names" of the page's data: for each function its brief name, and the full name if it differs.  */
static void print_html_names(FILE *out, const struct names_used *used) {
  fputs(",\n\"names\":[", out);
  for (size_t i = 0; i < used->count; i++) {
    const struct function *function = used->functions[i];
    fputs(i > 0 ? ",\n[" : "\n[", out);
    print_json_string(out, function->brief_name);
    if (strcmp(function->brief_name, function->name) != 0) {
      putc(',', out);
      print_json_string(out, function->name);
    }
    putc(']', out);
  }
  fputs("]", out);
}

/* Prints SITE as an array of the page's data, and adds its functions to the names that are USED. script.js knows the
   meaning of the elements.  */
static void print_html_site(FILE *out, const struct site *site, struct names_used *used) {
  const struct cilkprof_site *measured = site->measured;
  const uint64_t values[] = {
      site->line,
      site->sampled ? 0 : measured->on_work.local.count,
      measured->on_span.local.span,
      measured->on_span.local.work,
      measured->on_span.top_call_site.work,
      measured->on_span.top_call_site.span,
      measured->on_work.top_call_site.work,
      measured->on_work.top_call_site.span,
      measured->on_work.local.work,
  };
  fprintf(out, "[\"%s\",", site_kind_label(site));
  print_json_string(out, site->file);
  fprintf(out, ",%lld", html_name_index(used, site->caller));
  fprintf(out, ",%lld", html_name_index(used, site->callee));
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    fprintf(out, ",%llu", (unsigned long long)values[i]);
  putc(']', out);
}

/* Prints the members "sites" and "names" of the page's data: the listed call sites in the order of the table, up to a
   limit.  PLACE[i] becomes the index of the model's site i in the list, or NO_CONTEXT.  */
static void print_html_sites(FILE *out, struct model *model, const struct options *options, uint32_t *place) {
  const struct site **sites = model_sites_by_span(model);
  uint32_t count = 0, left_out = 0;
  struct names_used used = {.place = allocate(model->functions.count, sizeof *used.place)};
  fputs(",\n\"sites\":[", out);
  for (size_t i = 0; i < model->site_count; i++) {
    place[sites[i] - model->sites] = NO_CONTEXT;
    if (!site_has_table_row(sites[i], options))
      continue;
    if (count == MAX_SITES) {
      left_out++;
      continue;
    }
    fputs(count > 0 ? ",\n" : "\n", out);
    print_html_site(out, sites[i], &used);
    place[sites[i] - model->sites] = count++;
  }
  fprintf(out, "],\"sitesLeftOut\":%u", left_out);
  print_html_names(out, &used);
  free(used.place);
  free(used.functions);
}

/* Prints the member "boxes" of the page's data: those of the icicle graphs.  PLACE maps the sites of the model to their
   indices in the page's list.  */
static void print_html_boxes(FILE *out, const struct model *model, const uint32_t *place) {
  struct boxes boxes = make_html_boxes(model);
  fprintf(out, ",\n\"boxesMeasured\":%s,\"boxes\":[", boxes.measured ? "true" : "false");
  for (size_t i = 0; i < boxes.count; i++) {
    const struct box *box = &boxes.boxes[i];
    fprintf(out, "%s[%lld,%lld,%llu,%llu,%llu,%.17g,%.17g]", i > 0 ? ",\n" : "\n",
            box->parent != NO_CONTEXT ? (long long)box->parent : -1,
            place[box->site] != NO_CONTEXT ? (long long)place[box->site] : -1, (unsigned long long)box->count,
            (unsigned long long)box->work, (unsigned long long)box->span, box->work_size, box->span_size);
  }
  fputs("]", out);
  free(boxes.boxes);
}

/* Prints the member "notes" of a source file in the page's data: calls, work and span of each annotated line.  */
static void print_html_notes(FILE *out, const struct annotation *annotations, size_t count) {
  fputs(",\"notes\":[", out);
  for (size_t i = 0; i < count; i++) {
    const struct annotation *annotation = &annotations[i];
    if (i > 0 && annotation->line == annotations[i - 1].line)
      continue; /* the first annotation of a line has the most information */
    fprintf(out, "%s[%u,%d,%lld,%llu,%llu,%llu,%llu,%llu]", i > 0 ? "," : "", annotation->line, annotation->is_function,
            annotation->sampled ? -1 : (long long)annotation->calls, (unsigned long long)annotation->work,
            (unsigned long long)annotation->on_span.span, (unsigned long long)annotation->local_span,
            (unsigned long long)annotation->on_work.work, (unsigned long long)annotation->on_work.span);
  }
  fputs("]", out);
}

/* Prints the members "sources" and "missing" of the page's data: the annotated source files, and which of them are not
   there, and why.  */
static void print_html_sources(FILE *out, const struct model *model, const struct options *options) {
  struct annotations all = model_annotations_make(model, options);
  struct html_sources sources = {0};
  fputs(",\n\"sources\":[", out);
  for (struct annotated_file annotated; model_annotations_next(&all, &annotated);) {
    struct file file;
    if (!html_take_source(&sources, &model->functions, annotated.file, options, &file))
      continue;
    fputs(sources.taken > 1 ? ",\n{\"file\":" : "\n{\"file\":", out);
    print_json_string(out, annotated.file);
    print_html_notes(out, annotated.lines, annotated.count);
    html_print_lines(out, file.bytes, file.size);
    fputs("}", out);
    free(file.bytes);
  }
  fputs("]", out);
  html_print_missing_sources(out, &sources);
  model_annotations_free(&all);
}

/* Prints all data that the page shows, as JSON.  */
void html_print_data(FILE *out, struct model *model, const struct options *options) {
  uint32_t *place = allocate(model->site_count, sizeof *place);
  char *command;
  size_t size;
  FILE *title = open_memstream(&command, &size);
  if (title == NULL)
    fail(options->html, "out of memory");
  print_table_program_command(title, &model->program);
  if (fclose(title) != 0 || command == NULL)
    fail(options->html, "no memory is left");
  command[strcspn(command, "\n")] = 0;
  fputs("{\"command\":", out);
  print_json_string(out, command);
  free(command);
  print_html_program(out, model);
  if (model->run_count > 0) {
    print_html_findings(out, model, options);
    print_html_whatifs(out, model, options->processors);
    print_html_sites(out, model, options, place);
    print_html_boxes(out, model, place);
    print_html_sources(out, model, options);
  } else {
    fputs(",\"findings\":[],\"whatifs\":[],\"sites\":[],\"names\":[],\"boxes\":[],\"sources\":[],\"missing\":[]", out);
  }
  if (model->samples != NULL)
    html_print_waste(out, model, options);
  fputs("}\n", out);
  free(place);
}
