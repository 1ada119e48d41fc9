/* Parts of sentences about bottlenecks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_BOTTLENECK_WORDS_H
#define CILKPROF_REPORT_BOTTLENECK_WORDS_H

#include "cilkprof-report/analysis/bottlenecks.h"
#include "cilkprof-report/analysis/verdict.h"

/* Returns the name of FUNCTION, in quotes.  */
const char *quoted_finding_name(const struct function *function);
/* Returns the name of what the user's code calls at SITE, in quotes.  */
const char *quoted_finding_library_name(const struct site *site);

/* Returns SPAN in percent of the span of the program that VERDICT is about.  */
double finding_span_percent(const struct verdict *verdict, uint64_t span);

/* Returns whether CALL is in a system header and was inlined: it is reported by the user function that contains it.  */
bool is_bottleneck_call_inlined(const struct site *call);

/* Returns words for where BOTTLENECK is called from, also through a library function.  */
char *bottleneck_called_from_phrase(const struct verdict *verdict, const struct bottleneck *bottleneck);
/* Returns words for LOOP, a serial loop without calls that is a site.  */
const char *serial_loop_finding_phrase(const struct site *loop);
/* Returns words for the serial loop with calls in which LARGEST is the call with the largest share.  */
const char *calling_loop_phrase(const struct model *model, const struct site *largest);
/* Returns a sentence about the largest part of BOTTLENECK.  It is empty if there is none.  */
const char *describe_bottleneck_part(const struct verdict *verdict, const struct bottleneck *bottleneck);
/* Returns a sentence about the serial loop of BOTTLENECK, the own code of a function, that calls something most often
   on the critical path: most of that code may be there.  It is empty if there is none.  */
const char *frequent_loop_sentence(const struct verdict *verdict, const struct bottleneck *bottleneck);
/* Returns the largest possible speedup if BOTTLENECK were not on the critical path; NaN: that is hardly more than it
   is now, or there is too little to say it.  */
double speedup_without_bottleneck(const struct verdict *verdict, const struct bottleneck *bottleneck);
/* Returns a sentence that says what speedup_without_bottleneck returns for BOTTLENECK.  It is empty for NaN.  */
const char *bottleneck_gain_sentence(const struct verdict *verdict, const struct bottleneck *bottleneck);

#endif
