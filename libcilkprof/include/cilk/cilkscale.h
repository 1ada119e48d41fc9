/* Work and span at points of the program, as OpenCilk's Cilkscale has it: see cilkprof.h(3).  Without -fcilkprof all
   values are 0 and nothing is printed.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_CILKSCALE_H
#define CILK_CILKSCALE_H

#pragma GCC system_header
#include <cilkprof.h>

#ifdef __cplusplus
#include <iostream>
extern "C" {
#endif

#ifdef __cilkprof__
void __cilkprof_api_dump(const char *tag, uint64_t work, uint64_t span, uint64_t burdened_span)
    __attribute__((nothrow));
uint64_t __cilkprof_api_units_per_second(void) __attribute__((nothrow));
#else
#define __cilkprof_api_dump(tag, work, span, bs) ((void)(tag))
#define __cilkprof_api_units_per_second()        0
#endif

typedef int64_t raw_duration_t;

/* In instructions in the mode count, else in units of the profile.  */
typedef struct wsp_t {
  raw_duration_t work, span, bspan; /* the last is the burdened span */
} wsp_t;

/* Returns a work and spans of 0.  */
__CILKPROF_API wsp_t wsp_zero(void) {
  wsp_t zero = {0, 0, 0};
  return zero;
}

/* Returns the work, span and burdened span of the program up to here; 0 without -fcilkprof.  */
__CILKPROF_API wsp_t wsp_getworkspan(void) {
  uint64_t values[3] = {0, 0, 0};
  wsp_t here;
  __cilkprof_api_point(values);
  here.work = (raw_duration_t)values[0];
  here.span = (raw_duration_t)values[1];
  here.bspan = (raw_duration_t)values[2];
  return here;
}

/* Returns the sums of works and of spans.  */
__CILKPROF_API wsp_t wsp_add(wsp_t lhs, wsp_t rhs) {
  lhs.work += rhs.work;
  lhs.span += rhs.span;
  lhs.bspan += rhs.bspan;
  return lhs;
}

/* Returns the differences of works and of spans, LHS - RHS.  */
__CILKPROF_API wsp_t wsp_sub(wsp_t lhs, wsp_t rhs) {
  lhs.work -= rhs.work;
  lhs.span -= rhs.span;
  lhs.bspan -= rhs.bspan;
  return lhs;
}

/* Prints WSP as a line of comma-separated values to the file that CILKSCALE_OUT names, or to standard output, and adds
   it to the profile as the region TAG.  */
__CILKPROF_API void wsp_dump(wsp_t wsp, const char *tag) {
  (void)wsp;
  __cilkprof_api_dump(tag, (uint64_t)wsp.work, (uint64_t)wsp.span, (uint64_t)wsp.bspan);
}

#ifdef __cplusplus
}

/* Adds RHS to LHS, which it returns.  */
__CILKPROF_API wsp_t &operator+=(wsp_t &lhs, const wsp_t &rhs) {
  return lhs = wsp_add(lhs, rhs);
}

/* Subtracts RHS from LHS, which it returns.  */
__CILKPROF_API wsp_t &operator-=(wsp_t &lhs, const wsp_t &rhs) {
  return lhs = wsp_sub(lhs, rhs);
}

/* Returns the sum, as wsp_add.  */
__CILKPROF_API wsp_t operator+(wsp_t lhs, const wsp_t &rhs) {
  return wsp_add(lhs, rhs);
}

/* Returns the difference, as wsp_sub.  */
__CILKPROF_API wsp_t operator-(wsp_t lhs, const wsp_t &rhs) {
  return wsp_sub(lhs, rhs);
}

/* Prints work, span, parallelism, burdened span and burdened parallelism, separated by commas; times in seconds unless
   instructions are counted.  */
inline std::ostream &operator<<(std::ostream &out, const wsp_t &wsp) {
  double unit = __cilkprof_api_units_per_second() ? 1.0 / (double)__cilkprof_api_units_per_second() : 1;
  double work = (double)wsp.work, span = (double)wsp.span, bspan = (double)wsp.bspan;
  return out << work * unit << ", " << span * unit << ", " << (wsp.span ? work / span : 0) << ", " << bspan * unit
             << ", " << (wsp.bspan ? work / bspan : 0);
}
#endif
#endif
