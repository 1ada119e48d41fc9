/* What random programs share with the library that has no instrumentation.
   SPDX-License-Identifier: MIT  */

#ifndef ORACLE_LIBRARY_H
#define ORACLE_LIBRARY_H

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned function(int depth, unsigned x);

unsigned apply(function *f, int depth, unsigned x);
unsigned both(function *f, function *g, int depth, unsigned x);
unsigned idle(unsigned x);

#ifdef __cplusplus
}
#endif

#endif
