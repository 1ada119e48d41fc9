/* Reads the text from which make-profile makes a program and a profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "test/report/built.h"
#include "test/report/profile-text.h"

struct profile_text text;

/* Replaces every ~ in WORD by a blank, and returns WORD: blanks separate words in the text.  */
static char *test_report_blanks(char *word) {
  for (char *at = word; (at = strchr(at, '~')) != NULL;)
    *at = ' ';
  return word;
}

/* Returns WORD as a number, decimal or hexadecimal; 0 if WORD is NULL, as the statement is short.  */
uint64_t test_report_number(const char *word) {
  return word != NULL ? strtoull(word, NULL, 0) : 0;
}

/* Returns a copy of WORD, or "" if WORD is "-"; it is never freed.  Exits if WORD is NULL, as the statement is too
   short.  */
static char *test_report_copy(const char *word) {
  char *string = word != NULL ? strdup(strcmp(word, "-") == 0 ? "" : word) : NULL;
  if (string == NULL)
    test_report_die("missing word", "see the comment in profile-text.h");
  return string;
}

/* Returns the size of the description of SITE with its strings, as a multiple of 8: where the next one begins.  */
static size_t test_report_offset_after_strings(const struct described *site) {
  size_t size = sizeof site->fixed;
  for (int i = 0; i < 4; i++)
    size += strlen(site->strings[i]) + 1;
  return (size + 7) / 8 * 8;
}

/* Adds the site that the statement WORDS describes, and a place for its measurements.  */
static void test_report_read_site(char **words) {
  static const char *const kinds[] = {"call", "spawn", "loop", "outside"};
  struct described *site = &text.described[text.described_count];
  site->object = text.object;
  site->fixed.magic = CILKPROF_DESCRIPTION_MAGIC;
  while (strcmp(kinds[site->fixed.kind], words[1]) != 0)
    site->fixed.kind++;
  site->fixed.flags = (uint8_t)test_report_number(words[2]);
  site->fixed.line = (uint32_t)test_report_number(words[4]);
  site->fixed.column = (uint32_t)test_report_number(words[5]);
  site->strings[0] = test_report_copy(words[3]);
  for (int i = 1; i < 4; i++)
    site->strings[i] = test_report_copy(words[5 + i]);
  site->fixed.size = (uint32_t)test_report_offset_after_strings(site);
  site->fixed.site = 8 * (text.described_count + 1); /* any address */
  if (text.loaded) {
    site->fixed.magic = 0xC11C;
    site->fixed.size -= (uint32_t)offsetof(struct cilkprof_description, magic);
    site->fixed.site = text.section_size[text.object];
    text.section_size[text.object] += site->fixed.size;
  }
  text.measured[text.measured_count++] = (struct measured){.described = text.described_count++, .callee_object = -1};
}

/* Adds a callee of the last site, which WORDS name, with a place for the measurements that follow.  */
static void test_report_read_callee(char **words) {
  struct measured *last = &text.measured[text.measured_count - 1];
  if (last->present)
    text.measured[text.measured_count++] = (struct measured){.described = last->described};
  last = &text.measured[text.measured_count - 1];
  last->callee_object = (int)test_report_number(words[1]);
  last->callee = test_report_copy(words[2]);
}

/* Stores the numbers in the first COUNT of WORDS in VALUES, an array or a structure of 64-bit numbers.  */
static void test_report_read_numbers(char **words, void *values, int count) {
  for (int i = 0; i < count; i++)
    ((uint64_t *)values)[i] = test_report_number(test_report_copy(words[i]));
}

/* Stores the twelve numbers of the statement WORDS to MEASURES, and notes that the last site has been measured.  */
static void test_report_read_measures(char **words, struct cilkprof_measures *measures) {
  test_report_read_numbers(words + 1, measures, 12);
  text.measured[text.measured_count - 1].present = 1;
}

/* Adds the context that the statement WORDS describes.  */
static void test_report_read_context(char **words) {
  struct cilkprof_context *context = &text.contexts[text.context_count++];
  context->parent = strcmp(words[1], "-") == 0 ? CILKPROF_NO_CONTEXT : (uint32_t)test_report_number(words[1]);
  context->site = (uint32_t)test_report_number(words[2]);
  test_report_read_numbers(words + 3, &context->on_work, 8);
}

/* Stores the times for which the run waited, which the statement WORDS has.  */
static void test_report_read_waits(char **words) {
  text.usage.delayed_ns = test_report_number(words[1]);
  text.usage.blocked_ns = test_report_number(words[2]);
}

/* Adds the node of the tree that the statement WORDS describes, without children.  It has a name of its own.  */
static void test_report_read_node(char **words) {
  text.names[text.node_count] = test_report_blanks(test_report_copy(words[3]));
  text.nodes[text.node_count] = (struct cilkprof_tree_node){test_report_number(words[1]),
                                                            test_report_number(words[2]),
                                                            text.node_count,
                                                            test_report_number(words[4]),
                                                            text.child_count,
                                                            0};
  text.node_count++;
}

/* Adds the child that the statement WORDS describes to the last node of the tree.  */
static void test_report_read_child(char **words) {
  uint64_t node = strcmp(words[3], "-") == 0 ? CILKPROF_NO_NODE : test_report_number(words[3]);
  text.children[text.child_count++] =
      (struct cilkprof_tree_child){test_report_number(words[1]), test_report_number(words[2]), node};
  text.nodes[text.node_count - 1].count++;
}

/* Executes the statement WORDS if it is about the run as a whole.  Returns whether it is.  */
static bool test_report_read_run_statement(char **words) {
  const char *word = words[0];
  if (strcmp(word, "mode") == 0)
    text.program.mode = words[1][1] == 'o'   ? CILKPROF_MODE_COUNT
                        : words[1][1] == 'y' ? CILKPROF_MODE_HYBRID
                                             : CILKPROF_MODE_CLOCK;
  else if (strcmp(word, "flags") == 0)
    text.program.flags = test_report_number(words[1]);
  else if (strcmp(word, "burden") == 0) {
    text.program.burden = test_report_number(words[1]);
    text.run.burden_units = test_report_number(words[2]);
  } else if (strcmp(word, "tree") == 0)
    text.tree_flags = test_report_number(words[1]);
  else if (strcmp(word, "units") == 0)
    text.run.units_per_second = test_report_number(words[1]);
  else if (strcmp(word, "preempted") == 0) {
    text.run.preempted_strands = test_report_number(words[1]);
    text.run.preempted_units = test_report_number(words[2]);
  } else if (strcmp(word, "command") == 0)
    while (words[text.program.argc + 1] != NULL) {
      text.command[text.program.argc] = test_report_copy(words[text.program.argc + 1]);
      text.program.argc++;
    }
  else if (strcmp(word, "totals") == 0)
    text.totals = (struct cilkprof_totals){0, 0, test_report_number(words[1]), test_report_number(words[2]),
                                           test_report_number(words[3])};
  else if (strcmp(word, "loaded") == 0)
    text.loaded = 1;
  else if (strcmp(word, "object") == 0)
    text.object = (unsigned)test_report_number(words[1]) % MAX_OBJECTS;
  else if (strcmp(word, "usage") == 0)
    test_report_read_numbers(words + 1, &text.usage, 10);
  else if (strcmp(word, "workers") == 0)
    test_report_read_numbers(words + 1, &text.workers, 4);
  else if (strcmp(word, "waits") == 0)
    test_report_read_waits(words);
  else
    return false;
  return true;
}

/* Executes the statement WORDS, which ends with NULL.  Exits if there is no such statement.  */
static void test_report_read_statement(char **words) {
  struct measured *last = text.measured_count > 0 ? &text.measured[text.measured_count - 1] : NULL;
  const char *word = words[0];
  if (test_report_read_run_statement(words))
    return;
  if (strcmp(word, "function") == 0 || strcmp(word, "static") == 0)
    text.declared[text.declared_count++] = (struct declared){text.object, word[0] == 's', test_report_copy(words[1])};
  else if (strcmp(word, "site") == 0)
    test_report_read_site(words);
  else if (strcmp(word, "whatif") == 0 && text.whatif_count < MAX_WORDS)
    text.whatifs[text.whatif_count++] = (struct cilkprof_whatif){
        test_report_blanks(test_report_copy(words[1])), test_report_number(words[2]), test_report_number(words[3]),
        test_report_number(words[4]), test_report_number(words[5])};
  else if (strcmp(word, "region") == 0 && text.region_count < MAX_WORDS)
    text.regions[text.region_count++] =
        (struct cilkprof_region){test_report_blanks(test_report_copy(words[1])),
                                 test_report_number(words[2]),
                                 {test_report_number(words[3]), test_report_number(words[4]),
                                  test_report_number(words[5]), test_report_number(words[6])}};
  else if (strcmp(word, "callee") == 0 && last != NULL)
    test_report_read_callee(words);
  else if (strcmp(word, "loop") == 0 && text.loop_count < MAX_WORDS)
    test_report_read_numbers(words + 1, &text.loops[text.loop_count++], 5 + 2 * CILKPROF_SHARES);
  else if (strcmp(word, "estimate") == 0 && text.estimate_count < MAX_WORDS)
    test_report_read_numbers(words + 1, &text.estimates[text.estimate_count++], 5);
  else if (strcmp(word, "context") == 0)
    test_report_read_context(words);
  else if (strcmp(word, "node") == 0)
    test_report_read_node(words);
  else if (strcmp(word, "child") == 0 && text.node_count > 0)
    test_report_read_child(words);
  else if (strcmp(word, "counts") == 0 && text.count_count < MAX_ROWS)
    text.counts[text.count_count++] = (struct cilkprof_tree_counts){
        test_report_number(words[1]), test_report_number(words[2]), test_report_number(words[3]),
        test_report_number(words[4]), test_report_number(words[5]), test_report_number(words[6])};
  else if (strcmp(word, "root") == 0 && text.root_count < MAX_WORDS)
    text.roots[text.root_count++] = (struct cilkprof_root){
        .name = test_report_blanks(test_report_copy(words[1])),
        .invocations = test_report_number(words[2]),
        .totals = {0, 0, test_report_number(words[3]), test_report_number(words[4]), test_report_number(words[5])},
        .sites = &text.parts[text.part_count]};
  else if (strcmp(word, "part") == 0 && text.root_count > 0 && text.part_count < MAX_ROWS) {
    text.parts[text.part_count++] =
        (struct cilkprof_root_site){.site = test_report_number(words[1]), .invocations = test_report_number(words[2])};
    text.roots[text.root_count - 1].site_count++;
  } else if (strcmp(word, "on_work") == 0 && last != NULL)
    test_report_read_measures(words, text.part_count > 0 ? &text.parts[text.part_count - 1].on_work : &last->on_work);
  else if (strcmp(word, "on_span") == 0 && last != NULL)
    test_report_read_measures(words, text.part_count > 0 ? &text.parts[text.part_count - 1].on_span : &last->on_span);
  else
    test_report_die("unknown statement", word);
}

/* Reads the statements in the file PATH.  Exits if it cannot be opened.  */
void test_report_read_text(const char *path) {
  char line[4096];
  FILE *file = fopen(path, "r");
  if (file == NULL)
    test_report_die("cannot open", path);
  while (fgets(line, sizeof line, file) != NULL) {
    char *words[MAX_WORDS + 1] = {NULL}, *rest = line;
    line[strcspn(line, "#\n")] = 0;
    for (int i = 0; i < MAX_WORDS && (words[i] = strtok_r(i == 0 ? line : NULL, " ", &rest)) != NULL; i++)
      ;
    if (words[0] != NULL)
      test_report_read_statement(words);
  }
  fclose(file);
}
