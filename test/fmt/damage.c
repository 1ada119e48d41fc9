/* Files with right checksums and impossible contents: each is refused, with the reason.
   SPDX-License-Identifier: MIT  */

#include "test/fmt/refused.h"

/* Checks that records that contradict each other are refused.  */
static void test_fmt_relations(struct tap *tap) {
  struct sample s = test_fmt_sample_profile();
  test_fmt_check_sample(tap, &s, NULL, "the sample is right");
  s.program.mode = 6;
  test_fmt_check_sample(tap, &s, "mode", "an unknown mode");
  s = test_fmt_sample_profile();
  s.program.flags = 1 << 20;
  test_fmt_check_sample(tap, &s, "flags", "an unknown flag");
  s = test_fmt_sample_profile();
  s.run.load_count = 1;
  test_fmt_check_sample(tap, &s, "load addresses", "fewer load addresses than objects");
  s = test_fmt_sample_profile();
  s.sites[1].object = 2;
  test_fmt_check_sample(tap, &s, "site refers to an unlisted object", "a site in an unknown object");
  s = test_fmt_sample_profile();
  s.sites[1].callee_object = 2;
  test_fmt_check_sample(tap, &s, "a callee refers to an unlisted object", "a callee in an unknown object");
  s = test_fmt_sample_profile();
  s.totals.work++;
  test_fmt_check_sample(tap, &s, "does not add up to the work", "local work that is not the work");
  s = test_fmt_sample_profile();
  s.totals.span++;
  test_fmt_check_sample(tap, &s, "do not add up to the span", "local span on span that is not the span");
  s = test_fmt_sample_profile();
  s.totals.burdened_span = s.totals.span - 1;
  test_fmt_check_sample(tap, &s, "the totals are inconsistent", "a burdened span below the span");
  s = test_fmt_sample_profile();
  s.region.kind = 3;
  test_fmt_check_sample(tap, &s, "kind of region", "an unknown kind of region");
  s = test_fmt_sample_profile();
  s.region.total.span = s.region.total.work + 1;
  test_fmt_check_sample(tap, &s, "values of a region are inconsistent", "a region with more span than work");
  s = test_fmt_sample_profile();
  s.contexts[1].parent = 1;
  test_fmt_check_sample(tap, &s, "unlisted parent", "a context that is its own parent");
  s = test_fmt_sample_profile();
  s.contexts[1].site = 2;
  test_fmt_check_sample(tap, &s, "unlisted call site", "a context of an unknown site");
  s = test_fmt_sample_profile();
  s.contexts[0].on_span.work = s.contexts[0].on_work.work + 1;
  test_fmt_check_sample(tap, &s, "values of a context are inconsistent", "a context with more on the span than in all");
  s = test_fmt_sample_profile();
  s.whatif.span = s.whatif.work + 1;
  test_fmt_check_sample(tap, &s, "what-if", "a what-if with more span than work");
  s = test_fmt_sample_profile();
  s.usage.units_per_second = 0;
  test_fmt_check_sample(tap, &s, "no time unit", "a usage without a unit of time");
  s = test_fmt_sample_profile();
  s.usage.reference_runs = 0;
  test_fmt_check_sample(tap, &s, "no reference runs", "a reference without runs");
  s = test_fmt_sample_profile();
  s.workers.workers = 0;
  test_fmt_check_sample(tap, &s, "no workers", "a parallel run without workers");
  s = test_fmt_sample_profile();
  s.workers.stolen = s.workers.deferred + 1;
  test_fmt_check_sample(tap, &s, "more children were stolen", "more stolen children than there were");
  s = test_fmt_sample_profile();
  s.sites[0].on_work.local.work = UINT64_MAX;
  test_fmt_check_sample(tap, &s, "exceed 64 bits", "sums that wrap");
  s.program.flags |= CILKPROF_SATURATED;
  test_fmt_check_sample(tap, &s, NULL, "sums that wrap, of a profile that says so");
}

/* Checks that roots that contradict the rest of the profile are refused.  */
static void test_fmt_root_relations(struct tap *tap) {
  struct sample s = test_fmt_sample_profile();
  s.root.totals.work++;
  test_fmt_check_sample(tap, &s, "does not add up to the work", "a root whose sites are not its work");
  s = test_fmt_sample_profile();
  s.root.totals.span++;
  test_fmt_check_sample(tap, &s, "do not add up to the span", "a root whose sites are not its span");
  s.root.kind = CILKPROF_ROOT_PARTIAL;
  test_fmt_check_sample(tap, &s, NULL, "the same of one that says so");
  s.root.kind = 2;
  test_fmt_check_sample(tap, &s, "kind of root", "an unknown kind of root");
  s = test_fmt_sample_profile();
  s.root.invocations = 0;
  test_fmt_check_sample(tap, &s, "no invocations", "a root without invocations");
  s = test_fmt_sample_profile();
  s.root_sites[1].site = 2;
  test_fmt_check_sample(tap, &s, "unlisted call site", "a root with an unknown site");
  s = test_fmt_sample_profile();
  s.root_sites[1].site = 0;
  test_fmt_check_sample(tap, &s, "out of order", "a root with a site twice");
  s = test_fmt_sample_profile();
  s.root_sites[1].on_span.local.work = s.root_sites[1].on_work.local.work + 1;
  test_fmt_check_sample(tap, &s, "more on the span", "a root's site with more on the span than in all");
  s = test_fmt_sample_profile();
  s.root_context.parent = 0;
  test_fmt_check_sample(tap, &s, "unlisted parent", "a root's context that is its own parent");
  s = test_fmt_sample_profile();
  s.root_context.site = 2;
  test_fmt_check_sample(tap, &s, "parent or call site", "a root's context of an unknown site");
  s = test_fmt_sample_profile();
  s.root_whatif.span = s.root_whatif.work + 1;
  test_fmt_check_sample(tap, &s, "what-if", "a root's what-if with more span than work");
}

/* Checks that a profile is refused in which a value exceeds another one that it must not exceed, for each such
   pair.  */
static void test_fmt_measures(struct tap *tap) {
  struct sample s = test_fmt_sample_profile();
  struct cilkprof_measures *work = &s.sites[1].on_work, *span = &s.sites[1].on_span;
  const struct {
    const char *what;
    uint64_t *smaller, *larger;
  } relations[] = {
      {"more on the span: top-call-site count", &span->top_call_site.count, &work->top_call_site.count},
      {"more on the span: top-call-site work", &span->top_call_site.work, &work->top_call_site.work},
      {"more on the span: top-call-site span", &span->top_call_site.span, &work->top_call_site.span},
      {"more on the span: top-caller count", &span->top_caller.count, &work->top_caller.count},
      {"more on the span: top-caller work", &span->top_caller.work, &work->top_caller.work},
      {"more on the span: top-caller span", &span->top_caller.span, &work->top_caller.span},
      {"more on the span: local count", &span->local.count, &work->local.count},
      {"more on the span: local work", &span->local.work, &work->local.work},
      {"more on the span: local span", &span->local.span, &work->local.span},
      {"are inconsistent: top-caller count", &work->top_caller.count, &work->top_call_site.count},
      {"are inconsistent: top-caller work", &work->top_caller.work, &work->top_call_site.work},
      {"are inconsistent: top-caller span", &work->top_caller.span, &work->top_call_site.span},
      {"are inconsistent: top-call-site count", &work->top_call_site.count, &work->local.count},
      {"are inconsistent: top-call-site span", &work->top_call_site.span, &work->top_call_site.work},
      {"are inconsistent: local span", &work->local.span, &work->local.work},
      {"are inconsistent: on span, top-caller work", &span->top_caller.work, &span->top_call_site.work},
  };
  for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%.*s", (int)strcspn(relations[i].what, ":"), relations[i].what);
    s = test_fmt_sample_profile();
    *relations[i].smaller = *relations[i].larger + 1;
    test_fmt_check_sample(tap, &s, wanted, relations[i].what);
  }
}

/* Checks that the identities of a whole run need not hold for an incomplete one, and that a run that lacked the memory
   for on-span data has none.  */
static void test_fmt_flags(struct tap *tap) {
  struct sample s = test_fmt_sample_profile();
  s.program.flags = CILKPROF_INCOMPLETE;
  s.totals.work++;
  s.totals.burdened_span = s.totals.span++;
  s.totals.burdened_span += 2;
  test_fmt_check_sample(tap, &s, NULL, "an incomplete run need not add up");
  s = test_fmt_sample_profile();
  s.program.flags = CILKPROF_NO_ON_SPAN;
  test_fmt_check_sample(tap, &s, "but the run recorded none", "on-span data in a run without");
  s.sites[0].on_span = s.sites[1].on_span = (struct cilkprof_measures){{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
  test_fmt_check_sample(tap, &s, "a context has on-span data", "contexts on the span of a run without");
  s.contexts[0].on_span = s.contexts[1].on_span = (struct cilkprof_measure){0, 0, 0, 0};
  test_fmt_check_sample(tap, &s, "a call site has on-span data", "a root's sites on the span of a run without");
  s.root_sites[0].on_span = s.root_sites[1].on_span = s.sites[0].on_span;
  s.root_context.on_span = s.contexts[0].on_span;
  test_fmt_check_sample(tap, &s, NULL, "no on-span data in a run without");
}

/* Returns the sample with contexts that add up: each has the measurements of its site, and the first those of the
   program.  It is in mode count, in which they must be exact.  */
static struct sample test_fmt_sample_of_contexts(void) {
  struct sample s = test_fmt_sample_profile();
  s.program.mode = CILKPROF_MODE_COUNT;
  s.run.units_per_second = 0;
  s.root.name = NULL;
  s.sites[0].on_work.top_call_site = (struct cilkprof_measure){1, s.totals.work, s.totals.span, s.totals.burdened_span};
  s.sites[0].on_span.top_call_site = s.sites[0].on_work.top_call_site;
  s.sites[0].on_work.top_caller = s.sites[0].on_span.top_caller = s.sites[0].on_work.top_call_site;
  for (uint32_t i = 0; i < 2; i++)
    s.contexts[i] = (struct cilkprof_context){i == 0 ? CILKPROF_NO_CONTEXT : 0, i, s.sites[i].on_work.top_call_site,
                                              s.sites[i].on_span.top_call_site};
  return s;
}

/* Checks that contexts that do not add up are refused.  */
static void test_fmt_contexts(struct tap *tap) {
  const char *children = "children of a context add up to more";
  struct sample s = test_fmt_sample_of_contexts();
  test_fmt_check_sample(tap, &s, NULL, "contexts that add up");
  s.contexts[1].on_work.work = s.contexts[0].on_work.work + 1;
  test_fmt_check_sample(tap, &s, children, "a child with more work than its parent");
  s = test_fmt_sample_of_contexts();
  s.contexts[0].on_span.work = s.contexts[1].on_span.work - 1;
  test_fmt_check_sample(tap, &s, children, "a child with more work on the span");
  s = test_fmt_sample_of_contexts();
  s.contexts[0].on_span.span = s.contexts[1].on_span.span - 1;
  test_fmt_check_sample(tap, &s, children, "a child with more span on the span");
  s = test_fmt_sample_of_contexts();
  s.contexts[1].on_work.count++;
  test_fmt_check_sample(tap, &s, "of a call site add up to more", "contexts with more calls than their site");
  s = test_fmt_sample_of_contexts();
  s.contexts[1].on_span.burdened_span++;
  test_fmt_check_sample(tap, &s, "of a call site add up to more", "contexts with more burdened span than their site");
  s = test_fmt_sample_of_contexts();
  s.contexts[1].on_span.count--;
  test_fmt_check_sample(tap, &s, "of a call site add up to less",
                        "contexts with fewer calls on the span than their site");
  s.program.flags = CILKPROF_CONTEXTS_CUT;
  test_fmt_check_sample(tap, &s, NULL, "unless there were too many");
  s = test_fmt_sample_of_contexts();
  s.contexts[1].parent = CILKPROF_NO_CONTEXT;
  test_fmt_check_sample(tap, &s, "outermost contexts add up to more", "outermost contexts with more than the program");
  s = test_fmt_sample_of_contexts();
  s.totals.burdened_span++;
  test_fmt_check_sample(tap, &s, "outermost contexts add up to less", "outermost contexts with less than the program");
  s.program.mode = CILKPROF_MODE_CLOCK;
  s.run.units_per_second = 1000;
  test_fmt_check_sample(tap, &s, NULL, "times may be rounded");
}

/* Checks that the tree of the sample is refused if any of its values is wrong.  */
static void test_fmt_tree(struct tap *tap) {
  static struct cilkprof_tree_node nodes[4];
  static struct cilkprof_tree_child children[5];
  static struct cilkprof_tree_counts counts[2];
  static struct cilkprof_tree tree;
  const struct {
    const char *what, *wanted;
    uint64_t *place, value;
  } changes[] = {
      {"another kind of node", "unknown kind of node", &nodes[0].kind, 4},
      {"no wait, of a task", "unknown node flags", &nodes[1].flags, CILKPROF_TREE_NOWAIT},
      {"other flags of a tree", "unknown flags of the task tree", &tree.flags, 1 << 20},
      {"a name that is not there", "refers to a missing name", &nodes[2].name, 3},
      {"children that are another's", "do not match its nodes", &nodes[1].first, 0},
      {"more children than there are", "do not match its nodes", &nodes[3].count, UINT64_MAX},
      {"fewer children than there are", "do not match its nodes", &nodes[3].count, 0},
      {"a child that is there no time", "zero times", &children[1].repeat, 0},
      {"a node that is its own child", "precedes one of its children", &children[3].node, 2},
      {"a task in a task", "outside of any section", &children[4].node, 1},
      {"counts of a name that is not there", "a counter of the task tree refers to a missing name", &counts[1].name, 3},
      {"a section as the program", "is not the program", &nodes[3].kind, CILKPROF_TREE_SECTION},
  };
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    struct sample s = test_fmt_sample_profile();
    memcpy(nodes, s.tree.nodes, sizeof nodes);
    memcpy(children, s.tree.children, sizeof children);
    memcpy(counts, s.tree.counts, sizeof counts);
    tree = s.tree;
    *changes[i].place = changes[i].value;
    s.tree = tree;
    s.tree.nodes = nodes;
    s.tree.children = children;
    s.tree.counts = counts;
    test_fmt_check_sample(tap, &s, changes[i].wanted, changes[i].what);
  }
}

/* Checks that samples are refused that no run can have.  */
static void test_fmt_samples(struct tap *tap) {
  struct sample s = test_fmt_sample_profile();
  s.stacks[1].parent = 1;
  test_fmt_check_sample(tap, &s, "an unlisted parent", "a stack below itself");
  s = test_fmt_sample_profile();
  s.stacks[1].object = 2;
  test_fmt_check_sample(tap, &s, "an unlisted object", "a stack in no object");
  s = test_fmt_sample_profile();
  s.stacks[0].kind = CILKPROF_STACK_KINDS;
  test_fmt_check_sample(tap, &s, "unknown kind of stack", "an unknown kind of stack");
  s = test_fmt_sample_profile();
  s.stacks[2].address = 1;
  test_fmt_check_sample(tap, &s, "must not have an address", "an unknown stack with an address");
  s = test_fmt_sample_profile();
  s.stack_span.stack = 3;
  test_fmt_check_sample(tap, &s, "an unlisted stack", "what is on the span of no stack");
  s = test_fmt_sample_profile();
  s.stack_span.samples = s.stacks[s.stack_span.stack].samples + 1;
  test_fmt_check_sample(tap, &s, "more samples on the span", "more samples on the span than there are");
  s = test_fmt_sample_profile();
  s.counters.stack = 3;
  test_fmt_check_sample(tap, &s, "an unlisted stack", "counters of no stack");
  s = test_fmt_sample_profile();
  s.stacks[0].idleness_ns = UINT64_MAX - 7000;
  test_fmt_check_sample(tap, &s, "exceed 64 bits", "sums of samples that wrap");
  uint64_t *fields[] = {&s.sampling.sampled, &s.sampling.clock};
  for (size_t i = 0; i < 2; i++) {
    s = test_fmt_sample_profile();
    *fields[i] = 9;
    test_fmt_check_sample(tap, &s, "unknown", "samples of an unknown kind");
  }
  uint64_t *numbers[] = {&s.sampling.processors, &s.sampling.workers, &s.sampling.hz, &s.sampling.runs};
  for (size_t i = 0; i < 4; i++) {
    s = test_fmt_sample_profile();
    *numbers[i] = 0;
    test_fmt_check_sample(tap, &s, "samples without runs", "samples of nothing");
  }
  s = test_fmt_sample_profile();
  s.program.mode = CILKPROF_MODE_SAMPLED;
  test_fmt_check_sample(tap, &s, "must not have work or span", "a sampled run with work and span");
}

/* Runs all tests.  Returns the exit status.  */
int main(void) {
  struct tap tap = {0, 0};
  test_fmt_relations(&tap);
  test_fmt_root_relations(&tap);
  test_fmt_measures(&tap);
  test_fmt_flags(&tap);
  test_fmt_contexts(&tap);
  test_fmt_tree(&tap);
  test_fmt_samples(&tap);
  return tap_end(&tap);
}
