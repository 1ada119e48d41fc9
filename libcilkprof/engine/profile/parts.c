/* Writing calling contexts, of the program or of a root, and roots.
   SPDX-License-Identifier: MIT  */

#include <unistd.h>

#include "libcilkprof/engine/profile/output.h"
#include "libcilkprof/engine/roots/root.h"
#include "libcilkprof/engine/whatif/whatif.h"
#include "libcilkprof/common/system.h"

/* Returns the sum of the measures A and B.  */
static struct cilkprof_measure sum_of_profile_measures(struct cilkprof_measure a, struct cilkprof_measure b) {
  return (struct cilkprof_measure){a.count + b.count, a.work + b.work, a.span + b.span,
                                   a.burdened_span + b.burdened_span};
}

/* Returns the on-span values of TALLY.  Those of the program are in ENTRIES, the sums of the log; those of a root were
   added up when its invocations ended.  */
static struct cilkprof_measure on_span_profile_measure(const struct tally *tally, const entry_t *entries) {
  const entry_t *entry = tally->folded && !tally->tree ? &entries[tally->folded - 1] : NULL;
  if (ENGINE.flags & CILKPROF_NO_ON_SPAN)
    return (struct cilkprof_measure){0};
  if (tally->tree)
    return (struct cilkprof_measure){tally->on_span.count, tally->on_span.work, tally->on_span.span,
                                     tally->on_span.burdened_span};
  return entry ? (struct cilkprof_measure){entry->count, entry->work, entry->span, entry->burdened_span}
               : (struct cilkprof_measure){0};
}

/* Writes the calling contexts of TREE, the program (0) or a root, to the profile.  ENTRIES are the sums of the log.
   Contexts of a root without a count are skipped: they are left of root invocations that could not be measured.  */
void __cilkprof_profile_write_contexts(struct cilkprof_writer *writer, uint64_t tree, const entry_t *entries) {
  size_t count;
  context_t *contexts = __cilkprof_contexts(&count);
  uint64_t number = 0;
  for (size_t i = 0; i < count; i++) {
    context_t *context = &contexts[i];
    if (context->tally.tree != tree || !context->site || (tree && !context->on_work.count))
      continue;
    struct cilkprof_context out = {
        .parent = context->parent->site ? (uint32_t)context->parent->number : CILKPROF_NO_CONTEXT,
        .site = (uint32_t)context->site->folded[0],
        .on_work = __cilkprof_profile_measure_of(context->on_work),
        .on_span = on_span_profile_measure(&context->tally, entries),
    };
    context->number = number++;
    __cilkprof_profile_limit_span(&out.on_span);
    __cilkprof_profile_limit_burdened(&out.on_work, 1);
    __cilkprof_profile_limit_burdened(&out.on_span, 1);
    cilkprof_write_context(writer, &out);
  }
}

/* Returns LOCAL, the local values of a site in a root, as a measure of the profile.  */
static struct cilkprof_measure local_profile_measure(const struct root_local *local) {
  return (struct cilkprof_measure){local->count, local->work, local->work - local->off_span,
                                   local->work - local->off_burdened_span};
}

/* Writes the record of IN, the values of a site in a root.  NUMBER is that of the site in the profile.  */
static void write_profile_root_site(struct cilkprof_writer *writer, const root_site_t *in, uint64_t number) {
  struct cilkprof_measure top = on_span_profile_measure(&in->top, NULL);
  struct cilkprof_root_site out = {
      .site = number,
      .invocations = in->invocations,
      .on_work = {__cilkprof_profile_measure_of(in->top_call_site), __cilkprof_profile_measure_of(in->top_caller),
                  local_profile_measure(&in->on_work)},
      .on_span = {sum_of_profile_measures(top, on_span_profile_measure(&in->below, NULL)), top},
  };
  if (!(ENGINE.flags & CILKPROF_NO_ON_SPAN))
    out.on_span.local = local_profile_measure(&in->on_span);
  __cilkprof_profile_limit_span(&out.on_span.top_call_site);
  __cilkprof_profile_limit_span(&out.on_span.top_caller);
  __cilkprof_profile_limit_burdened(&out.on_work.top_call_site, 3);
  __cilkprof_profile_limit_burdened(&out.on_span.top_call_site, 3);
  cilkprof_write_root_site(writer, &out);
}

/* Writes ROOT, which is TREE, with its sites, its contexts and its answers to what-if questions, to the profile.  */
static void write_profile_root(struct cilkprof_writer *writer, const struct root *root, uint64_t tree) {
  struct cilkprof_root out = {.name = root->text,
                              .kind = root->kind,
                              .invocations = root->invocations,
                              .totals = root->totals,
                              .own = root->own};
  __cilkprof_profile_limit_burdened(&out.own, 1);
  struct cilkprof_measure whole = {1, 0, 0, out.totals.burdened_span};
  __cilkprof_profile_limit_burdened(&whole, 1);
  out.totals.burdened_span = whole.burdened_span;
  cilkprof_write_root(writer, &out);
  for (const site_t *site = ENGINE.first_site; site; site = site->next) {
    const root_site_t *in = __cilkprof_known_root_site(site, tree);
    if (in && in->on_work.count)
      write_profile_root_site(writer, in, site->folded[0]);
  }
  __cilkprof_profile_write_contexts(writer, tree, NULL);
  __cilkprof_whatif_write(writer, tree, root->totals.work);
}

/* Writes all roots that were reached, at the end of the profile.  Reports those that were never reached, but not in a
   copy of the process, which writes a snapshot.  */
void __cilkprof_profile_write_roots(struct cilkprof_writer *writer) {
  size_t count;
  const struct root *roots = __cilkprof_roots(&count);
  __cilkprof_root_values_complete();
  for (size_t i = 0; i < count; i++)
    if (roots[i].invocations)
      write_profile_root(writer, &roots[i], i + 1);
    else if (!(roots[i].kind & CILKPROF_ROOT_PARTIAL) && getpid() == ENGINE.pid)
      __cilkprof_say(roots[i].text, "no such function, call site or region was reached, or it was inlined",
                     ENGINE.mode == CILKPROF_MODE_HYBRID
                         ? "the profile has no such root; what has no events needs -fcilkprof=hybrid"
                         : "the profile has no such root");
}
