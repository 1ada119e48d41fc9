/* Files with right checksums in which records are missing, surplus or wrong: each is refused, with the reason.
   SPDX-License-Identifier: MIT  */

#include "test/fmt/refused.h"

enum edit { COPY, DROP, DOUBLE, REPLACE, INSERT_BEFORE };

/* Returns the bytes of the sample with its records of TAG edited.  REPLACE and INSERT_BEFORE use a record of NEW_TAG
   with this PAYLOAD of LENGTH bytes.  */
static struct bytes test_fmt_edited(enum edit edit, uint32_t tag, uint32_t new_tag, const void *payload,
                                    size_t length) {
  struct sample s = test_fmt_sample_profile();
  struct bytes whole = test_fmt_write_sample(&s), result = {NULL, 0};
  uint64_t records = 0;
  test_fmt_put_bytes(&result, whole.data, sizeof(struct cilkprof_file_header));
  for (size_t offset = sizeof(struct cilkprof_file_header), start; start = offset, offset < whole.size;) {
    struct cilkprof_record_header header = test_fmt_next_record(&whole, &offset);
    if (header.tag == CILKPROF_RECORD_END)
      break;
    int times = header.tag != tag || edit == INSERT_BEFORE ? 1 : edit == DOUBLE ? 2 : edit == COPY ? 1 : 0;
    if (header.tag == tag && edit >= REPLACE) {
      test_fmt_put_record(&result, new_tag, payload, length);
      records++;
    }
    for (; times > 0; times--, records++)
      test_fmt_put_bytes(&result, whole.data + start, offset - start);
  }
  test_fmt_put_record(&result, CILKPROF_RECORD_END, &records, sizeof records);
  free(whole.data);
  return result;
}

/* Checks that files with missing, surplus or unknown records are refused or read, as the format requires.  */
static void test_fmt_structure(struct tap *tap) {
  test_fmt_check_read(tap, test_fmt_edited(COPY, 0, 0, NULL, 0), NULL, "the same records");
  test_fmt_check_read(tap, test_fmt_edited(DROP, CILKPROF_RECORD_PROGRAM, 0, NULL, 0), "exactly one record each",
                      "no program");
  test_fmt_check_read(tap, test_fmt_edited(DROP, CILKPROF_RECORD_RUN, 0, NULL, 0), "exactly one record each", "no run");
  test_fmt_check_read(tap, test_fmt_edited(DOUBLE, CILKPROF_RECORD_TOTALS, 0, NULL, 0), "exactly one record each",
                      "two totals");
  test_fmt_check_read(tap, test_fmt_edited(DOUBLE, CILKPROF_RECORD_WORKERS, 0, NULL, 0), "there is more than one",
                      "two records of a parallel run");
  test_fmt_check_read(tap, test_fmt_edited(DOUBLE, CILKPROF_RECORD_TREE, 0, NULL, 0), "there is more than one",
                      "two trees");
  test_fmt_check_read(tap, test_fmt_edited(DROP, CILKPROF_RECORD_TREE, 0, NULL, 0), NULL, "no tree");
  test_fmt_check_read(tap, test_fmt_edited(DROP, CILKPROF_RECORD_OBJECT, 0, NULL, 0), "unlisted object", "no objects");
  test_fmt_check_read(tap, test_fmt_edited(DROP, CILKPROF_RECORD_ROOT, 0, NULL, 0), "belongs to no root",
                      "parts without a root");
  test_fmt_check_read(tap, test_fmt_edited(DOUBLE, CILKPROF_RECORD_PART, 0, NULL, 0), "out of order", "parts twice");
  test_fmt_check_read(
      tap, test_fmt_edited(INSERT_BEFORE, CILKPROF_RECORD_PART, CILKPROF_RECORD_PART, "\xff\0\0\0\0\0\0\0later", 13),
      NULL, "an unknown part is skipped");
  test_fmt_check_read(tap, test_fmt_edited(INSERT_BEFORE, CILKPROF_RECORD_PART, CILKPROF_RECORD_PART, "short", 5),
                      "too short", "a part without its kind");
  test_fmt_check_read(tap, test_fmt_edited(INSERT_BEFORE, CILKPROF_RECORD_SITE, 0x7777, "later", 5), NULL,
                      "an unknown tag is skipped");
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, CILKPROF_RECORD_TOTALS, CILKPROF_RECORD_TOTALS, "12345678", 8),
                      "wrong length", "totals of another length");
  test_fmt_check_read(
      tap, test_fmt_edited(INSERT_BEFORE, CILKPROF_RECORD_OBJECT, CILKPROF_RECORD_END, "\0\0\0\0\0\0\0\0", 8),
      "records instead of", "an END with the wrong number of records");
  test_fmt_check_read(tap, test_fmt_edited(DOUBLE, CILKPROF_RECORD_SAMPLING, 0, NULL, 0), "there is more than one",
                      "two samplings");
  test_fmt_check_read(tap, test_fmt_edited(DOUBLE, CILKPROF_RECORD_TIMELINE, 0, NULL, 0), "there is more than one",
                      "two time lines");
  test_fmt_check_read(tap, test_fmt_edited(DROP, CILKPROF_RECORD_SAMPLING, 0, NULL, 0), "precedes that of the sampling",
                      "no sampling");
  test_fmt_check_read(tap, test_fmt_edited(DROP, CILKPROF_RECORD_TIMELINE, 0, NULL, 0), NULL, "no time line");
  test_fmt_check_read(tap, test_fmt_edited(DOUBLE, CILKPROF_RECORD_STACK_SPAN, 0, NULL, 0),
                      "in the order of their stacks", "a stack is on the span twice");
  test_fmt_check_read(tap, test_fmt_edited(DROP, CILKPROF_RECORD_COUNTERS, 0, NULL, 0), NULL, "no counters");
  test_fmt_check_read(tap, test_fmt_edited(DOUBLE, CILKPROF_RECORD_COUNTERS, 0, NULL, 0),
                      "in the order of their stacks", "two counters of one stack");
  test_fmt_check_read(tap, test_fmt_edited(DROP, CILKPROF_RECORD_TRANSITIONS, 0, NULL, 0), NULL, "no transitions");
  struct sample s = test_fmt_sample_profile();
  struct bytes longer = test_fmt_write_sample(&s);
  test_fmt_put_bytes(&longer, "12345678", 8);
  test_fmt_check_read(tap, longer, "followed by other data", "bytes after the end");
}

/* Checks that records whose lengths and counts do not fit are refused, also where a size would overflow.  */
static void test_fmt_payloads(struct tap *tap) {
  struct {
    struct cilkprof_program_payload fixed;
    uint32_t length;
    char string[4];
  } program = {{CILKPROF_MODE_COUNT, 1, 0, 15000, 16}, 4, {'a', 0, 'b', 'c'}};
  const size_t size = sizeof program;
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 1, 1, &program, size), "zero byte", "an argument with a zero byte");
  program.string[1] = 'x';
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 1, 1, &program, size), NULL, "an argument without");
  program.length = 5;
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 1, 1, &program, size), "too long",
                      "an argument longer than its record");
  program.length = UINT32_MAX;
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 1, 1, &program, size), "too long", "an argument of 4 GB");
  program.length = 3;
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 1, 1, &program, size), "longer than",
                      "a record longer than its argument");
  program.fixed.argc = UINT32_MAX;
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 1, 1, &program, size), "fewer than", "four billion arguments");
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 1, 1, &program, 31), "too short",
                      "a record without its fixed part");
  struct cilkprof_tree_payload tree = {.node_count = UINT64_MAX / 48 + 2};
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 15, 15, &tree, sizeof tree), "nodes and children",
                      "a count of nodes that wraps");
  tree = (struct cilkprof_tree_payload){.name_count = UINT64_MAX / 4 + 2};
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 15, 15, &tree, sizeof tree), "fewer names",
                      "a count of names that wraps");
  const uint64_t counted[] = {CILKPROF_TREE_COUNTED, 0, 0, 0, 0, 0, UINT64_MAX / 48 + 2};
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 15, 15, counted, sizeof counted), "fewer counters",
                      "a count of counts that wraps");
  tree = (struct cilkprof_tree_payload){.flags = 0};
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 15, 15, &tree, sizeof tree), "is not the program",
                      "a tree without nodes");
  struct cilkprof_run_payload run = {.load_count = UINT64_MAX / 8 + 3};
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 2, 2, &run, sizeof run), "load addresses",
                      "a count of load addresses that wraps");
  struct cilkprof_timeline_payload line = {1, UINT64_C(1) << 32, UINT64_C(1) << 32};
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 14, 14, &line, sizeof line), "number of values",
                      "a time line whose size wraps");
  line.thread_count = line.bucket_count = 0;
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 14, 14, &line, sizeof line), NULL, "a time line of nobody");
  line.bucket_ns = 0;
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 14, 14, &line, sizeof line), "number of values",
                      "a time line without time");
}

/* Checks that the file is refused with the reason WRONG, or read if that is NULL, if its threads have the one
   transition ONE, and the record states COUNT of them.  WHAT names the test.  */
static void test_fmt_transition(struct tap *tap, uint64_t count, struct cilkprof_transition one, const char *wrong,
                                const char *what) {
  struct {
    struct cilkprof_transitions_payload fixed;
    struct cilkprof_transition list[2];
  } record = {{0, count}, {{.time_ns = 5, .object = CILKPROF_NO_OBJECT, .thread = CILKPROF_NO_THREAD}, one}};
  test_fmt_check_read(tap, test_fmt_edited(REPLACE, 22, 22, &record, sizeof record), wrong, what);
}

/* Checks that wrong transitions of threads are refused.  */
static void test_fmt_transitions(struct tap *tap) {
  const struct cilkprof_transition right = {5, 7, 1, 1, CILKPROF_TRANSITION_TASK, CILKPROF_THREAD_LOCKED};
  struct cilkprof_transition one = right;
  test_fmt_transition(tap, 2, one, NULL, "transitions");
  test_fmt_transition(tap, 1, one, "stated number of transitions", "more transitions than stated");
  test_fmt_transition(tap, UINT64_MAX / 32 + 3, one, "stated number of transitions", "a count that wraps");
  one.time_ns = 4;
  test_fmt_transition(tap, 2, one, "not in the order of time", "a transition before the previous one");
  one = right;
  one.kind = CILKPROF_TRANSITION_KINDS;
  test_fmt_transition(tap, 2, one, "unknown kind of transition", "an unknown kind of transition");
  one = right;
  one.state = CILKPROF_THREAD_STATES;
  test_fmt_transition(tap, 2, one, "unknown kind of transition", "an unknown state of a thread");
  one = right;
  one.object = 2;
  test_fmt_transition(tap, 2, one, "unlisted object", "a transition in no object");
  one = right;
  one.thread = 2;
  test_fmt_transition(tap, 2, one, "unlisted thread", "a task of no thread");
  one = right;
  one.kind = CILKPROF_TRANSITION_PATH;
  one.address = 3;
  test_fmt_transition(tap, 2, one, "unlisted stack", "a transition on no path");
}

/* Checks that a file of another version is refused, though its checksum is right.  */
static void test_fmt_version(struct tap *tap) {
  struct sample s = test_fmt_sample_profile();
  struct bytes bytes = test_fmt_write_sample(&s);
  uint32_t version = 2;
  memcpy(bytes.data + 12, &version, sizeof version);
  uint32_t checksum = cilkprof_checksum(0, bytes.data, 16);
  memcpy(bytes.data + 16, &checksum, sizeof checksum);
  test_fmt_check_read(tap, bytes, "version 2", "another version");
}

/* Runs all tests.  Returns the exit status.  */
int main(void) {
  struct tap tap = {0, 0};
  test_fmt_structure(&tap);
  test_fmt_payloads(&tap);
  test_fmt_transitions(&tap);
  test_fmt_version(&tap);
  return tap_end(&tap);
}
