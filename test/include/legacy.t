#!/bin/sh
# The older C++ reducers, which are their own views, and Cilk++'s hyperobjects.
# SPDX-License-Identifier: MIT
. "$TOP/test/include/lib.sh"

cat >legacy.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_min_max.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <cilk/reducer_ostream.h>
#include <cilk/reducer_string.h>
#include <climits>
#include <iostream>
static void add(cilk::reducer<cilk::op_add<int> > &sum) { *sum += 100; }
static void add_old(cilk::reducer_opadd<int> &sum) { sum += 1000; }
static cilk::reducer_opadd<long> global(1);
int main() {
  cilk::reducer_opadd<int> sum;
  cilk_for (int i = 0; i < 10; ++i) {
    sum += i;
  }
  ++sum, sum++, --sum, sum--;
  sum -= 5;
  sum = sum + 3 - 1;
  *sum += 1;
  add(sum);
  add_old(sum);
  cilk::reducer<cilk::op_add<int> > young(1);
  add(young);
  add_old(young);
  global += 2;
  std::cout << sum.get_value() << ' ' << young.get_value() << ' ' << global.get_value() << '\n';
  sum.set_value(4);
  std::cout << sum.get_value() << '\n';

  cilk::reducer_opand<unsigned> zero, ones(~0u);
  cilk::reducer_opor<unsigned> any;
  cilk::reducer_opxor<unsigned> odd;
  ones &= 6, any |= 1, odd ^= 3;
  ones = ones & 3;
  any = any | 4;
  odd = odd ^ 1;
  std::cout << zero.get_value() << ones.get_value() << any.get_value() << odd.get_value() << '\n';

  const int a[] = {4, 9, 2, 9};
  cilk::reducer_max<int> max;
  cilk::reducer_min<int> min(INT_MAX);
  cilk::reducer_max_index<int, int> max_index;
  cilk::reducer_min_index<int, int> min_index(-1, 3);
  cilk_for (int i = 0; i < 4; i++) {
    max = cilk::max_of(max, a[i]);
    min.calc_min(a[i]);
    max_index.calc_max(i, a[i]);
    min_index->calc_min(i, a[i]);
  }
  std::cout << max.get_value() << max.get_reference() << max.is_set() << min.get_value() << ' ' << max_index.get_index()
            << ':' << max_index.get_value() << ' ' << min_index.get_index() << ':' << min_index.get_value() << '\n';
  max_index.set_value(5, 50);
  std::cout << max_index.get_index_reference() << max_index.get_reference() << '\n';

  cilk::reducer_list_append<int> list;
  cilk::reducer_list_prepend<int> reversed(std::list<int>(1, 0));
  cilk::reducer_string string("abc");
  cilk_for (int i = 0; i < 3; i++) {
    list.push_back(i);
    reversed.push_front(i);
    string += char('0' + i);
  }
  string.append("def");
  string += std::string("!");
  std::cout << list.get_value().back() << reversed.get_value().front() << list.get_reference().size() << ' '
            << string.get_value() << '\n';

  cilk::reducer_ostream out(std::cout);
  out << "out " << 1;
  out << std::endl;
  *out << "more\n";
  out.get_reference() << "most\n";

  cilk::hyperobject<cilk::reducer_opadd<int> > hyper;
  cilk::hyperobject<cilk::reducer_max<int> > hyper_max(INT_MIN);
  cilk::hyperobject<cilk::reducer_list_append<int> > hyper_list;
  cilk_for (int i = 0; i < 4; i++) {
    hyper() += a[i];
    hyper_max() = cilk::max_of(hyper_max(), a[i]);
    hyper_list().push_back(i);
    hyper_list.push_back(i);
  }
  std::cout << hyper().get_value() << ' ' << hyper_max().get_value() << ' ' << hyper_list().get_value().size() << '\n';

  cilk::reducer_opadd<double> *heap = cilk::aligned_new<cilk::reducer_opadd<double> >(1.5);
  *heap += 1;
  std::cout << heap->get_value() << '\n';
  cilk::aligned_delete(heap);
  return 0;
}
EOC
wants '1143 1101 3' 4 '0252' '9912 1:9 2:2' 550 '223 abc012def!' 'out 1' more most '24 9 8' 2.5
prints legacy.cc c++98 c++11 c++17 c++20

# What a view does not allow is an error.
refuses() {
  cat >refused.cc <<EOC
#include <cilk/reducer_min_max.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
int main() { $2; }
EOC
  if c++ -fcilkplus -fsyntax-only refused.cc >said 2>&1; then fail "$1" refused.cc; else pass "$1"; fi
}
refuses 'a view is not assigned a value' 'cilk::reducer<cilk::op_add<int> > r; *r = 3'
refuses 'nor read as one' 'cilk::reducer<cilk::op_add<int> > r; int x = *r; return x'
refuses 'a sum is not multiplied' 'cilk::reducer<cilk::op_add<int> > r; *r *= 3'
refuses 'a conjunction is not counted' 'cilk::reducer<cilk::op_and<int> > r; ++*r'
refuses 'a minimum knows no maximum' 'cilk::reducer<cilk::op_min<int> > r; r->calc_max(3)'
refuses 'in neither way' 'cilk::reducer<cilk::op_min<int> > r; *r = cilk::max_of(*r, 3)'
refuses 'a reducer is not copied' 'cilk::reducer<cilk::op_add<int> > r, s; r = s'
finish
