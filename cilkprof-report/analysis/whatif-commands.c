/* Prints the commands that answer what-if questions exactly.
   SPDX-License-Identifier: GPL-3.0-or-later

   They create new files and overwrite neither the profiled program nor its profile.  */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/objects/compilation.h"
#include "cilkprof-report/support/support.h"

/* Prints WORD, a part of a command that the user is advised to run, quoted for the shell.  Control characters other
   than tabs and newlines are escaped, so that a terminal does not obey them.  */
void print_advised_command_word(FILE *out, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=-+,@%";
  if (word[0] != 0 && word[strspn(word, plain)] == 0) {
    fputs(word, out);
    return;
  }
  char *text = escape_bytes(word, strlen(word), "\t\n");
  putc('\'', out);
  for (const char *at = text; *at != 0; at++)
    if (*at == '\'')
      fputs("'\\''", out);
    else
      putc(*at, out);
  putc('\'', out);
  free(text);
}

/* Returns whether the name of the source FILE ends with a dot and one of SUFFIXES, an array that ends with NULL.  */
static bool has_whatif_source_suffix(const char *file, const char *const *suffixes) {
  const char *dot = strrchr(base_name(file), '.');
  for (; dot != NULL && *suffixes != NULL; suffixes++)
    if (strcmp(dot + 1, *suffixes) == 0)
      return true;
  return false;
}

enum language { C, C_PLUS_PLUS, LANGUAGES };

struct source {
  const char *file;
  enum language language;
};

struct sources {
  struct source *sources;
  size_t count, room;
  bool has[LANGUAGES];
};

/* Adds the source file of SITE to those that a what-if program is compiled from.  A file with the suffix of C was
   compiled as C++ if its functions have C++ symbols.  */
static void add_advised_whatif_source(struct sources *sources, const struct site *site) {
  static const char *const c[] = {"c", NULL}, *const cplusplus[] = {"cc", "cpp", "cxx", "C", "c++", NULL};
  bool mangled = site->caller != NULL && strncmp(site->caller->symbol, "_Z", 2) == 0;
  enum language language = mangled || has_whatif_source_suffix(site->file, cplusplus) ? C_PLUS_PLUS : C;
  if (!has_whatif_source_suffix(site->file, c) && !has_whatif_source_suffix(site->file, cplusplus))
    return;
  for (size_t i = 0; i < sources->count; i++)
    if (sources->sources[i].file == site->file) {
      if (language == C_PLUS_PLUS)
        sources->sources[i].language = language;
      return;
    }
  sources->sources = grow_array(sources->sources, sources->count, &sources->room, sizeof *sources->sources);
  sources->sources[sources->count++] = (struct source){site->file, language};
}

/* Returns the source files of all call sites, from which a what-if program is compiled.  The user has to add
   others.  */
static struct sources find_advised_whatif_sources(const struct model *model) {
  struct sources sources = {0};
  for (size_t i = 0; i < model->site_count; i++)
    add_advised_whatif_source(&sources, &model->sites[i]);
  for (size_t i = 0; i < sources.count; i++)
    sources.has[sources.sources[i].language] = true;
  return sources;
}

/* Returns whether both paths lead to the same source file; false if one does not exist.  */
static bool is_same_whatif_source(const char *path, const char *other) {
  struct stat a, b;
  return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Prints the path of FILE, a source of a what-if program, as it is found now; the program may have been compiled in
   another folder.  */
static void print_advised_whatif_source(FILE *out, const struct model *model, const struct options *options,
                                        const char *file) {
  char *path = find_function_source(&model->functions, file, options);
  print_advised_command_word(out, path == NULL || is_same_whatif_source(path, file) ? file : path);
  free(path);
}

/* Prints OPTIONS for the compiler of a what-if program, quoted for the shell.  They are separated by blanks and are
   overwritten.  */
static void print_advised_compiler_options(FILE *out, char *options) {
  char *rest;
  for (char *word = strtok_r(options, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
    putc(' ', out);
    print_advised_command_word(out, word);
  }
}

/* Returns the option that the compilation of a what-if program needs beside OPTIONS, which may be NULL: cilkprof cc
   knows Cilk, but OpenMP only with -fopenmp.  */
static const char *advised_whatif_language_option(const struct model *model, const char *options) {
  bool openmp = false;
  for (size_t i = 0; i < model->site_count; i++)
    openmp |= is_task_in_finding(&model->sites[i]) && !is_library_task_in_finding(&model->sites[i]);
  return openmp && (options == NULL || strstr(options, "-fopenmp") == NULL) ? " -fopenmp" : "";
}

/* Prints the command that compiles the what-if program PROGRAM.  The C++ compiler takes every source as C++, unless -x
   comes before it.  With -x none at the end, files that the user adds are taken by their suffix.  */
static void print_advised_whatif_compilation(FILE *out, const struct model *model, const struct options *asked,
                                             const char *program) {
  struct sources sources = find_advised_whatif_sources(model);
  char *options = object_compilation_options(model->program_file->object->path);
  char *libraries = object_library_options(model->program_file->object->path);
  bool both = sources.has[C] && sources.has[C_PLUS_PLUS];
  fputs(options != NULL ? "# Add its -D, -I and -L options, which are not known.\n"
                        : "# Add the options with which the program is compiled.\n",
        out);
  fputs(sources.has[C_PLUS_PLUS] ? "cilkprof c++" : "cilkprof cc", out);
  const char *openmp = advised_whatif_language_option(model, options);
  if (options != NULL)
    print_advised_compiler_options(out, options);
  else
    fputs(" -O2", out);
  fprintf(out, "%s -fcilkprof=whatif", openmp);
  for (enum language language = LANGUAGES; language-- > 0;)
    for (size_t i = 0; i < sources.count; i++)
      if (sources.sources[i].language == language) {
        fputs(language == C && both ? " -x c " : " ", out);
        print_advised_whatif_source(out, model, asked, sources.sources[i].file);
      }
  fputs(both ? " -x none" : "", out);
  fputs(" -o ", out);
  print_advised_command_word(out, program);
  print_advised_compiler_options(out, libraries);
  putc('\n', out);
  free(libraries);
  free(options);
  free(sources.sources);
}

/* Returns whether CANDIDATE cannot be measured by a what-if run, and prints why: its file name has a comma, which
   separates candidates, or most of it has no instrumentation.  */
static bool is_whatif_suggestion_left_out(FILE *out, const struct candidate *candidate) {
  char *name = escape(candidate->name);
  bool comma = strchr(candidate->name, ',') != NULL;
  if (comma)
    fprintf(out, "# %s is left out: --whatif cannot name a file with a comma.\n", name);
  else if (candidate->unseen != NULL)
    fprintf(out,
            "# %s is left out: most of it is '%s', which is not instrumented, and costs nothing\n"
            "# where instructions are counted.  cilkprof report --whatif estimates it from this profile.\n",
            name, candidate->unseen->brief_name);
  free(name);
  return comma || candidate->unseen != NULL;
}

/* Returns the what-if candidates as a value for --whatif, or NULL if all are left out, and prints why some are.
   The text is allocated.  */
static char *list_advised_whatif_suggestions(FILE *out, const struct candidate *candidates, size_t count) {
  char *list = NULL;
  for (size_t i = 0; i < count; i++) {
    const char *name = candidates[i].name;
    if (is_whatif_suggestion_left_out(out, &candidates[i]))
      continue;
    char *longer = format_string("%s%s%s", list != NULL ? list : "", list != NULL ? "," : "", name);
    free(list);
    list = longer;
  }
  return list;
}

/* Prints a blank, OPTION and its VALUE as one word.  */
static void print_advised_option(FILE *out, const char *option, const char *value) {
  char *word = format_string("%s%s", option, value);
  putc(' ', out);
  print_advised_command_word(out, word);
  free(word);
}

/* Prints the option -o for NAME, the profile of a what-if run, with doubled percent signs.  */
static void print_advised_whatif_output(FILE *out, const char *name) {
  char *doubled = allocate(2 * strlen(name) + 1, 1), *to = doubled;
  for (; *name != 0; name++) {
    if (*name == '%')
      *to++ = '%';
    *to++ = *name;
  }
  fputs(" -o ", out);
  print_advised_command_word(out, doubled);
  free(doubled);
}

/* Prints a warning that a what-if run does not see all of what a timed profile shows for a candidate.  Prints nothing
   if instructions were counted.  */
static void print_advised_whatif_caution(FILE *out, const struct model *model) {
  if (model->program.mode != CILKPROF_MODE_COUNT)
    fputs("# That run counts instructions, so uninstrumented code, such as libraries,\n# costs nothing in it.\n", out);
}

/* Prints the commands that compile the program for what-if, run it for these CANDIDATES, and report the result.  Prints
   only remarks if no candidate can be measured.  */
void print_advised_whatif_commands(FILE *out, const struct model *model, const struct options *options,
                                   const struct candidate *candidates, size_t count) {
  char *list = list_advised_whatif_suggestions(out, candidates, count);
  if (list == NULL)
    return;
  const char *name = model->program.argc > 0 ? base_name(model->program.argv[0]) : "";
  char *program = format_string("./%s-whatif", name[0] != 0 ? name : "a.out");
  char *profile = format_string("%s.out", program);
  print_advised_whatif_caution(out, model);
  print_advised_whatif_compilation(out, model, options, program);
  fputs("cilkprof run", out);
  print_advised_whatif_output(out, profile);
  if (model->root != NULL)
    print_advised_option(out, "--root=", model->root);
  print_advised_option(out, "--whatif=", list);
  putc(' ', out);
  print_advised_command_word(out, program);
  for (uint32_t i = 1; i < model->program.argc; i++) {
    putc(' ', out);
    print_advised_command_word(out, model->program.argv[i]);
  }
  fputs("\ncilkprof report --whatif ", out);
  if (options->asked_processors > 0)
    fprintf(out, "--processors=%u ", options->asked_processors);
  print_advised_command_word(out, program);
  putc(' ', out);
  print_advised_command_word(out, profile);
  putc('\n', out);
  free(list);
  free(program);
  free(profile);
}
