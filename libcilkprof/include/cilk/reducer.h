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

  /* Moves VALUE into the view as the view's class does it; a container is then empty.  */
  static void move_in(View &view, Value &value) {
    view.view_move_in(value);
  }

  /* Moves the view's value into VALUE.  */
  static void move_out(View &view, Value &value) {
    view.view_move_out(value);
  }

  /* Copies VALUE into the view.  */
  static void set(View &view, const Value &value) {
    view.view_set_value(value);
  }

  /* Returns the view's value.  */
  static get_type get(const View &view) {
    return view.view_get_value();
  }
};
template <typename Value> struct value_in<Value, Value> {
  typedef const Value &get_type;

  /* Copies VALUE into the view, which is a value itself.  */
  static void move_in(Value &view, Value &value) {
    view = value;
  }

  /* Copies the view, which is a value itself, into VALUE.  */
  static void move_out(Value &view, Value &value) {
    value = view;
  }

  /* Copies VALUE into the view.  */
  static void set(Value &view, const Value &value) {
    view = value;
  }

  /* Returns the view, which is the value.  */
  static get_type get(const Value &view) {
    return view;
  }
};

/* A new view: the monoid's identity, which may be given the leftmost to learn from.  */
template <typename Monoid, typename = void> struct new_view {
  typedef typename Monoid::view_type view_type;

  /* Constructs the identity of MONOID at VIEW.  */
  static void make(const Monoid *monoid, view_type *view, const view_type *) {
    const_cast<Monoid *>(monoid)->identity(view);
  }
};
template <typename Monoid> struct new_view<Monoid, typename exists<typename Monoid::like_leftmost>::type> {
  typedef typename Monoid::view_type view_type;

  /* Constructs an identity at VIEW that has what LEFTMOST was constructed with, such as a comparator.  */
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

  /* Returns the monoid in this reducer's memory.  */
  monoid_type *monoid_object() {
    return static_cast<monoid_type *>(static_cast<void *>(m_monoid));
  }

  /* Returns the view in this reducer's memory: the one in which the result is in the end.  */
  view_type *leftmost() {
    return static_cast<view_type *>(static_cast<void *>(m_view));
  }

#ifdef __cilkprof_parallel__
  /* What allocate returns need not be aligned enough: then its address is in front of the view.  */
  enum { over_aligned = __alignof__(view_type) > __BIGGEST_ALIGNMENT__ || __alignof__(view_type) > 16 };

  /* Returns a new view, in memory that the monoid allocates and aligned as its type needs.  SELF is the reducer.  */
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

  /* Reduces RIGHT into LEFT by the monoid.  SELF is the reducer.  */
  static void reduce(void *self, void *left, void *right) {
    static_cast<reducer *>(self)->monoid_object()->reduce(static_cast<view_type *>(left),
                                                          static_cast<view_type *>(right));
  }

  /* Destroys VIEW and frees its memory by the monoid.  SELF is the reducer.  */
  static void destroy(void *self, void *view) {
    monoid_type *monoid = static_cast<reducer *>(self)->monoid_object();
    void *memory = over_aligned ? static_cast<void **>(view)[-1] : view;
    monoid->destroy(static_cast<view_type *>(view));
    monoid->deallocate(memory);
  }

  /* Returns the three functions above as the runtime wants them.  */
  static const __cilkprof_r_monoid *functions() {
    static const __cilkprof_r_monoid all = {identity, reduce, destroy};
    return &all;
  }

  /* Returns the calling strand's view; the leftmost one while no strand has views of its own.  */
  view_type *view_object() {
    if (__builtin_expect(!__CILKPROF_R_VIEWS, 1))
      return leftmost();
    return static_cast<view_type *>(__cilkprof_r_view(this, leftmost(), functions()));
  }

  /* Announces the reducer to the runtime, which then knows its leftmost view.  */
  void begin() {
    if (__CILKPROF_R_VIEWS)
      __cilkprof_r_reducer_begin(this, leftmost(), functions());
  }

  /* Makes the runtime forget the reducer.  */
  void end() {
    if (__CILKPROF_R_VIEWS)
      __cilkprof_r_reducer_end(this);
  }
#else
  /* Returns the one view of a serial run.  */
  view_type *view_object() {
    return leftmost();
  }

  /* begin and end do nothing in a serial run.  */
  void begin() {}
  void end() {}
#endif

  reducer(const reducer &);
  reducer &operator=(const reducer &);

public:
  /* Constructs the monoid and the leftmost view: with the identity without arguments, else from the arguments, of which
     the first may be a monoid to copy.  This covers all constructors.  */
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

  /* Destroys the leftmost view and the monoid.  */
  ~reducer() {
    end();
    leftmost()->~view_type();
    monoid_object()->~monoid_type();
  }

  /* Returns the reducer's monoid; const if the reducer is.  This covers both overloads.  */
  Monoid &monoid() {
    return *monoid_object();
  }
  const Monoid &monoid() const {
    return *const_cast<reducer *>(this)->monoid_object();
  }

  /* Returns the calling strand's view; const if the reducer is.  This covers view and the operators *, -> and (), which
     are other ways to write it.  */
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

  /* Moves OBJECT's value into the view; a container is then empty.  */
  void move_in(value_type &object) {
    value::move_in(view(), object);
  }

  /* Moves the view's value into OBJECT.  */
  void move_out(value_type &object) {
    value::move_out(view(), object);
  }

  /* Sets the view's value to a copy of OBJECT.  */
  void set_value(const value_type &object) {
    value::set(view(), object);
  }

  /* Returns the view's value.  */
  typename value::get_type get_value() const {
    return value::get(view());
  }

  /* Converts to the class that this reducer had in older programs; const if the reducer is.  This covers both
     overloads.  */
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
  /* Constructs the T with the arguments.  This covers the four constructors.  */
  hyperobject() {}
  template <typename T1> explicit hyperobject(const T1 &x1) : T(x1) {}
  template <typename T1, typename T2> hyperobject(const T1 &x1, const T2 &x2) : T(x1, x2) {}
  template <typename T1, typename T2, typename T3>
  hyperobject(const T1 &x1, const T2 &x2, const T3 &x3) : T(x1, x2, x3) {}

  /* Returns the T itself, which is the view; const if the hyperobject is.  This covers both overloads.  */
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
