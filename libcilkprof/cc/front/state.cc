/* The mode of the plugin, and the functions that it has seen.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"

bool instrumenting, parallel, deferring, opencilk_keywords;
const parallel_hooks *parallel_hook;

static hash_set<tree> parsed;

/* Records that the plugin has processed the trees of FUNCTION.  */
void note_parsed_function(tree function) {
  parsed.add(function);
}

/* Returns true if the plugin has processed the trees of FUNCTION; it has not for coroutines.  */
bool parsed_function_p(tree function) {
  return parsed.contains(function);
}
