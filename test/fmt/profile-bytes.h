/* A profile in memory, for the tests of the format.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_TEST_PROFILE_BYTES_H
#define CILKPROF_TEST_PROFILE_BYTES_H

#include <stdlib.h>
#include <string.h>
#include "fmt/layout.h"

struct bytes {
  uint8_t *data;
  size_t size;
};

/* Callback of the writer: appends DATA to the bytes in memory.  */
static inline int test_fmt_put_bytes(void *closure, const void *data, size_t size) {
  struct bytes *bytes = closure;
  if (size == 0)
    return 0;
  bytes->data = realloc(bytes->data, bytes->size + size);
  if (bytes->data == NULL)
    abort();
  memcpy(bytes->data + bytes->size, data, size);
  bytes->size += size;
  return 0;
}

struct sample {
  struct cilkprof_program program;
  struct cilkprof_run run;
  struct cilkprof_object objects[2];
  struct cilkprof_totals totals;
  struct cilkprof_site sites[2];
  struct cilkprof_loop loop;
  struct cilkprof_estimate estimate;
  struct cilkprof_region region;
  struct cilkprof_context contexts[2];
  struct cilkprof_whatif whatif;
  struct cilkprof_usage_record usage;
  struct cilkprof_workers workers;
  struct cilkprof_tree tree;
  struct cilkprof_sampling sampling;
  struct cilkprof_stack stacks[3];
  struct cilkprof_stack_span stack_span;
  struct cilkprof_counters counters;
  struct cilkprof_timeline timeline;
  struct cilkprof_transitions threads[2];
  struct cilkprof_root root; /* its parts are those here */
  struct cilkprof_root_site root_sites[2];
  struct cilkprof_context root_context;
  struct cilkprof_whatif root_whatif;
};

/* Returns measurements that obey all relations.  */
static inline struct cilkprof_measures test_fmt_sample_measures(uint64_t scale) {
  return (struct cilkprof_measures){
      .top_call_site = {2 * scale, 2001 * scale, 202 * scale, 203 * scale},
      .top_caller = {scale, 1001 * scale, 102 * scale, 103 * scale},
      .local = {3 * scale, 3001 * scale, 302 * scale, 303 * scale},
  };
}

/* Returns a valid profile in which nearly every field has a value of its own.  */
static inline struct sample test_fmt_sample_profile(void) {
  static const char *const arguments[] = {"./prog", "", "-n", "10 000"};
  static const uint64_t loads[] = {0x400000, 0x7f0000001000};
  static const uint8_t build_id[] = {0xde, 0xad, 0x00, 0xbe, 0xef};
  static const char *const names[] = {"", "loop \"1\"", "total"};
  static const struct cilkprof_tree_node nodes[] = {{CILKPROF_TREE_LOCK, 0, 2, 0x7ffe1234, 0, 1},
                                                    {CILKPROF_TREE_TASK, 0, 0, 0, 1, 2},
                                                    {CILKPROF_TREE_SECTION, CILKPROF_TREE_NOWAIT, 1, 0, 3, 1},
                                                    {CILKPROF_TREE_TASK, 0, 0, 0, 4, 1}};
  static const struct cilkprof_tree_child children[] = {
      {450, 1, CILKPROF_NO_NODE}, {150, 1, 0}, {50, 1, CILKPROF_NO_NODE}, {0, UINT64_C(1) << 33, 1}, {77, 1, 2}};
  static const struct cilkprof_tree_counts counts[] = {{1, 3, 4000, 5000, 6000, 70}, {2, 1, 8, 9, 10, 11}};
  static const struct cilkprof_transition first[] = {
      {100, 0x3333, 1, CILKPROF_NO_THREAD, CILKPROF_TRANSITION_REGION, CILKPROF_THREAD_WORKS},
      {200, 2, CILKPROF_NO_OBJECT, CILKPROF_NO_THREAD, CILKPROF_TRANSITION_PATH, CILKPROF_THREAD_WORKS}};
  static const struct cilkprof_transition second[] = {
      {300, 0x4444, 0, 0, CILKPROF_TRANSITION_TASK, CILKPROF_THREAD_WORKS},
      {300, 0, CILKPROF_NO_OBJECT, CILKPROF_NO_THREAD, CILKPROF_TRANSITION_DONE, CILKPROF_THREAD_IDLE},
      {500, 0, CILKPROF_NO_OBJECT, CILKPROF_NO_THREAD, CILKPROF_TRANSITION_STATE, CILKPROF_THREAD_ENDED}};
  static const uint64_t busy[] = {1, 2, 3, 4, 5, 6};
  struct sample s = {
      .program = {CILKPROF_MODE_HYBRID, CILKPROF_OTHER_THREADS, 15000, 16, 4, arguments},
      .run = {4711, UINT64_C(1700000000123456789), 987654321, 1000000000, 5000, 24000000, 6700, 3, 77, 2, loads},
      .objects = {{"/usr/bin/prog", build_id, sizeof build_id}, {"/usr/lib/libwithout.so", NULL, 0}},
      .sites = {{0, CILKPROF_NO_OBJECT, 0x2000, 0, test_fmt_sample_measures(UINT64_C(1) << 40),
                 test_fmt_sample_measures(5)},
                {1, 0, 0x2040, 0x1234, test_fmt_sample_measures(11), test_fmt_sample_measures(2)}},
      .loop = {1, 4, 44, 3, 1000, {901, 802, 703, 604, 505, 406, 307}, {81, 72, 63, 54, 45, 36, 27}},
      .estimate = {1, 22, 11, 5, 123},
      .region = {"the \"inner\" loop", CILKPROF_REGION_MARKED, {3, 5000, 400, 401}},
      .contexts = {{CILKPROF_NO_CONTEXT, 0, {4, 900, 90, 91}, {1, 80, 70, 71}},
                   {0, 1, {5, 600, 60, 61}, {2, 50, 40, 41}}},
      .whatif = {"partition", 10, 6, 7000, 500},
      .usage = {{1000000001, 200000002, 3003, 4}, 5, {600000006, 70000007, 8008, 9}, 1000000010, 11, 12},
      .workers = {8, 1234567890123, 77, 33},
      .tree = {CILKPROF_TREE_OPEN | CILKPROF_TREE_COUNTED, 24000000, 50, 4, 5, 3, nodes, children, names, 2, counts},
      .sampling = {CILKPROF_SAMPLED_CILK, CILKPROF_SAMPLING_PERF, 4, 5, 6, 1000, 1, 987654320, 1234567, 77, 8, 9, 10},
      .stacks = {{CILKPROF_NO_CONTEXT, 0, CILKPROF_STACK_CALL, 0x1111, 0, 0, 0, 0},
                 {0, 1, CILKPROF_STACK_EXACT, 0x2222, 70, 7000, 800, 90},
                 {CILKPROF_NO_CONTEXT, CILKPROF_NO_OBJECT, CILKPROF_STACK_UNKNOWN, 0, 7, 600, 50, 4}},
      .stack_span = {1, 2, 500},
      .counters = {1, 21000, 14000, 130, CILKPROF_NOT_COUNTED},
      .timeline = {1000000, 2, 3, busy},
      .threads = {{77, 2, first}, {0, 3, second}},
  };
  s.root = (struct cilkprof_root){
      .name = "solve", .invocations = 3, .totals = {0, 0, 0, 17, 18}, .own = {3, 1003, 104, 105}};
  s.root_sites[0] = (struct cilkprof_root_site){0, 2, test_fmt_sample_measures(7), test_fmt_sample_measures(4)};
  s.root_sites[1] = (struct cilkprof_root_site){1, 0, test_fmt_sample_measures(10), test_fmt_sample_measures(1)};
  s.root_context = (struct cilkprof_context){CILKPROF_NO_CONTEXT, 1, {6, 700, 72, 73}, {3, 62, 52, 53}};
  s.root_whatif = (struct cilkprof_whatif){"norm", 0, 9, 444, 44};
  s.root.totals.work = 1003 + 17 * UINT64_C(3001);
  s.root.totals.span = 104 + 5 * UINT64_C(302);
  s.root.totals.burdened_span = s.root.totals.span + 19;
  s.totals.work = s.sites[0].on_work.local.work + s.sites[1].on_work.local.work;
  s.totals.span = s.sites[0].on_span.local.span + s.sites[1].on_span.local.span;
  s.totals.burdened_span = s.totals.span + 99;
  s.totals.spawns = UINT64_C(1234567890123);
  s.totals.syncs = 42;
  return s;
}

/* Returns the bytes of the profile S, which the caller frees.  */
static inline struct bytes test_fmt_write_sample(const struct sample *s) {
  struct bytes bytes = {NULL, 0};
  struct cilkprof_writer writer = {.put = test_fmt_put_bytes, .closure = &bytes};
  cilkprof_write_begin(&writer);
  cilkprof_write_program(&writer, &s->program);
  cilkprof_write_run(&writer, &s->run);
  cilkprof_write_object(&writer, &s->objects[0]);
  cilkprof_write_object(&writer, &s->objects[1]);
  cilkprof_write_totals(&writer, &s->totals);
  cilkprof_write_site(&writer, &s->sites[0]);
  cilkprof_write_site(&writer, &s->sites[1]);
  if (s->loop.executions > 0)
    cilkprof_write_loop(&writer, &s->loop);
  cilkprof_write_estimate(&writer, &s->estimate);
  cilkprof_write_region(&writer, &s->region);
  cilkprof_write_context(&writer, &s->contexts[0]);
  cilkprof_write_context(&writer, &s->contexts[1]);
  cilkprof_write_whatif(&writer, &s->whatif);
  cilkprof_write_usage(&writer, &s->usage);
  cilkprof_write_workers(&writer, &s->workers);
  cilkprof_write_tree(&writer, &s->tree);
  cilkprof_write_sampling(&writer, &s->sampling);
  for (size_t i = 0; i < 3; i++)
    cilkprof_write_stack(&writer, &s->stacks[i]);
  cilkprof_write_stack_span(&writer, &s->stack_span);
  cilkprof_write_counters(&writer, &s->counters);
  cilkprof_write_timeline(&writer, &s->timeline);
  cilkprof_write_transitions(&writer, &s->threads[0]);
  cilkprof_write_transitions(&writer, &s->threads[1]);
  if (s->root.name != NULL) {
    cilkprof_write_root(&writer, &s->root);
    cilkprof_write_root_site(&writer, &s->root_sites[0]);
    cilkprof_write_root_site(&writer, &s->root_sites[1]);
    cilkprof_write_context(&writer, &s->root_context);
    cilkprof_write_whatif(&writer, &s->root_whatif);
  }
  if (cilkprof_write_end(&writer) != 0)
    abort();
  return bytes;
}

/* Appends a record with TAG and this payload to BYTES, with a right checksum.  */
static inline void test_fmt_put_record(struct bytes *bytes, uint32_t tag, const void *payload, size_t length) {
  static const uint8_t zeros[8];
  struct cilkprof_record_header header = {.tag = tag, .length = length};
  header.checksum = cilkprof_checksum(0, &header.tag, sizeof header.tag);
  header.checksum = cilkprof_checksum(header.checksum, &header.length, sizeof header.length);
  header.checksum = cilkprof_checksum(header.checksum, payload, length);
  test_fmt_put_bytes(bytes, &header, sizeof header);
  test_fmt_put_bytes(bytes, payload, length);
  test_fmt_put_bytes(bytes, zeros, cilkprof_padding(length));
}

/* Steps through the records of a right file: returns the header at *OFFSET and moves *OFFSET to the next.  */
static inline struct cilkprof_record_header test_fmt_next_record(const struct bytes *bytes, size_t *offset) {
  struct cilkprof_record_header header;
  memcpy(&header, bytes->data + *offset, sizeof header);
  *offset += sizeof header + header.length + cilkprof_padding(header.length);
  return header;
}

#endif
