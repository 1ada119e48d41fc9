#!/bin/sh
# The C++ reducers of Cilk Plus, as its documentation uses them.
# SPDX-License-Identifier: MIT
. "$TOP/test/include/lib.sh"
standards='c++98 c++11 c++17 c++20'

cat >arithmetic.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <complex>
#include <iostream>
static unsigned long compute(int i) { return i * i; }
static void walk(int depth, cilk::reducer<cilk::op_add<int> > &count) {
  if (depth == 0) {
    ++*count;
    return;
  }
  cilk_spawn walk(depth - 1, count);
  walk(depth - 1, count);
  cilk_sync;
}
int main() {
  cilk::reducer<cilk::op_add<unsigned long> > sum;
  cilk_for (int i = 0; i < 100; ++i) {
    *sum += compute(i);
  }
  std::cout << sum.get_value() << '\n';

  cilk::reducer<cilk::op_add<int> > leaves(100);
  walk(5, leaves);
  (*leaves)++, (*leaves)--, --*leaves;
  *leaves -= 1;
  *leaves = *leaves + 10 - 3 + 1;
  *leaves = *leaves - 2;
  std::cout << leaves.get_value() << ' ' << leaves->view_get_value() << '\n';
  leaves.set_value(3);
  int x = 7;
  leaves.move_in(x);
  ++*leaves;
  leaves.move_out(x);
  std::cout << x << ' ' << leaves.view().view_get_value() << ' ' << leaves().view_get_value() << '\n';
  cilk::reducer<cilk::op_add<int> > moved(cilk::move_in(x));
  std::cout << moved.get_value() << '\n';

  cilk::reducer<cilk::op_mul<double> > product;
  cilk::reducer<cilk::op_and<unsigned> > both;
  cilk::reducer<cilk::op_or<unsigned> > any;
  cilk::reducer<cilk::op_xor<unsigned> > odd(1u);
  cilk_for (int i = 1; i <= 4; i++) {
    *product *= i;
    *both &= 0xf0u | i;
    *any |= 1u << i;
    *odd ^= i;
  }
  *product = *product * 2 * 0.5;
  *both = *both & 0xff & 0xf7;
  *any = *any | 0x100 | 0x200;
  *odd = *odd ^ 0x10;
  std::cout << product.get_value() << ' ' << both.get_value() << ' ' << any.get_value() << ' ' << odd.get_value()
            << '\n';

  cilk::reducer<cilk::op_add<std::complex<double> > > complex;
  cilk_for (int i = 0; i < 4; i++)
    *complex += std::complex<double>(i, 1);
  std::cout << complex.get_value() << '\n';

  cilk::reducer<cilk::op_add<long> > *heap = new cilk::reducer<cilk::op_add<long> >(5);
  **heap += 6;
  std::cout << heap->get_value() << '\n';
  delete heap;
  return 0;
}
EOC
wants 328350 '136 136' '8 8 8' 8 '24 240 798 21' '(6,4)' 11
prints arithmetic.cc $standards

cat >minmax.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_min_max.h>
#include <cmath>
#include <iostream>
#include <string>
static const int a[] = {5, 3, 9, -2, 9, -2, 0};
static const int n = 7;
struct longer {
  bool operator()(const std::string &x, const std::string &y) const { return x.size() < y.size(); }
};
struct modulo {
  int m;
  explicit modulo(int m_) : m(m_) {}
  bool operator()(int x, int y) const { return x % m < y % m; }
};
static bool by_size(int x, int y) { return std::abs(x) < std::abs(y); }
int main() {
  cilk::reducer<cilk::op_max<int> > greatest;
  cilk::reducer<cilk::op_min<int> > least;
  cilk::reducer<cilk::op_max_index<unsigned, int> > where;
  cilk::reducer<cilk::op_min_index<int, int> > first;
  std::cout << greatest->is_set() << where->is_set() << '\n';
  cilk_for (int i = 0; i < n; ++i) {
    greatest->calc_max(a[i]);
    *least = cilk::min_of(*least, a[i]);
    where->calc_max(i, a[i]);
    *first = min_of(*first, i, a[i]);
  }
  std::pair<unsigned, int> at = where.get_value();
  std::cout << greatest.get_value() << ' ' << least.get_value() << ' ' << at.first << ':' << at.second << ' '
            << first.get_value().first << ':' << first.get_value().second << ' ' << least->is_set() << '\n';

  *greatest = max_of(max_of(*greatest, 20), 15);
  *greatest = cilk::max_of(21, cilk::max_of(2, *greatest));
  greatest->calc_max(1).calc_max(2);
  *first = min_of(8, -9, min_of(*first, std::make_pair(7, -3)));
  std::cout << greatest.get_value() << ' ' << first.get_value().first << '\n';

  cilk::reducer<cilk::op_max<std::string, longer> > longest;
  longest->calc_max("one");
  longest->calc_max("three");
  longest->calc_max("seven");
  cilk::reducer<cilk::op_min<std::string> > word(std::string("middle"));
  word->calc_min("zebra").calc_min("apple");
  std::cout << longest.get_value() << ' ' << word.get_value() << '\n';

  cilk::reducer<cilk::op_max<int, modulo> > remainder(3, modulo(5));
  remainder->calc_max(14);
  remainder->calc_max(9);
  cilk::reducer<cilk::op_max<int, bool (*)(int, int)> > size(by_size);
  cilk::reducer<cilk::op_max<int, bool(int, int)> > function(by_size);
  cilk::reducer<cilk::op_min_index<int, int, bool (*)(int, int)> > nearest(3, 4, by_size);
  size->calc_max(2).calc_max(-3);
  function->calc_max(2).calc_max(-3);
  nearest->calc_min(5, -6).calc_min(6, -1);
  std::cout << remainder.get_value() << ' ' << size.get_value() << ' ' << function.get_value() << ' '
            << nearest.get_value().first << '\n';

  /* Of a reducer that nobody has given a value, and one that compares with nothing but infinity.  */
  cilk::reducer<cilk::op_max<double> > none;
  cilk::reducer<cilk::op_min<double> > nan;
  nan->calc_min(std::sqrt(-1.0));
  nan->calc_min(4);
  cilk::reducer<cilk::op_max_index<std::string, unsigned> > start(std::string("first"));
  start->calc_max("second", 0);
  std::cout << none.get_value() << ' ' << none->is_set() << ' ' << nan.get_value() << ' ' << start.get_value().first
            << '\n';
  none.set_value(2.5);
  std::cout << none.get_value() << ' ' << none->is_set() << '\n';
  return 0;
}
EOC
wants 00 '9 -2 2:9 3:-2 1' '21 8' 'three apple' '14 -3 -3 6' '-inf 0 4 first' '2.5 1'
prints minmax.cc $standards

cat >sequences.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_string.h>
#include <cilk/reducer_vector.h>
#include <iostream>
template <typename Container> static void show(const Container &container) {
  for (typename Container::const_iterator i = container.begin(); i != container.end(); ++i)
    std::cout << *i << ' ';
  std::cout << '\n';
}
struct Tree {
  Tree *left, *right;
  int data;
};
static void collect(Tree *node, cilk::reducer<cilk::op_list_append<int> > &out) {
  if (!node)
    return;
  cilk_spawn collect(node->left, out);
  out->push_back(node->data);
  collect(node->right, out);
  cilk_sync;
}
int main() {
  Tree a = {0, 0, 1}, c = {0, 0, 3}, b = {&a, &c, 2}, e = {0, 0, 5}, d = {&b, &e, 4};
  cilk::reducer<cilk::op_list_append<int> > nodes;
  collect(&d, nodes);
  show(nodes.get_value());

  std::list<int> more(2, 7), extra(3, 8), all;
  nodes->insert_back(2, 6);
  nodes->insert_back(more.begin(), more.end());
  nodes->splice_back(more);
  nodes->splice_back(extra, extra.begin());
  nodes->splice_back(extra, extra.begin(), extra.end());
  std::cout << more.size() << extra.size() << '\n';
  nodes.move_out(all);
  show(all);
  cilk::reducer<cilk::op_list_append<int> > again(cilk::move_in(all));
  std::cout << all.size() << again.get_value().size() << '\n';

  cilk::reducer<cilk::op_list_prepend<char> > letters(2, 'z');
  cilk_for (char letter = 'a'; letter <= 'e'; letter++) {
    letters->push_front(letter);
  }
  std::list<char> other(1, 'x');
  letters->splice_front(other);
  letters->insert_front(1, 'y');
  show(letters.get_value());

  cilk::reducer<cilk::op_vector<int> > squares;
  cilk_for (int i = 0; i < 5; i++)
    squares->push_back(i * i);
  int tail[] = {100, 200};
  squares->insert_back(tail, tail + 2);
  squares->insert_back(1);
  squares->insert_back(2, 3);
  std::vector<int> result;
  squares.move_out(result);
  show(result);
  squares.move_in(result);
  squares->push_back(9);
  show(squares.get_value());

  cilk::reducer<cilk::op_string> text("<");
  cilk_for (char letter = 'A'; letter <= 'Z'; ++letter) {
    *text += letter;
  }
  text->append(">").append("123", 2).append(2, '!').append(std::string("abcd"), 1, 2);
  text->push_back('.');
  *text += "end";
  std::cout << text.get_value() << '\n';
  cilk::reducer<cilk::op_wstring> wide;
  *wide += L"wide";
  wide->push_back(L'r');
  std::cout << wide.get_value().size() << '\n';
  std::string value = "moved ";
  cilk::reducer<cilk::op_basic_string<char> > string(cilk::move_in(value));
  *string += "in";
  string.move_out(value);
  std::cout << value << string.get_value().size() << '\n';
  return 0;
}
EOC
wants '1 2 3 4 5 ' 00 '1 2 3 4 5 6 6 7 7 7 7 8 8 8 ' 014 'y x e d c b a z z ' '0 1 4 9 16 100 200 1 3 3 ' \
  '0 1 4 9 16 100 200 1 3 3 9 ' '<ABCDEFGHIJKLMNOPQRSTUVWXYZ>12!!bc.end' 5 'moved in0'
prints sequences.cc $standards

cat >stream.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilk/reducer_ostream.h>
#include <iomanip>
#include <iostream>
static void hanoi(int n, char from, char to, char via, cilk::reducer<cilk::op_ostream> &out) {
  if (n == 0)
    return;
  cilk_spawn hanoi(n - 1, from, via, to, out);
  *out << from << to << ' ';
  hanoi(n - 1, via, to, from, out);
  cilk_sync;
}
int main() {
  std::cout << "before\n" << std::hex;
  cilk::reducer<cilk::op_ostream> r(std::cout);
  cilk_for (int i = 8; i < 12; ++i) {
    *r << "Iteration " << std::setw(2) << i << std::endl;
  }
  *r << std::dec;
  hanoi(2, 'a', 'b', 'c', r);
  *r << '\n';
  std::cout << 15 << '\n';
  return 0;
}
EOC
wants before 'Iteration  8' 'Iteration  9' 'Iteration  a' 'Iteration  b' 'ac ab cb ' f
prints_serially stream.cc $standards

cat >custom.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilk/holder.h>
#include <cilk/reducer.h>
#include <iostream>
#include <vector>
/* A monoid of a value that is its own view, as of old.  */
struct Point {
  int x, y;
  Point() : x(), y() {}
  Point(int x_, int y_) : x(x_), y(y_) {}
};
struct point_monoid : cilk::monoid_base<Point> {
  static void reduce(Point *left, Point *right) { left->x += right->x, left->y += right->y; }
  static void identity(Point *p) { new (p) Point(0, 0); }
};
class point_holder {
  cilk::reducer<point_monoid> imp_;

public:
  point_holder() : imp_() {}
  point_holder(int x, int y) : imp_(x, y) {}
  void set(int x, int y) {
    Point &p = imp_.view();
    p.x = x, p.y = y;
  }
  int get_x() const { return imp_.view().x; }
};
/* A view of its own.  */
class tally_view {
  int m_count;

public:
  typedef int value_type;
  tally_view() : m_count(0) {}
  explicit tally_view(int count) : m_count(count) {}
  void reduce(tally_view *right) { m_count += right->m_count; }
  void hit() { ++m_count; }
  void view_move_in(int &v) { m_count = v; }
  void view_move_out(int &v) { v = m_count; }
  void view_set_value(const int &v) { m_count = v; }
  int view_get_value() const { return m_count; }
};
typedef cilk::monoid_with_view<tally_view> tally;
/* A monoid with a state.  */
struct modular : cilk::monoid_base<int> {
  int modulus;
  modular(int m = 10) : modulus(m) {}
  void identity(int *p) const { new (p) int(modulus - 1); }
  void reduce(int *left, int *right) const { *left = (*left + *right) % modulus; }
};
static int alive;
struct Counted {
  Counted() { alive++; }
  Counted(const Counted &) { alive++; }
  ~Counted() { alive--; }
};
struct counted_monoid : cilk::monoid_base<Counted> {
  static void reduce(Counted *, Counted *) {}
};
static std::vector<int> three() { return std::vector<int>(3, 1); }
int main() {
  point_holder point(3, 4);
  point.set(7, 8);
  std::cout << point.get_x() << '\n';

  cilk::reducer<tally> hits(3);
  cilk_for (int i = 0; i < 10; i++)
    if (i % 3 == 0)
      hits->hit();
  std::cout << hits.get_value() << '\n';

  modular five(5);
  cilk::reducer<modular> by_copy(five), by_value(modular(7)), both(modular(9), 2);
  std::cout << *by_copy << *by_value << *both << ' ' << both.monoid().modulus << '\n';
  *both += 5;
  std::cout << both.get_value() << ' ' << both.view() << ' ' << both() << '\n';
  {
    cilk::reducer<counted_monoid> counted;
    std::cout << alive;
  }
  std::cout << alive << '\n';

  cilk::holder<std::vector<int> > scratch;
  cilk::holder<int> seven(7);
  cilk::holder<std::vector<int>, cilk::holder_keep_last> made(three);
  cilk::holder<double, cilk::holder_keep_last_copy> half(0.5);
  cilk_for (int i = 0; i < 3; i++) {
    scratch().clear();
    scratch->push_back(i);
    *seven += (*scratch)[0];
  }
  std::cout << scratch().size() << scratch()[0] << ' ' << seven() << ' ' << made->size() << ' ' << *half << '\n';
  return 0;
}
EOC
wants 7 7 '462 9' '7 7 7' 10 '12 10 3 0.5'
prints_serially custom.cc $standards
finish
