/* Makes a sampled profile of a program from a text, for the tests of the report: every number of it is known.
   SPDX-License-Identifier: GPL-3.0-or-later

     make-samples TEXT PROGRAM [LIBRARY...]      the profile to standard output

   The text has one statement per line; # starts a comment:
     sampling cilk|openmp PROCESSORS WORKERS HZ ELAPSED CPU     times are in ms everywhere
     clock perf|timer
     command WORD...                           the program, unless this is given
     delayed MS                                threads with work had no processor; unknown unless this is given
     path WORK IDLENESS WAITING FRAME...       the outermost frame first; the last is where the sample was
     counters INSTRUCTIONS CYCLES MISSES HITM  what the processor counted on the last path; - is not counted
     timeline BUCKET THREADS VALUE...          of one thread after another
     thread DROPPED                            the transitions that follow are of the next thread
     at MS KIND STATE [FRAME [CREATOR]]        KIND: state, task, done, region, joined or path; STATE: works, idle,
                                               waits, locked or ended; FRAME: its code, of a path the number of a stack
   A FRAME is the name of a symbol, of functions or labels in assembler, or of a section, which begins with a point; of
   LIBRARY number N with N: before it.  ~NAME is where a task was made, ? what could not be unwound, ! a task of unknown
   origin.  */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fmt/profile.h"
#include "test/report/built.h"

enum { MOST = 4096, WORDS = 128, OBJECTS = 8, MS = 1000000 };

static struct {
  struct cilkprof_program program;
  struct cilkprof_run run;
  struct built built[OBJECTS];
  struct cilkprof_sampling sampling;
  struct cilkprof_stack stacks[MOST];
  size_t stack_count;
  struct cilkprof_counters counters[MOST]; /* by stack */
  struct cilkprof_stack *last;             /* that of the last path */
  struct cilkprof_timeline timeline;
  uint64_t values[MOST];
  struct cilkprof_transitions threads[OBJECTS];
  struct cilkprof_transition transitions[MOST];
  size_t thread_count, transition_count;
  const char *arguments[WORDS];
} made;

/* Returns the number WORD.  */
static uint64_t test_report_number(const char *word) {
  char *end;
  double value = strtod(word, &end);
  if (*end != 0 || end == word)
    test_report_die("not a number", word);
  return (uint64_t)value;
}

/* Returns the milliseconds that WORD says in nanoseconds.  */
static uint64_t test_report_ms(const char *word) {
  return (uint64_t)(strtod(word, NULL) * MS + 0.5);
}

/* Returns the address of the section or symbol NAME.  */
static uint64_t test_report_address_of(const struct built *built, const char *name) {
  uint64_t section = test_report_built_section(built, name),
           address = section != 0 ? section : test_report_built_symbol(built, name);
  if (address == 0)
    test_report_die("no such symbol", name);
  return address;
}

/* Returns the index of STACK, which is added if it is new.  */
static uint32_t test_report_add_stack(struct cilkprof_stack stack) {
  for (size_t i = 0; i < made.stack_count; i++) {
    const struct cilkprof_stack *known = &made.stacks[i];
    if (known->parent == stack.parent && known->object == stack.object && known->kind == stack.kind &&
        known->address == stack.address)
      return (uint32_t)i;
  }
  if (made.stack_count == MOST)
    test_report_die("too many", "stacks");
  made.stacks[made.stack_count] = stack;
  return (uint32_t)made.stack_count++;
}

/* Returns the index of the frame WORD below PARENT.  */
static uint32_t test_report_add_frame(uint32_t parent, const char *word, int is_last) {
  struct cilkprof_stack stack = {.parent = parent, .object = CILKPROF_NO_OBJECT};
  if (strcmp(word, "?") == 0 || strcmp(word, "!") == 0) {
    stack.kind = word[0] == '?' ? CILKPROF_STACK_UNKNOWN : CILKPROF_STACK_ORPHAN;
    return test_report_add_stack(stack);
  }
  stack.kind = is_last ? CILKPROF_STACK_EXACT : word[0] == '~' ? CILKPROF_STACK_SPAWN : CILKPROF_STACK_CALL;
  word += word[0] == '~';
  stack.object = 0;
  if (word[0] >= '1' && word[0] <= '9' && word[1] == ':') {
    stack.object = (uint32_t)(word[0] - '0');
    word += 2;
  }
  if (stack.object >= made.run.load_count)
    test_report_die("no such library", word);
  stack.address = test_report_address_of(&made.built[stack.object], word) + (stack.kind != CILKPROF_STACK_EXACT);
  return test_report_add_stack(stack);
}

/* Adds the samples of a path of calls, which WORDS name.  */
static void test_report_add_path(char **words, size_t count) {
  uint32_t at = CILKPROF_NO_CONTEXT;
  for (size_t i = 4; i < count; i++)
    at = test_report_add_frame(at, words[i], i + 1 == count);
  struct cilkprof_stack *stack = made.last = &made.stacks[at];
  uint64_t work = test_report_ms(words[1]), samples = work * made.sampling.hz / 1000000000;
  stack->work_ns += work;
  stack->idleness_ns += test_report_ms(words[2]);
  stack->waiting_ns += test_report_ms(words[3]);
  stack->samples += samples;
  made.sampling.samples += samples;
}

/* Returns the count WORD; - is none.  */
static uint64_t test_report_count(const char *word) {
  return strcmp(word, "-") == 0 ? CILKPROF_NOT_COUNTED : test_report_number(word);
}

/* Returns the index of WORD in the COUNT NAMES.  */
static uint32_t test_report_index_of(const char *word, const char *const *names, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(word, names[i]) == 0)
      return i;
  test_report_die("what is this", word);
}

/* Adds a transition, which WORDS describe, to the last thread.  */
static void test_report_add_transition(char **words, size_t count) {
  static const char *const kinds[] = {"state", "task", "done", "region", "joined", "path"};
  static const char *const states[] = {"works", "idle", "waits", "locked", "ended"};
  struct cilkprof_transition made_one = {
      .time_ns = test_report_ms(words[1]),
      .object = CILKPROF_NO_OBJECT,
      .thread = count > 5 ? (uint32_t)test_report_number(words[5]) : CILKPROF_NO_THREAD,
      .kind = test_report_index_of(words[2], kinds, CILKPROF_TRANSITION_KINDS),
      .state = test_report_index_of(words[3], states, CILKPROF_THREAD_STATES),
  };
  if (count > 4 && made_one.kind == CILKPROF_TRANSITION_PATH) {
    made_one.address = test_report_number(words[4]);
  } else if (count > 4) {
    made_one.object = 0;
    made_one.address = test_report_address_of(&made.built[0], words[4]) + 1;
  }
  if (made.thread_count == 0 || made.transition_count == MOST)
    test_report_die("no thread, or too many", "transitions");
  made.transitions[made.transition_count++] = made_one;
  made.threads[made.thread_count - 1].count++;
}

/* Executes a statement of the text.  */
static void test_report_statement(char **words, size_t count) {
  if (strcmp(words[0], "sampling") == 0 && count == 7) {
    made.sampling = (struct cilkprof_sampling){
        .sampled = strcmp(words[1], "openmp") == 0 ? CILKPROF_SAMPLED_OPENMP : CILKPROF_SAMPLED_CILK,
        .clock = CILKPROF_SAMPLING_PERF,
        .processors = test_report_number(words[2]),
        .workers = test_report_number(words[3]),
        .threads = test_report_number(words[3]),
        .hz = test_report_number(words[4]),
        .runs = 1,
        .elapsed_ns = test_report_ms(words[5]),
        .cpu_ns = test_report_ms(words[6]),
        .delayed_ns = UINT64_MAX,
    };
    made.run.elapsed_ns = made.sampling.elapsed_ns;
  } else if (strcmp(words[0], "clock") == 0 && count == 2) {
    made.sampling.clock = strcmp(words[1], "timer") == 0 ? CILKPROF_SAMPLING_TIMER : CILKPROF_SAMPLING_PERF;
  } else if (strcmp(words[0], "command") == 0 && count > 1) {
    for (size_t i = 1; i < count; i++)
      made.arguments[i - 1] = strdup(words[i]);
    made.program.argc = (uint32_t)count - 1;
    made.program.argv = made.arguments;
  } else if (strcmp(words[0], "delayed") == 0 && count == 2) {
    made.sampling.delayed_ns = test_report_ms(words[1]);
  } else if (strcmp(words[0], "path") == 0 && count > 4) {
    test_report_add_path(words, count);
  } else if (strcmp(words[0], "counters") == 0 && count == 5 && made.last != NULL) {
    made.counters[made.last - made.stacks] = (struct cilkprof_counters){
        (uint64_t)(made.last - made.stacks), test_report_count(words[1]), test_report_count(words[2]),
        test_report_count(words[3]), test_report_count(words[4])};
  } else if (strcmp(words[0], "thread") == 0 && count == 2 && made.thread_count < OBJECTS) {
    made.threads[made.thread_count++] = (struct cilkprof_transitions){.dropped = test_report_number(words[1]),
                                                                      .list = made.transitions + made.transition_count};
  } else if (strcmp(words[0], "at") == 0 && count >= 4) {
    test_report_add_transition(words, count);
  } else if (strcmp(words[0], "timeline") == 0 && count >= 3) {
    made.timeline = (struct cilkprof_timeline){test_report_ms(words[1]), test_report_number(words[2]), 0, made.values};
    made.timeline.bucket_count = made.timeline.thread_count > 0 ? (count - 3) / made.timeline.thread_count : 0;
    for (size_t i = 3; i < count; i++)
      made.values[i - 3] = test_report_ms(words[i]);
  } else {
    test_report_die("what is this", words[0]);
  }
}

/* Executes all statements of the file PATH.  */
static void test_report_read_text(const char *path) {
  char line[1 << 14], *rest;
  FILE *file = fopen(path, "r");
  if (file == NULL)
    test_report_die("cannot be read", path);
  while (fgets(line, sizeof line, file) != NULL) {
    char *words[WORDS];
    size_t count = 0;
    line[strcspn(line, "#\n")] = 0;
    for (char *word = strtok_r(line, " ", &rest); word != NULL && count < WORDS; word = strtok_r(NULL, " ", &rest))
      words[count++] = word;
    if (count > 0)
      test_report_statement(words, count);
  }
  fclose(file);
}

/* Writes the samples that the text, the first argument, describes to standard output, as a profile of the program and
   the libraries that the other arguments name.  Returns 1 if that failed.  */
int main(int argc, char **argv) {
  static const uint64_t loads[OBJECTS];
  if (argc < 3 || argc > 2 + OBJECTS)
    test_report_die("usage", "make-samples TEXT PROGRAM [LIBRARY...]");
  for (int i = 2; i < argc; i++)
    made.built[made.run.load_count++] = test_report_built_open(argv[i]);
  const char *command = argv[2];
  made.program = (struct cilkprof_program){.mode = CILKPROF_MODE_SAMPLED, .argc = 1, .argv = &command};
  made.run.start_ns = UINT64_C(2000000000) * 1000000000;
  made.run.load_addresses = loads;
  test_report_read_text(argv[1]);
  struct cilkprof_writer writer = {.put = test_report_put_in_file, .closure = stdout};
  struct cilkprof_totals none = {0};
  cilkprof_write_begin(&writer);
  cilkprof_write_program(&writer, &made.program);
  cilkprof_write_run(&writer, &made.run);
  for (uint32_t i = 0; i < made.run.load_count; i++)
    cilkprof_write_object(&writer, &made.built[i].object);
  cilkprof_write_totals(&writer, &none);
  cilkprof_write_sampling(&writer, &made.sampling);
  for (size_t i = 0; i < made.stack_count; i++)
    cilkprof_write_stack(&writer, &made.stacks[i]);
  for (size_t i = 0; i < made.stack_count; i++)
    if (made.counters[i].cycles > 0)
      cilkprof_write_counters(&writer, &made.counters[i]);
  if (made.timeline.bucket_ns > 0)
    cilkprof_write_timeline(&writer, &made.timeline);
  for (size_t i = 0; i < made.thread_count; i++)
    cilkprof_write_transitions(&writer, &made.threads[i]);
  return cilkprof_write_end(&writer) != 0;
}
