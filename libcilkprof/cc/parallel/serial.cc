/* -Wcilk-serial: what is spawned in the source and is not in parallel.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "parallel.h"

bool warn_cilk_serial;

void stays_serial(location_t where, const char *construct, const char *reason) {
  if (warn_cilk_serial)
    warning_at(where, 0, "this %qs runs serially: %s [%<-Wcilk-serial%>]", construct, reason);
}
