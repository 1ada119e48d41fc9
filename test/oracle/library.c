/* Code without instrumentation that random programs call, and that calls them back.
   SPDX-License-Identifier: MIT  */

#include "library.h"

/* Calls F once.  */
unsigned apply(function *f, int depth, unsigned x) {
  return f(depth, x);
}

/* Calls F, and then G.  */
unsigned both(function *f, function *g, int depth, unsigned x) {
  return f(depth, x) ^ g(depth, x + 1);
}

/* Returns a number computed from X.  Unlike apply and both it does not call the program back.  */
unsigned idle(unsigned x) {
  return x * 3;
}
