/* What counted calls did at each site: their time, divided as in the calls that were followed.
   SPDX-License-Identifier: MIT

   The followed calls of a site give the share of their work that was done at each site inside.  What its counted calls
   took is divided by these shares, on all of the work and on the span alike.  Where calls inside of a followed call
   were counted themselves, their share goes on to the sites inside of these, and so on: with every round less is left
   to be divided.  What is left in the end, or was never followed, stays with the callee itself.  Work that is lost by
   rounding goes to the sites again, so that the sum is what was measured.

   How sure a share is follows from how much it varied between the followed calls: it is a ratio of two sums over a
   random sample, whose variance is known from the sums of squares and products.  */

#include <stdlib.h>
#include <sys/mman.h>

#include "libcilkprof/engine/span/counted_sums.h"
#include "libcilkprof/engine/memory.h"

enum { ROUNDS = 64 };

/* Which of the two sums of a site is meant.  */
enum { ON_WORK, ON_SPAN, SUMS };

struct shares_of_site {
  site_t *site;
  uint64_t calls; /* counted calls that followed code made */
  struct {
    struct counted_share local, top_call_site, top_caller;
  } shares[SUMS];
  struct counted_sums sums;
};

static struct {
  struct shares_of_site *sites; /* a hash table; NULL: nothing was counted, or there is no memory */
  size_t room;
} table;

/* Returns the slot of SITE in the hash table of shares: the one that has it, or a free one.  */
static struct shares_of_site *slot_of_site(const site_t *site) {
  size_t i = (size_t)(((uint64_t)site >> 6) * 0x9e3779b97f4a7c15u >> 20) & (table.room - 1);
  while (table.sites[i].site && table.sites[i].site != site)
    i = (i + 1) & (table.room - 1);
  return &table.sites[i];
}

/* Returns the shares of counted work that SITE has, which are made if there are none yet.  */
static struct shares_of_site *counted_shares_of_site(site_t *site) {
  struct shares_of_site *slot = slot_of_site(site);
  slot->site = site;
  return slot;
}

/* Adds COUNT calls with WORK, which has a VARIANCE, to SHARE.  */
static void add_to_counted_share(struct counted_share *share, double count, double work, double variance) {
  share->count += count;
  share->work += work;
  share->variance += variance;
}

/* Returns the variance of the share that X has of the work in the sample of COUNTED.  After a single call nothing is
   known of it: the error may be as large as the share itself.  */
static double variance_of_sampled_share(const counted_t *counted, const struct sampled_sum *x) {
  double calls = (double)counted->learnt_from, work = (double)counted->work, share = (double)x->sum / work;
  if (calls < 2)
    return share * share;
  double deviations = x->squares - 2 * share * x->products + share * share * counted->work_squares;
  return deviations > 0 ? deviations / (work * work) * calls / (calls - 1) : 0;
}

/* Returns whether some invocations of SITE are below others.  */
static int is_recursive_site(const site_t *site) {
  return !(site->flags & __CILKPROF_SITE_LEAF) && site->count > site->top_call_site.count;
}

/* Adds PART of the calls of a site to the shares SUM of the part's site, its calls and its work times SCALE.  VARIANCE
   is that of its work then.  INSIDE says whether these calls are below other invocations of their site: then so are
   those of recursive sites in them.  */
static void add_counted_part_to_shares(const struct counted_part *part, struct counted_share scale, double variance,
                                       int sum, int inside) {
  uint64_t kind = part->key & __CILKPROF_ENTRY_KIND;
  site_t *site = (site_t *)(part->key - kind);
  counted_t *counted = stands_in_for(site);
  double count = scale.count * (double)part->count, local = scale.work * (double)part->local_work.sum,
         work = scale.work * (double)part->work;
  if (counted) {
    inside |= site == &counted->standing[INNER];
    add_to_counted_share(&counted->undivided[sum][inside], count, local, variance);
    if (!counted->site || counted->calling)
      return;
    site = counted->site;
  }
  struct shares_of_site *shares = counted_shares_of_site(site);
  add_to_counted_share(&shares->shares[sum].local, count, counted ? 0 : local, counted ? 0 : variance);
  if (kind < __CILKPROF_ENTRY_TOP_SITE || (inside && (counted || is_recursive_site(site))))
    return;
  add_to_counted_share(&shares->shares[sum].top_call_site, count, work, 0);
  if (kind == __CILKPROF_ENTRY_TOP_CALLER)
    add_to_counted_share(&shares->shares[sum].top_caller, count, work, 0);
}

/* Returns the variance of what X gets of WHOLE, which is divided by the sample of COUNTED.  BEFORE is the work that was
   divided by the same sample already, so that the errors of both are one.  */
static double variance_of_part(const counted_t *counted, const struct sampled_sum *x, struct counted_share whole,
                               double before) {
  double share = (double)x->sum / (double)counted->work;
  return whole.variance * share * share +
         (whole.work + 2 * before) * whole.work * variance_of_sampled_share(counted, x);
}

/* Returns how many times as many calls the counted iterations of the loop of COUNTED made as those of the sample, where
   their calls took WORK in all, of what they took on all of the work.  They may have taken too little to be
   measured.  */
static double calls_of_counted_iterations(const counted_t *counted, double work) {
  double all = (double)counted->standing[OUTERMOST].local_work, part = all > 0 ? work / all : 1;
  return part * (double)counted->counted_iterations / (double)counted->iterations;
}

/* Returns the site that has what cannot be divided of the work at the site of COUNTED.  A calling loop has no values of
   its own, so it is the one inside with the most work.  */
static site_t *site_with_undivided_work(const counted_t *counted) {
  const struct counted_part *most = NULL;
  for (size_t i = 0; i < counted->part_room && counted->calling; i++) {
    const struct counted_part *part = &counted->parts[i];
    const site_t *site = (const site_t *)(part->key & ~(uint64_t)__CILKPROF_ENTRY_KIND);
    if (part->key && !stands_in_for(site) && (!most || part->local_work.sum > most->local_work.sum))
      most = part;
  }
  return most ? (site_t *)(most->key & ~(uint64_t)__CILKPROF_ENTRY_KIND) : counted->site;
}

/* Divides what is undivided of SUM at the site of COUNTED.  INSIDE is as above.  FINAL: nothing is passed on.  */
static void divide_work_of_site(counted_t *counted, int sum, int inside, int final) {
  struct counted_share whole = counted->undivided[sum][inside];
  double before = counted->divided[sum];
  counted->undivided[sum][inside] = (struct counted_share){0, 0, 0};
  int nothing = whole.work <= 0 && !(counted->loop && whole.count > 0);
  if (nothing || !counted->site)
    return;
  counted->divided[sum] += whole.work;
  struct counted_share *own = &counted_shares_of_site(site_with_undivided_work(counted))->shares[sum].local;
  if (final || !counted->work) {
    add_to_counted_share(own, 0, whole.work, whole.work * whole.work);
    return;
  }
  struct counted_share scale = {whole.count / (double)counted->learnt_from, whole.work / (double)counted->work, 0};
  if (counted->loop) /* its calls are stretches of different numbers of iterations */
    scale.count = calls_of_counted_iterations(counted, whole.work);
  add_to_counted_share(own, 0, scale.work * (double)counted->local_work.sum,
                       variance_of_part(counted, &counted->local_work, whole, before));
  for (size_t i = 0; i < counted->part_room; i++)
    if (counted->parts[i].key)
      add_counted_part_to_shares(&counted->parts[i], scale,
                                 variance_of_part(counted, &counted->parts[i].local_work, whole, before), sum, inside);
}

/* Adds COUNT calls with WORK, which were booked at a stand-in, to the shares SUM of the site of COUNTED.  TOP_CALLER
   says whether they are top-caller invocations, INSIDE whether they are below others of the site.  */
static void begin_dividing_counted_work(counted_t *counted, int sum, int inside, int top_caller, double count,
                                        double work) {
  if (!counted->site)
    return;
  struct shares_of_site *shares = counted_shares_of_site(counted->site);
  add_to_counted_share(&counted->undivided[sum][inside], count, work, 0);
  if (counted->loop)
    return;
  if (sum == ON_WORK)
    shares->calls += (uint64_t)count;
  else
    add_to_counted_share(&shares->shares[sum].local, count, 0, 0);
  if (inside == INNER)
    return;
  add_to_counted_share(&shares->shares[sum].top_call_site, count, work, 0);
  if (top_caller)
    add_to_counted_share(&shares->shares[sum].top_caller, count, work, 0);
}

/* Adds all calls that were booked at STANDING, a stand-in of COUNTED.  ENTRIES are the sums of the log.  */
static void take_from_stand_in(counted_t *counted, const site_t *standing, int inside, const entry_t *entries) {
  struct __cilkprof_total all = __cilkprof_top_call_site_of(standing), callers = __cilkprof_top_caller_of(standing);
  begin_dividing_counted_work(counted, ON_WORK, inside, 1, (double)callers.count, (double)callers.work);
  begin_dividing_counted_work(counted, ON_WORK, inside, 0, (double)(all.count - callers.count),
                              (double)(all.work - callers.work));
  for (int kind = 1; kind < 3 && entries; kind++)
    if (standing->folded[kind]) {
      const entry_t *entry = &entries[standing->folded[kind] - 1];
      begin_dividing_counted_work(counted, ON_SPAN, inside, kind == __CILKPROF_ENTRY_TOP_CALLER / 2,
                                  (double)entry->count, (double)entry->local_work);
    }
}

/* Makes an empty table for so many SITES, in the place of one for an earlier snapshot.  Returns 0, or -1 if there is no
   memory.  */
static int make_counted_share_table(size_t sites) {
  if (table.sites)
    munmap(table.sites, table.room * sizeof *table.sites);
  for (table.room = 64; table.room < 2 * sites; table.room *= 2)
    ;
  table.sites = __cilkprof_reserve(table.room * sizeof *table.sites);
  return table.sites ? 0 : -1;
}

/* Returns how many sites are in the engine's list, those that were reached.  */
static size_t count_listed_sites(void) {
  size_t count = 0;
  for (const site_t *site = ENGINE.first_site; site; site = site->next)
    count++;
  return count;
}

/* Returns SHARE in whole calls and units of work, with at most the values of MOST.  Work is rounded down, so that there
   is not more of it than was measured; what is lost by that is returned later.  */
static struct counted_value rounded_counted_share(struct counted_share share, struct counted_value most) {
  uint64_t count = (uint64_t)(share.count + 0.5), work = (uint64_t)share.work;
  return (struct counted_value){count < most.count ? count : most.count, work < most.work ? work : most.work};
}

/* Rounds the shares SUM of a site to VALUES, in whole calls and units of work, with at most the values of MOST.  */
static void round_counted_values(struct counted_values *values, const struct shares_of_site *shares, int sum,
                                 const struct counted_values *most) {
  values->local = rounded_counted_share(shares->shares[sum].local, most->local);
  values->top_call_site = rounded_counted_share(shares->shares[sum].top_call_site, most->top_call_site);
  if (values->top_call_site.count > values->local.count)
    values->top_call_site.count = values->local.count;
  struct counted_value top = values->top_call_site;
  if (top.count > most->top_caller.count)
    top.count = most->top_caller.count;
  if (top.work > most->top_caller.work)
    top.work = most->top_caller.work;
  values->top_caller = rounded_counted_share(shares->shares[sum].top_caller, top);
}

/* Returns the square root of VALUE, rounded down.  Programs need not be linked with the mathematical library.  */
static uint64_t square_root_of(double value) {
  double root = value;
  for (double next = (value + 1) / 2; next < root; next = (root + value / root) / 2)
    root = next;
  return (uint64_t)root;
}

/* Rounds all shares of a site.  How often counted code called it is known exactly, but for calls by code without
   instrumentation.  */
static void round_counted_shares(struct shares_of_site *shares) {
  static const struct counted_value any = {UINT64_MAX, UINT64_MAX};
  struct counted_values most = {{UINT64_MAX, UINT64_MAX}, any, any};
  struct counted_share *local = &shares->shares[ON_WORK].local;
  int from_outside = shares->site->function == &__cilkprof_outside;
  most.local.count = shares->calls + (from_outside ? (uint64_t)local->count : shares->site->counted);
  local->count = (double)most.local.count;
  round_counted_values(&shares->sums.on_work, shares, ON_WORK, &most);
  shares->sums.on_work.local.count = most.local.count;
  round_counted_values(&shares->sums.on_span, shares, ON_SPAN, &shares->sums.on_work);
  shares->sums.error = square_root_of(local->variance);
}

/* Adds LEFT, the work on all of the work that rounding lost, to the site with the most.  */
static void return_lost_counted_work(int64_t left) {
  struct shares_of_site *most = NULL;
  for (size_t i = 0; i < table.room; i++)
    if (table.sites[i].site && (!most || table.sites[i].sums.on_work.local.work > most->sums.on_work.local.work))
      most = &table.sites[i];
  if (most)
    most->sums.on_work.local.work += (uint64_t)left;
}

/* Adds LEFT, the work on the span that rounding lost, to sites that have more on all of the work; or takes it away if
   it is negative.  */
static void return_lost_counted_span(int64_t left) {
  for (size_t i = 0; i < table.room && left; i++) {
    struct counted_value *some = &table.sites[i].sums.on_span.local;
    int64_t room = left > 0 ? (int64_t)(table.sites[i].sums.on_work.local.work - some->work) : -(int64_t)some->work;
    int64_t part = llabs(left) < llabs(room) ? left : room;
    some->work += (uint64_t)part;
    left -= part;
  }
}

/* Rounds all shares, so that their sums are WORK and SPAN, what all counted calls took.  */
static void round_all_counted_shares(uint64_t work, uint64_t span) {
  uint64_t works = 0, spans = 0;
  for (size_t i = 0; i < table.room; i++)
    if (table.sites[i].site) {
      round_counted_shares(&table.sites[i]);
      works += table.sites[i].sums.on_work.local.work;
      spans += table.sites[i].sums.on_span.local.work;
    }
  return_lost_counted_work((int64_t)(work - works));
  return_lost_counted_span((int64_t)(span - spans));
}

/* Returns the work that is booked at STANDING on the span; ENTRIES are the sums of the log.  */
static uint64_t span_of_stand_in(const site_t *standing, const entry_t *entries) {
  uint64_t work = 0;
  for (int kind = 1; kind < 3 && entries; kind++)
    work += standing->folded[kind] ? entries[standing->folded[kind] - 1].local_work : 0;
  return work;
}

/* Returns the first record of counted calls; the others follow by NEXT.  */
static counted_t *first_counted_record(void) {
  return ENGINE.profiled ? ENGINE.profiled->counted : NULL;
}

/* Divides what counted calls took among the sites inside, in rounds.  ENTRIES are the sums of the log, or NULL if it
   was not kept.  */
void __cilkprof_divide_counted(const entry_t *entries) {
  uint64_t work = 0, span = 0;
  if (!first_counted_record())
    return;
  __cilkprof_list_counted(0, UINT64_MAX);
  if (make_counted_share_table(count_listed_sites()) < 0)
    return;
  for (counted_t *counted = first_counted_record(); counted; counted = counted->next) {
    counted->divided[ON_WORK] = counted->divided[ON_SPAN] = 0;
    for (int inside = 0; inside < STAND_INS && counted->site; inside++) {
      take_from_stand_in(counted, &counted->standing[inside], inside, entries);
      work += counted->standing[inside].local_work;
      span += span_of_stand_in(&counted->standing[inside], entries);
    }
  }
  for (int round = 0; round <= ROUNDS; round++)
    for (counted_t *counted = first_counted_record(); counted; counted = counted->next)
      for (int i = 0; i < SUMS * STAND_INS; i++)
        divide_work_of_site(counted, i / STAND_INS, i % STAND_INS, round == ROUNDS);
  for (site_t *site = ENGINE.first_site; site; site = site->next)
    if (site->counted)
      counted_shares_of_site(site);
  round_all_counted_shares(work, span);
}

/* Returns what counted calls add to SITE; NULL: nothing.  */
const struct counted_sums *__cilkprof_counted_sums(const site_t *site) {
  struct shares_of_site *slot = table.sites ? slot_of_site(site) : NULL;
  return slot && slot->site ? &slot->sums : NULL;
}
