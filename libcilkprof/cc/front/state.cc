/* The mode of the plugin, and the functions that it has seen.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"

bool instrumenting, parallel;
const parallel_hooks *parallel_hook;

static hash_set<tree> parsed;

void note_parsed(tree function) {
  parsed.add(function);
}

bool parsed_function_p(tree function) {
  return parsed.contains(function);
}
