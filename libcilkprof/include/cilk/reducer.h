/* Reducers.  In a serial run there is one view, and nothing is ever reduced.  In parallel each strand has its own, made by
   the monoid, and the runtime has them reduced in serial order into the leftmost, which is the reducer's.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_REDUCER_H
#define CILK_REDUCER_H

#pragma GCC system_header
#include <cilk/reducer_c.h>

#ifdef __cplusplus
#include <cilk/metaprogramming.h>
#include <cilk/monoid.h>

namespace cilk {

/* The older class that a reducer converts to, if it has one.  */
template <typename Reducer> struct legacy_reducer_downcast {
  struct type : Reducer {};
};

namespace internal {

/* A view's type for get_value, or VALUE if it names none.  */
template <typename Type> struct exists { typedef void type; };
template <typename Value, typename View, typename = void> struct get_value_type { typedef Value type; };
template <typename Value, typename View>
struct get_value_type<Value, View, typename exists<typename View::return_type_for_get_value>::type> {
  typedef typename View::return_type_for_get_value type;
};

/* The value in a view: the view says how, or is the value.  */
template <typename Value, typename View> struct value_in {
  typedef typename get_value_type<Value, View>::type get_type;
  static void move_in(View &view, Value &value) {
    view.view_move_in(value);
  }
  static void move_out(View &view, Value &value) {
    view.view_move_out(value);
  }
  static void set(View &view, const Value &value) {
    view.view_set_value(value);
  }
  static get_type get(const View &view) {
    return view.view_get_value();
  }
};
template <typename Value> struct value_in<Value, Value> {
  typedef const Value &get_type;
  static void move_in(Value &view, Value &value) {
    view = value;
  }
  static void move_out(Value &view, Value &value) {
    value = view;
  }
  static void set(Value &view, const Value &value) {
    view = value;
  }
  static get_type get(const Value &view) {
    return view;
  }
};

/* A new view: the monoid's identity, which may be given the leftmost to learn from.  */
template <typename Monoid, typename = void> struct new_view {
  typedef typename Monoid::view_type view_type;
  static void make(const Monoid *monoid, view_type *view, const view_type *) {
    const_cast<Monoid *>(monoid)->identity(view);
  }
};
template <typename Monoid> struct new_view<Monoid, typename exists<typename Monoid::like_leftmost>::type> {
  typedef typename Monoid::view_type view_type;
  static void make(const Monoid *monoid, view_type *view, const view_type *leftmost) {
    monoid->identity_like(view, leftmost);
  }
};

} // namespace internal

/* The monoid and the view are bytes until the monoid's construct makes objects of them; and a reducer that is converted
   to its older class, or back, is the same bytes.  */
template <class Monoid> class reducer {
public:
  typedef Monoid monoid_type;
  typedef typename Monoid::value_type value_type;
  typedef typename Monoid::view_type view_type;

private:
  typedef internal::value_in<value_type, view_type> value;
  typedef typename legacy_reducer_downcast<reducer>::type legacy;

  char m_monoid[sizeof(monoid_type)] __attribute__((__aligned__(__alignof__(monoid_type))));
  char m_view[sizeof(view_type)] __attribute__((__aligned__(__alignof__(view_type))));

  monoid_type *monoid_object() {
    return static_cast<monoid_type *>(static_cast<void *>(m_monoid));
  }
  view_type *leftmost() {
    return static_cast<view_type *>(static_cast<void *>(m_view));
  }

#ifdef __cilkprof_parallel__
  /* What allocate returns need not be aligned enough: then its address is in front of the view.  */
  enum { over_aligned = __alignof__(view_type) > __BIGGEST_ALIGNMENT__ || __alignof__(view_type) > 16 };
  static void *identity(void *self) {
    reducer *r = static_cast<reducer *>(self);
    monoid_type *monoid = r->monoid_object();
    std::size_t spare = over_aligned ? __alignof__(view_type) + sizeof(void *) : 0;
    void *memory = monoid->allocate(sizeof(view_type) + spare), *view = memory;
    if (over_aligned) {
      char *end = static_cast<char *>(memory) + spare;
      view = end - reinterpret_cast<std::size_t>(end) % __alignof__(view_type);
      static_cast<void **>(view)[-1] = memory;
    }
    internal::new_view<monoid_type>::make(monoid, static_cast<view_type *>(view), r->leftmost());
    return view;
  }
  static void reduce(void *self, void *left, void *right) {
    static_cast<reducer *>(self)->monoid_object()->reduce(static_cast<view_type *>(left),
                                                          static_cast<view_type *>(right));
  }
  static void destroy(void *self, void *view) {
    monoid_type *monoid = static_cast<reducer *>(self)->monoid_object();
    void *memory = over_aligned ? static_cast<void **>(view)[-1] : view;
    monoid->destroy(static_cast<view_type *>(view));
    monoid->deallocate(memory);
  }
  static const __cilkprof_r_monoid *functions() {
    static const __cilkprof_r_monoid all = {identity, reduce, destroy};
    return &all;
  }
  view_type *view_object() {
    if (__builtin_expect(!__cilkprof_r_views, 1))
      return leftmost();
    return static_cast<view_type *>(__cilkprof_r_view(this, leftmost(), functions()));
  }
  void begin() {
    if (__cilkprof_r_views)
      __cilkprof_r_reducer_begin(this, leftmost(), functions());
  }
  void end() {
    if (__cilkprof_r_views)
      __cilkprof_r_reducer_end(this);
  }
#else
  view_type *view_object() {
    return leftmost();
  }
  void begin() {}
  void end() {}
#endif

  reducer(const reducer &);
  reducer &operator=(const reducer &);

public:
  reducer() {
    monoid_type::construct(monoid_object(), leftmost());
    begin();
  }
  template <typename T1> reducer(const T1 &x1) {
    monoid_type::construct(monoid_object(), leftmost(), x1);
    begin();
  }
  template <typename T1> reducer(T1 &x1) {
    monoid_type::construct(monoid_object(), leftmost(), x1);
    begin();
  }
  template <typename T1, typename T2> reducer(const T1 &x1, const T2 &x2) {
    monoid_type::construct(monoid_object(), leftmost(), x1, x2);
    begin();
  }
  template <typename T1, typename T2, typename T3> reducer(const T1 &x1, const T2 &x2, const T3 &x3) {
    monoid_type::construct(monoid_object(), leftmost(), x1, x2, x3);
    begin();
  }
  template <typename T1, typename T2, typename T3, typename T4>
  reducer(const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4) {
    monoid_type::construct(monoid_object(), leftmost(), x1, x2, x3, x4);
    begin();
  }
  template <typename T1, typename T2, typename T3, typename T4, typename T5>
  reducer(const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4, const T5 &x5) {
    monoid_type::construct(monoid_object(), leftmost(), x1, x2, x3, x4, x5);
    begin();
  }
  template <typename T1, typename T2, typename T3, typename T4, typename T5, typename T6>
  reducer(const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4, const T5 &x5, const T6 &x6) {
    monoid_type::construct(monoid_object(), leftmost(), x1, x2, x3, x4, x5, x6);
    begin();
  }
  ~reducer() {
    end();
    leftmost()->~view_type();
    monoid_object()->~monoid_type();
  }

  Monoid &monoid() {
    return *monoid_object();
  }
  const Monoid &monoid() const {
    return *const_cast<reducer *>(this)->monoid_object();
  }

  /* The view, in each of the ways to write it.  */
  view_type &view() {
    return *view_object();
  }
  const view_type &view() const {
    return *const_cast<reducer *>(this)->view_object();
  }
  view_type &operator*() {
    return view();
  }
  const view_type &operator*() const {
    return view();
  }
  view_type *operator->() {
    return &view();
  }
  const view_type *operator->() const {
    return &view();
  }
  view_type &operator()() {
    return view();
  }
  const view_type &operator()() const {
    return view();
  }

  void move_in(value_type &object) {
    value::move_in(view(), object);
  }
  void move_out(value_type &object) {
    value::move_out(view(), object);
  }
  void set_value(const value_type &object) {
    value::set(view(), object);
  }
  typename value::get_type get_value() const {
    return value::get(view());
  }

  operator legacy &() {
    return *reinterpret_cast<legacy *>(this);
  }
  operator const legacy &() const {
    return *reinterpret_cast<const legacy *>(this);
  }
};

/* Cilk++'s, before reducers were hyperobjects themselves: h() is the view, a T.  */
template <typename T> class hyperobject : public T {
public:
  hyperobject() {}
  template <typename T1> explicit hyperobject(const T1 &x1) : T(x1) {}
  template <typename T1, typename T2> hyperobject(const T1 &x1, const T2 &x2) : T(x1, x2) {}
  template <typename T1, typename T2, typename T3>
  hyperobject(const T1 &x1, const T2 &x2, const T3 &x3) : T(x1, x2, x3) {}
  T &operator()() {
    return *this;
  }
  const T &operator()() const {
    return *this;
  }
};

} // namespace cilk
#endif

#endif
