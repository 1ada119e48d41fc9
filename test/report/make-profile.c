/* Makes a program with site descriptions and a profile of it from one text, for the tests of the report.
   SPDX-License-Identifier: GPL-3.0-or-later

     make-profile program TEXT [OBJECT]      C source of the program, or of object number OBJECT, to standard output
     make-profile profile TEXT FILE...       the profile to standard output; FILE... are the objects as they were built

   The text has one statement per line; # starts a comment, "-" is an empty word:
     mode count|hybrid|clock        flags N        burden N [UNITS]  units N       command WORD...
     preempted STRANDS UNITS
     totals BURDENED_SPAN SPAWNS SYNCS             work and span are the sums that they must be
     loaded                         descriptions are those of earlier versions, which were loaded
     object N                       what follows is in object N (0: the program)
     function NAME                  a function for indirect calls; "static NAME" makes it static
     site KIND FLAGS FILE LINE COLUMN CALLER CALLEE UNIT
     on_work N*12, on_span N*12     measurements of the last site: top-call-site, top-caller, local, each with
                                    count, work, span, burdened span
     usage CPU SYSTEM MINOR MAJOR RUNS CPU SYSTEM MINOR MAJOR UNITS   of the run and of the reference
     waits DELAYED BLOCKED           after the usage: time without a processor, in nanoseconds
     whatif CANDIDATE FASTER COUNT WORK SPAN       ~ stands for a blank in CANDIDATE, LABEL
     region LABEL KIND COUNT WORK SPAN BURDENED_SPAN
     loop SITE N*4 N*7 N*7          executions, pieces, single, work; longest and more; SITE is a number from 0
     callee OBJECT NAME             the on_work and on_span that follow are those of this callee of the last site
     node KIND FLAGS NAME LOCK     of the tree; the last is the program
     child BEFORE REPEAT NODE       of the last node; NODE - is only work
     counts NODE TIMES NS INSTRUCTIONS CYCLES MISSES     what was counted in sections with the name of that node
     context PARENT SITE N*4 N*4    on work and on span; PARENT and SITE are numbers from 0, PARENT - is the program
     root NAME INVOCATIONS BURDENED_SPAN SPAWNS SYNCS
     part SITE INVOCATIONS          the on_work and on_span that follow are those of the last root's for this site  */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fmt/description.h"
#include "fmt/profile.h"
#include "test/report/built.h"

enum { MOST = 4096, WORDS = 32, OBJECTS = 8 };

struct described {
  unsigned object;
  struct cilkprof_description fixed;
  char *strings[4];
};

struct measured {
  size_t described;
  int callee_object; /* -1: none */
  char *callee;
  struct cilkprof_measures on_work, on_span;
  int present;
};

struct declared {
  unsigned object;
  int is_static;
  char *name;
};

static struct {
  struct cilkprof_program program;
  struct cilkprof_run run;
  struct cilkprof_totals totals;
  struct cilkprof_usage_record usage;
  const char *command[WORDS];
  struct described described[MOST];
  struct measured measured[MOST];
  struct declared declared[MOST];
  struct cilkprof_whatif whatifs[WORDS];
  struct cilkprof_region regions[WORDS];
  struct cilkprof_loop loops[WORDS];
  size_t described_count, measured_count, declared_count, whatif_count, loop_count, region_count, context_count,
      section_size[OBJECTS];
  int loaded;
  struct cilkprof_context contexts[MOST];
  struct cilkprof_root roots[WORDS];
  struct cilkprof_root_site parts[MOST];
  size_t root_count, part_count;
  unsigned object;
  struct cilkprof_tree_node nodes[MOST];
  struct cilkprof_tree_child children[MOST];
  struct cilkprof_tree_counts counts[MOST];
  const char *names[MOST];
  size_t node_count, child_count, count_count;
} text;
/* Returns WORD, in which every ~ is replaced by a blank: words of the text are separated by blanks.  */
static char *test_blanks(char *word) {
  for (char *at = word; (at = strchr(at, '~')) != NULL;)
    *at = ' ';
  return word;
}
/* Returns the number that WORD is, decimal or hexadecimal; 0 if the statement has no such word.  */
static uint64_t test_number(const char *word) {
  return word != NULL ? strtoull(word, NULL, 0) : 0;
}
/* Returns a copy of WORD, which is empty for "-"; it is never freed.  Exits if the statement has no such word.  */
static char *test_copy(const char *word) {
  char *string = word != NULL ? strdup(strcmp(word, "-") == 0 ? "" : word) : NULL;
  if (string == NULL)
    test_die("missing word", "see the comment of make-profile.c");
  return string;
}
/* Returns the size of the description of SITE with its strings, as a multiple of 8: where the next one begins.  */
static size_t test_offset_after_strings(const struct described *site) {
  size_t size = sizeof site->fixed;
  for (int i = 0; i < 4; i++)
    size += strlen(site->strings[i]) + 1;
  return (size + 7) / 8 * 8;
}
/* Adds the site that the statement WORDS describes, and a place for its measurements.  */
static void test_read_site(char **words) {
  static const char *const kinds[] = {"call", "spawn", "loop", "outside"};
  struct described *site = &text.described[text.described_count];
  site->object = text.object;
  site->fixed.magic = CILKPROF_DESCRIPTION_MAGIC;
  while (strcmp(kinds[site->fixed.kind], words[1]) != 0)
    site->fixed.kind++;
  site->fixed.flags = (uint8_t)test_number(words[2]);
  site->fixed.line = (uint32_t)test_number(words[4]);
  site->fixed.column = (uint32_t)test_number(words[5]);
  site->strings[0] = test_copy(words[3]);
  for (int i = 1; i < 4; i++)
    site->strings[i] = test_copy(words[5 + i]);
  site->fixed.size = (uint32_t)test_offset_after_strings(site);
  site->fixed.site = 8 * (text.described_count + 1); /* any address */
  if (text.loaded) {
    site->fixed.magic = 0xC11C;
    site->fixed.size -= (uint32_t)offsetof(struct cilkprof_description, magic);
    site->fixed.site = text.section_size[text.object];
    text.section_size[text.object] += site->fixed.size;
  }
  text.measured[text.measured_count++] = (struct measured){.described = text.described_count++, .callee_object = -1};
}
/* Makes the measurements that follow those of a callee of the last site, which WORDS name.  */
static void test_read_callee(char **words) {
  struct measured *last = &text.measured[text.measured_count - 1];
  if (last->present)
    text.measured[text.measured_count++] = (struct measured){.described = last->described};
  last = &text.measured[text.measured_count - 1];
  last->callee_object = (int)test_number(words[1]);
  last->callee = test_copy(words[2]);
}
/* Stores the COUNT numbers in WORDS to VALUES, an array or a structure of 64-bit numbers.  */
static void test_read_numbers(char **words, void *values, int count) {
  for (int i = 0; i < count; i++)
    ((uint64_t *)values)[i] = test_number(test_copy(words[i]));
}
/* Stores the twelve numbers of the statement WORDS to MEASURES, and notes that the last site has been measured.  */
static void test_read_measures(char **words, struct cilkprof_measures *measures) {
  test_read_numbers(words + 1, measures, 12);
  text.measured[text.measured_count - 1].present = 1;
}
/* Adds the context that the statement WORDS describes.  */
static void test_read_context(char **words) {
  struct cilkprof_context *context = &text.contexts[text.context_count++];
  context->parent = strcmp(words[1], "-") == 0 ? CILKPROF_NO_CONTEXT : (uint32_t)test_number(words[1]);
  context->site = (uint32_t)test_number(words[2]);
  test_read_numbers(words + 3, &context->on_work, 8);
}
/* Stores the times that the run waited, in the statement WORDS.  */
static void test_read_waits(char **words) {
  text.usage.delayed_ns = test_number(words[1]);
  text.usage.blocked_ns = test_number(words[2]);
}
/* Adds the node of the tree that the statement WORDS describes, without children.  It has a name of its own.  */
static void test_read_node(char **words) {
  text.names[text.node_count] = test_blanks(test_copy(words[3]));
  text.nodes[text.node_count] = (struct cilkprof_tree_node){
      test_number(words[1]), test_number(words[2]), text.node_count, test_number(words[4]), text.child_count, 0};
  text.node_count++;
}
/* Adds the child that the statement WORDS describes to the last node of the tree.  */
static void test_read_child(char **words) {
  uint64_t node = strcmp(words[3], "-") == 0 ? CILKPROF_NO_NODE : test_number(words[3]);
  text.children[text.child_count++] = (struct cilkprof_tree_child){test_number(words[1]), test_number(words[2]), node};
  text.nodes[text.node_count - 1].count++;
}
/* Does what the statement WORDS, which ends with NULL, says.  Exits if there is no such statement.  */
static void test_read_statement(char **words) {
  struct measured *last = text.measured_count > 0 ? &text.measured[text.measured_count - 1] : NULL;
  const char *word = words[0];
  if (strcmp(word, "mode") == 0)
    text.program.mode = words[1][1] == 'o'   ? CILKPROF_MODE_COUNT
                        : words[1][1] == 'y' ? CILKPROF_MODE_HYBRID
                                             : CILKPROF_MODE_CLOCK;
  else if (strcmp(word, "flags") == 0)
    text.program.flags = test_number(words[1]);
  else if (strcmp(word, "burden") == 0) {
    text.program.burden = test_number(words[1]);
    text.run.burden_units = test_number(words[2]);
  } else if (strcmp(word, "units") == 0)
    text.run.units_per_second = test_number(words[1]);
  else if (strcmp(word, "preempted") == 0) {
    text.run.preempted_strands = test_number(words[1]);
    text.run.preempted_units = test_number(words[2]);
  } else if (strcmp(word, "command") == 0)
    while (words[text.program.argc + 1] != NULL) {
      text.command[text.program.argc] = test_copy(words[text.program.argc + 1]);
      text.program.argc++;
    }
  else if (strcmp(word, "totals") == 0)
    text.totals = (struct cilkprof_totals){0, 0, test_number(words[1]), test_number(words[2]), test_number(words[3])};
  else if (strcmp(word, "loaded") == 0)
    text.loaded = 1;
  else if (strcmp(word, "object") == 0)
    text.object = (unsigned)test_number(words[1]) % OBJECTS;
  else if (strcmp(word, "function") == 0 || strcmp(word, "static") == 0)
    text.declared[text.declared_count++] = (struct declared){text.object, word[0] == 's', test_copy(words[1])};
  else if (strcmp(word, "site") == 0)
    test_read_site(words);
  else if (strcmp(word, "whatif") == 0 && text.whatif_count < WORDS)
    text.whatifs[text.whatif_count++] =
        (struct cilkprof_whatif){test_blanks(test_copy(words[1])), test_number(words[2]), test_number(words[3]),
                                 test_number(words[4]), test_number(words[5])};
  else if (strcmp(word, "region") == 0 && text.region_count < WORDS)
    text.regions[text.region_count++] = (struct cilkprof_region){
        test_blanks(test_copy(words[1])),
        test_number(words[2]),
        {test_number(words[3]), test_number(words[4]), test_number(words[5]), test_number(words[6])}};
  else if (strcmp(word, "callee") == 0 && last != NULL)
    test_read_callee(words);
  else if (strcmp(word, "loop") == 0 && text.loop_count < WORDS)
    test_read_numbers(words + 1, &text.loops[text.loop_count++], 5 + 2 * CILKPROF_SHARES);
  else if (strcmp(word, "context") == 0)
    test_read_context(words);
  else if (strcmp(word, "node") == 0)
    test_read_node(words);
  else if (strcmp(word, "child") == 0 && text.node_count > 0)
    test_read_child(words);
  else if (strcmp(word, "counts") == 0 && text.count_count < MOST)
    text.counts[text.count_count++] =
        (struct cilkprof_tree_counts){test_number(words[1]), test_number(words[2]), test_number(words[3]),
                                      test_number(words[4]), test_number(words[5]), test_number(words[6])};
  else if (strcmp(word, "usage") == 0)
    test_read_numbers(words + 1, &text.usage, 10);
  else if (strcmp(word, "waits") == 0)
    test_read_waits(words);
  else if (strcmp(word, "root") == 0 && text.root_count < WORDS)
    text.roots[text.root_count++] =
        (struct cilkprof_root){.name = test_blanks(test_copy(words[1])),
                               .invocations = test_number(words[2]),
                               .totals = {0, 0, test_number(words[3]), test_number(words[4]), test_number(words[5])},
                               .sites = &text.parts[text.part_count]};
  else if (strcmp(word, "part") == 0 && text.root_count > 0 && text.part_count < MOST) {
    text.parts[text.part_count++] =
        (struct cilkprof_root_site){.site = test_number(words[1]), .invocations = test_number(words[2])};
    text.roots[text.root_count - 1].site_count++;
  } else if (strcmp(word, "on_work") == 0 && last != NULL)
    test_read_measures(words, text.part_count > 0 ? &text.parts[text.part_count - 1].on_work : &last->on_work);
  else if (strcmp(word, "on_span") == 0 && last != NULL)
    test_read_measures(words, text.part_count > 0 ? &text.parts[text.part_count - 1].on_span : &last->on_span);
  else
    test_die("unknown statement", word);
}
/* Reads the statements in the file PATH.  Exits if it cannot be opened.  */
static void test_read_text(const char *path) {
  char line[4096];
  FILE *file = fopen(path, "r");
  if (file == NULL)
    test_die("cannot open", path);
  while (fgets(line, sizeof line, file) != NULL) {
    char *words[WORDS + 1] = {NULL}, *rest = line;
    line[strcspn(line, "#\n")] = 0;
    for (int i = 0; i < WORDS && (words[i] = strtok_r(i == 0 ? line : NULL, " ", &rest)) != NULL; i++)
      ;
    if (words[0] != NULL)
      test_read_statement(words);
  }
  fclose(file);
}
/* Prints SIZE BYTES as a directive of the assembler, in a string of C.  */
static void test_print_bytes(const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    printf("%s%u", i > 0 ? "," : "\\n .byte ", ((const unsigned char *)bytes)[i]);
}
/* Prints the C source of object number OBJECT: its site descriptions and functions, and main in the program.  */
static void test_print_program(unsigned object) {
  size_t skipped = text.loaded ? offsetof(struct cilkprof_description, magic) : 0;
  printf("__asm__(\".section " CILKPROF_DESCRIPTION_SECTION ",\\\"%s\\\"", text.loaded ? "a" : "");
  for (size_t i = 0; i < text.described_count; i++) {
    const struct described *site = &text.described[i];
    if (site->object != object)
      continue;
    printf("\\n .balign 8");
    test_print_bytes((const char *)&site->fixed + skipped, sizeof site->fixed - skipped);
    for (int s = 0; s < 4; s++)
      test_print_bytes(site->strings[s], strlen(site->strings[s]) + 1);
  }
  printf("\\n .balign 8\\n .previous\\n\");\n");
  for (size_t i = 0; i < text.declared_count; i++)
    if (text.declared[i].object == object)
      printf("%s void %s(void);\n%s void %s(void) { __asm__ volatile(\"\"); }\n",
             text.declared[i].is_static ? "__attribute__((used)) static" : "", text.declared[i].name,
             text.declared[i].is_static ? "static" : "", text.declared[i].name);
  if (object == 0)
    printf("int main(void) { return 0; }\n");
}

/* What the profile needs to know of a built object.  */
static uint64_t test_address_of(const struct built *built, const char *name) {
  uint64_t address = test_built_symbol(built, name);
  if (address == 0)
    test_die("no symbol", name);
  return address;
}
/* Writes all sites that have been measured; BUILT are the objects with their descriptions and callees.  */
static void test_write_sites(struct cilkprof_writer *writer, const struct built *built) {
  for (size_t i = 0; i < text.measured_count; i++) {
    const struct measured *measured = &text.measured[i];
    const struct described *described = &text.described[measured->described];
    uint64_t section = test_built_section(&built[described->object], CILKPROF_DESCRIPTION_SECTION); /* 0: not loaded */
    if (!measured->present)
      continue;
    struct cilkprof_site site = {
        .object = described->object,
        .callee_object = measured->callee_object < 0 ? CILKPROF_NO_OBJECT : (uint32_t)measured->callee_object,
        .description = described->fixed.site + section,
        .callee = measured->callee_object < 0 ? 0 : test_address_of(&built[measured->callee_object], measured->callee),
        .on_work = measured->on_work,
        .on_span = measured->on_span,
    };
    cilkprof_write_site(writer, &site);
  }
}
/* Writes ROOT and its sites, whose sums become its work and span.  */
static void test_write_root(struct cilkprof_writer *writer, struct cilkprof_root *root) {
  for (size_t i = 0; i < root->site_count; i++) {
    root->totals.work += root->sites[i].on_work.local.work;
    root->totals.span += root->sites[i].on_span.local.span;
  }
  cilkprof_write_root(writer, root);
  for (size_t i = 0; i < root->site_count; i++)
    cilkprof_write_root_site(writer, &root->sites[i]);
}
/* Writes the profile to standard output; FILES are the COUNT objects.  Exits if that fails.  */
static void test_write_profile(char **files, uint32_t count) {
  struct cilkprof_writer writer = {.put = test_put_in_file, .closure = stdout};
  struct built built[OBJECTS];
  uint64_t loads[OBJECTS] = {0};
  text.program.argv = text.command;
  text.run.pid = 4711;
  text.run.start_ns = UINT64_C(4000000000000000000);
  text.run.load_count = count;
  text.run.load_addresses = loads;
  for (size_t i = 0; i < text.measured_count; i++) {
    text.totals.work += text.measured[i].on_work.local.work;
    text.totals.span += text.measured[i].on_span.local.span;
  }
  cilkprof_write_begin(&writer);
  cilkprof_write_program(&writer, &text.program);
  cilkprof_write_run(&writer, &text.run);
  for (uint32_t i = 0; i < count; i++) {
    built[i] = test_built_open(files[i]);
    cilkprof_write_object(&writer, &built[i].object);
  }
  cilkprof_write_totals(&writer, &text.totals);
  if (text.usage.units_per_second > 0)
    cilkprof_write_usage(&writer, &text.usage);
  test_write_sites(&writer, built);
  for (size_t i = 0; i < text.loop_count; i++)
    cilkprof_write_loop(&writer, &text.loops[i]);
  for (size_t i = 0; i < text.region_count; i++)
    cilkprof_write_region(&writer, &text.regions[i]);
  for (size_t i = 0; i < text.whatif_count; i++)
    cilkprof_write_whatif(&writer, &text.whatifs[i]);
  for (size_t i = 0; i < text.context_count; i++)
    cilkprof_write_context(&writer, &text.contexts[i]);
  if (text.node_count > 0)
    cilkprof_write_tree(&writer, &(struct cilkprof_tree){.flags = text.count_count > 0 ? CILKPROF_TREE_COUNTED : 0,
                                                         .units_per_second = text.run.units_per_second,
                                                         .tolerance = 50,
                                                         .node_count = text.node_count,
                                                         .child_count = text.child_count,
                                                         .name_count = text.node_count,
                                                         .nodes = text.nodes,
                                                         .children = text.children,
                                                         .names = text.names,
                                                         .count_count = text.count_count,
                                                         .counts = text.counts});
  for (size_t i = 0; i < text.root_count; i++)
    test_write_root(&writer, &text.roots[i]);
  if (cilkprof_write_end(&writer) != 0 || fflush(stdout) != 0)
    test_die("cannot write", "standard output");
}
/* Prints the source or writes the profile, as the first argument says.  The text may change these defaults.  */
int main(int argc, char **argv) {
  text.program.mode = CILKPROF_MODE_COUNT;
  text.program.burden = 15000;
  text.program.loop_workers = 16;
  if (argc < 3)
    test_die("usage", "make-profile program TEXT [OBJECT] | profile TEXT FILE...");
  test_read_text(argv[2]);
  if (strcmp(argv[1], "program") == 0)
    test_print_program((unsigned)test_number(argc > 3 ? argv[3] : "0"));
  else
    test_write_profile(argv + 3, (uint32_t)(argc - 3 < OBJECTS ? argc - 3 : OBJECTS));
  return 0;
}
