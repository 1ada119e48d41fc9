/* tbb::parallel_scan: oneTBB's own, but in a profile loops of Cilk: all pieces at the same time, first without and then
   with what is before them.
   SPDX-License-Identifier: MIT  */

#pragma GCC system_header
#ifndef __cilkprof__
#include_next <oneapi/tbb/parallel_scan.h>
#elif !defined __TBB_parallel_scan_H
#define __TBB_parallel_scan_H

#include <list>
#include <oneapi/tbb/detail/_cilkprof.h>
#include <vector>

namespace tbb {

/* What tells a body that it is called in the first of two passes, or in the second and final one.  As a bool, and by
   is_final_scan, it is true in the final one.  This covers the functions of both classes.  */
struct pre_scan_tag {
  static bool is_final_scan() {
    return false;
  }
  operator bool() const {
    return is_final_scan();
  }
};
struct final_scan_tag {
  static bool is_final_scan() {
    return true;
  }
  operator bool() const {
    return is_final_scan();
  }
};

namespace detail {
namespace cilkprof {

/* A piece of a range, and its body: after the first pass that of the piece alone, then of all up to its end.  */
template <class Range, class Body> struct scanned_piece {
  Range range;
  Body body;

  /* Makes a piece of RANGE_, whose body is split from WHOLE.  */
  scanned_piece(const Range &range_, Body &whole) : range(range_), body(whole, split()) {}
};

/* Appends the pieces of RANGE, at most PIECES, to ALL, each with a body that is split from BODY.  */
template <class Range, class Body>
void divide_scan(Range &range, Body &body, unsigned pieces, std::list<scanned_piece<Range, Body> > &all) {
  if (pieces > 1 && range.is_divisible()) {
    Range right(range, split());
    divide_scan(range, body, pieces / 2, all);
    divide_scan(right, body, pieces - pieces / 2, all);
  } else
    all.emplace_back(range, body);
}

/* Scans RANGE in at most PIECES by BODY, which in the end has the value of all.  The first piece needs no first pass,
   as nothing is before it, nor the last one, as nothing is behind it.  */
template <class Range, class Body> void scan_range(const Range &range, Body &body, unsigned pieces) {
  typedef scanned_piece<Range, Body> piece;
  Range whole(range);
  if (whole.empty())
    return;
  std::list<piece> all;
  divide_scan(whole, body, pieces, all);
  std::vector<piece *> order;
  for (piece &each : all)
    order.push_back(&each);
  const std::size_t count = order.size();
  _Cilk_for(std::size_t i = 0; i < count; ++i) {
    if (i == 0)
      body(order[i]->range, final_scan_tag());
    else if (i + 1 < count)
      order[i]->body(order[i]->range, pre_scan_tag());
  }
  Body *before = &body;
  for (std::size_t i = 1; i + 1 < count; ++i) {
    order[i]->body.reverse_join(*before);
    before = &order[i]->body;
  }
  /* The body of a piece is that of all up to its end; the second pass of the next piece goes on with it.  */
  _Cilk_for(std::size_t i = 1; i < count; ++i) {
    Body &own = i == 1 ? body : order[i - 1]->body;
    own(order[i]->range, final_scan_tag());
  }
  if (count > 2)
    body.assign(order[count - 2]->body);
}

/* A body made of functions: a value, what adds a piece of the range to it, and what joins two values.  */
template <class Range, class Value, class Scan, class Join> class scanning_body {
  const Value &identity;
  const Scan &scan;
  const Join &join;

public:
  Value value;

  /* Makes a body whose value is IDENTITY_.  SCAN_ adds a piece to a value, JOIN_ joins two values.  */
  scanning_body(const Value &identity_, const Scan &scan_, const Join &join_)
      : identity(identity_), scan(scan_), join(join_), value(identity_) {}

  /* Makes a body as OTHER, for a later piece: its value is the identity again.  */
  scanning_body(scanning_body &other, split)
      : identity(other.identity), scan(other.scan), join(other.join), value(other.identity) {}

  /* Adds the piece RANGE to the value, in the pass that Tag stands for.  */
  template <class Tag> void operator()(const Range &range, Tag) {
    value = scan(range, const_cast<const Value &>(value), Tag::is_final_scan());
  }

  /* Puts the value of LEFT, which is of what is before, in front of the own one.  */
  void reverse_join(scanning_body &left) {
    value = join(const_cast<const Value &>(left.value), const_cast<const Value &>(value));
  }

  /* Takes the value of OTHER.  */
  void assign(scanning_body &other) {
    value = other.value;
  }
};

} // namespace cilkprof
} // namespace detail

/* Scans RANGE by BODY, which can be split, and in the end has the value of all.  Like the other functions here that
   programs call it is not inlined, so that it is in the profile by its own name.  */
template <class Range, class Body> __attribute__((__noinline__)) void parallel_scan(const Range &range, Body &body) {
  detail::cilkprof::scan_range(range, body, detail::cilkprof::automatic_pieces);
}

/* Scans RANGE, in pieces as PARTITIONER has it, by BODY, which can be split, and in the end has the value of all.  */
template <class Range, class Body, class Partitioner>
__attribute__((__noinline__)) void parallel_scan(const Range &range, Body &body, const Partitioner &partitioner) {
  detail::cilkprof::scan_range(range, body, detail::cilkprof::pieces_of(partitioner));
}

/* Scans RANGE by SCAN, which adds a piece to the value of all before it, and returns the value of all; IDENTITY if
   RANGE is empty.  JOIN joins the values of two parts.  PARTITIONER, which may be left out, says in how many
   pieces.  */
template <class Range, class Value, class Scan, class Join, class... Partitioner>
__attribute__((__noinline__)) Value parallel_scan(const Range &range, const Value &identity, const Scan &scan,
                                                  const Join &join, const Partitioner &...partitioner) {
  detail::cilkprof::scanning_body<Range, Value, Scan, Join> body(identity, scan, join);
  detail::cilkprof::scan_range(range, body, detail::cilkprof::pieces_of(partitioner...));
  return body.value;
}

namespace detail {
namespace d1 {
using tbb::parallel_scan;
}
} // namespace detail
} // namespace tbb

#endif
