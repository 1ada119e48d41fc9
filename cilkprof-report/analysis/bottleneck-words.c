/* Parts of sentences about bottlenecks: names, places and shares.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include "cilkprof-report/analysis/bottleneck-words.h"
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/timing.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

/* Returns the brief name of FUNCTION in quotes, for a sentence of a finding.  The text is allocated.  */
const char *quoted_finding_name(const struct function *function) {
  return format_string("'%s'", function->brief_name);
}

/* Returns SPAN in percent of the span of the program that VERDICT is about.  */
double finding_span_percent(const struct verdict *verdict, uint64_t span) {
  return model_percent_of_whole(span, verdict->model->totals.span);
}

/* Returns whether CALL is in a system header and was inlined: it is reported by the user function that contains it.  */
bool is_bottleneck_call_inlined(const struct site *call) {
  return call->caller != NULL && is_system_source_file(call->file);
}

/* Returns a part of a sentence about a bottleneck that names the caller of CALL: " in 'f'", or " through 'f'" if that
   is a library function.  */
static const char *bottleneck_caller_phrase(const struct site *call) {
  return format_string(" %s %s", is_library_function(call->caller) ? "through" : "in",
                       quoted_finding_name(call->caller));
}

/* Returns a part of a sentence about a bottleneck with the source location of CALL: " at qsort.c:20".  It is empty if
   the compiler generated the call and it has no line.  */
static const char *bottleneck_location_phrase(const struct site *call) {
  if (call->line == 0)
    return "";
  return format_string(" %s %s", is_bottleneck_call_inlined(call) ? "in code from" : "at", finding_site_place(call));
}

/* Returns a part of a sentence that lists the largest call sites of BOTTLENECK, and says how many others there are.  */
static char *bottleneck_call_sites_phrase(const struct bottleneck *bottleneck) {
  size_t shown = bottleneck->place_count < MAX_PLACES ? bottleneck->place_count : MAX_PLACES;
  char *text = format_string("when it is called%s", is_bottleneck_call_inlined(bottleneck->places[0])
                                                        ? bottleneck_caller_phrase(bottleneck->places[0])
                                                        : bottleneck_location_phrase(bottleneck->places[0]));
  for (size_t i = 1; i < shown; i++)
    text = format_string("%s%s%s", text, i + 1 < bottleneck->place_count ? "," : " and",
                         is_bottleneck_call_inlined(bottleneck->places[i])
                             ? bottleneck_caller_phrase(bottleneck->places[i])
                             : format_string(" %s", finding_site_place(bottleneck->places[i])));
  size_t others = bottleneck->place_count - shown;
  if (others > 0)
    text = format_string("%s and %zu other place%s", text, others, others > 1 ? "s" : "");
  return text;
}

/* Returns a part of a sentence that describes from where BOTTLENECK is called, also by user code through a library
   function.  */
char *bottleneck_called_from_phrase(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  if (bottleneck->place_count != 1)
    return bottleneck->place_count > 0 ? bottleneck_call_sites_phrase(bottleneck) : format_string("in this run");
  const struct site *call = bottleneck->places[0];
  if (call->caller == NULL)
    return format_string("(%s)", finding_site_place(call));
  const char *stand_in = finding_stand_in_place(verdict->model, call);
  if (stand_in != NULL)
    return format_string("when it is called %s", stand_in);
  const char *through =
      call->callee != bottleneck->function ? format_string(", through %s", quoted_finding_name(call->callee)) : "";
  return format_string("when %s %s it%s%s", quoted_finding_name(call->caller),
                       call->kind == CILKPROF_SITE_SPAWN ? "spawns" : "calls", bottleneck_location_phrase(call),
                       through);
}

/* Returns what a finding calls LOOP, a serial loop: its source location, the function that it was written in and, if
   that was inlined, the one that it is part of now.  */
const char *serial_loop_finding_phrase(const struct site *loop) {
  const char *inlined = loop->callee->inlined_name;
  if (loop->callee->at_call)
    return format_string("the loop in '%s', which %s calls at %s,", inlined, quoted_finding_name(loop->caller),
                         finding_site_place(loop));
  if (inlined != NULL)
    return format_string("the loop at %s in '%s', inlined into %s,", finding_site_place(loop), inlined,
                         quoted_finding_name(loop->caller));
  return format_string("the loop at %s in %s", finding_site_place(loop), quoted_finding_name(loop->caller));
}

/* Returns the name in quotes of what the user's code calls at SITE: the callee, or the inlined library function that
   calls it.  */
const char *quoted_finding_library_name(const struct site *site) {
  return site->library == NULL
             ? quoted_finding_name(site->callee)
             : format_string("'%s'", brief_name(demangle(site->library, demangle_style("auto"), false), 0));
}

/* Returns a sentence about the callee that makes up a large part of BOTTLENECK, or an empty text if there is none.  */
const char *describe_bottleneck_part(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  double share = finding_span_percent(verdict, bottleneck->part_span);
  if (bottleneck->part == NULL || share < LARGE_SHARE)
    return "";
  if (bottleneck->part->kind == CILKPROF_SITE_SERIAL_LOOP)
    return format_string("  Of that, %s takes %.1f%% of the span.", serial_loop_finding_phrase(bottleneck->part),
                         share);
  bool farther = is_bottleneck_call_inlined(bottleneck->part) && bottleneck->part->caller != bottleneck->function;
  const char *loop = is_call_in_serial_loop(verdict->model, bottleneck->part)
                         ? format_string(" in the loop at %s", calling_loop_place(bottleneck->part))
                         : "";
  return format_string("  Of that, %s, called%s%s%s, takes %.1f%% of the span.",
                       quoted_finding_library_name(bottleneck->part),
                       farther ? bottleneck_caller_phrase(bottleneck->part) : "",
                       bottleneck_location_phrase(bottleneck->part), loop, share);
}

/* Returns what a finding calls the loop around LARGEST, a call with the largest share of it: its place, and its calls
   on the critical path.  */
const char *calling_loop_phrase(const struct model *model, const struct site *largest) {
  const struct site *second = NULL;
  size_t others = 0;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (!is_in_same_calling_loop(site, largest) || site->callee == largest->callee ||
        site->kind == CILKPROF_SITE_SERIAL_LOOP || site->measured->on_span.local.count == 0)
      continue;
    others++;
    if (second == NULL || site->measured->on_span.top_call_site.span > second->measured->on_span.top_call_site.span)
      second = site;
  }
  char *calls = second == NULL ? format_string("%s", quoted_finding_library_name(largest))
                : others == 1  ? format_string("%s and %s", quoted_finding_library_name(largest),
                                               quoted_finding_library_name(second))
                               : format_string("%s, %s and %zu other function%s", quoted_finding_library_name(largest),
                                               quoted_finding_library_name(second), others - 1, others > 2 ? "s" : "");
  return format_string("the loop at %s in %s, with its calls of %s,", calling_loop_place(largest),
                       quoted_finding_name(largest->caller), calls);
}

double speedup_without_bottleneck(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  enum { LITTLE_GAIN = 10, NEARLY_ALL = 90 }; /* percent */
  double now = speedup_upper_bound(&verdict->limits, verdict->processors),
         then = speedup_upper_bound_without(&verdict->limits, verdict->processors, (double)bottleneck->held.span);
  bool gains = verdict->processors > 1 && !verdict->short_run && !is_timed_run_mostly_waiting(verdict->model) &&
               then >= now * (1 + LITTLE_GAIN / 100.0);
  /* Of the path beside one that the bottleneck fills, which would be the longest then, nothing is known.  */
  bool known = finding_span_percent(verdict, bottleneck->held.span) <= NEARLY_ALL;
  return gains && known ? then : NAN;
}

const char *bottleneck_gain_sentence(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  double then = speedup_without_bottleneck(verdict, bottleneck);
  if (isnan(then))
    return "";
  return format_string("  In parallel, it would allow a speedup of up to %.2f instead of %.2f.", then,
                       speedup_upper_bound(&verdict->limits, verdict->processors));
}

const char *frequent_loop_sentence(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  enum { OFTEN = 100 };
  const struct model *model = verdict->model;
  const struct site *most = NULL;
  uint64_t count = OFTEN;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->caller == bottleneck->function && site->loop != NULL && site->measured->on_span.local.count > count &&
        is_call_in_serial_loop(model, site)) {
      count = site->measured->on_span.local.count;
      most = site;
    }
  }
  if (most == NULL)
    return "";
  return format_string("  Its loop at %s calls %s %s times.", calling_loop_place(most),
                       quoted_finding_library_name(most), model_grouped_number(count).text);
}
