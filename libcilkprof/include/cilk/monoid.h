/* Monoids for C++ reducers: what a reducer is made of.  <cilk/reducer.h> includes this.
   SPDX-License-Identifier: MIT

   Programs derive their own monoids from these, with identity and reduce, or with constructs of their own.  A serial
   run needs a monoid only to construct its one view.  */

#ifndef CILK_MONOID_H
#define CILK_MONOID_H

#pragma GCC system_header
#include <cilk/common.h>
#include <new>

namespace cilk {

/* Destroys an object whose successor could not be constructed.  */
template <typename Type> class provisional_guard {
  Type *m_object;

public:
  /* Guards OBJECT: the destructor destroys it unless confirm was called.  */
  provisional_guard(Type *object) : m_object(object) {}

  /* Destroys the object, unless it was confirmed or there is none.  */
  ~provisional_guard() {
    if (m_object)
      m_object->~Type();
  }

  /* Lets the object live, as its successor was constructed.  */
  void confirm() {
    m_object = 0;
  }

  /* Calls confirm if OTHER, the successor, is not NULL, and returns OTHER.  */
  template <typename Other> Other *confirm_if(Other *other) {
    if (other)
      confirm();
    return other;
  }
};

/* construct(MONOID, VIEW, ARGUMENT...) is how a reducer passes its constructor's arguments on: to the view, but the
   first to the monoid if it is one.  C++98 has no packs.  */
#define __CILK_CONSTRUCT(monoid, view)                                                                                 \
  provisional_guard<Monoid> guard(::new (static_cast<void *>(m)) monoid);                                              \
  guard.confirm_if(::new (static_cast<void *>(v)) view)
#define __CILK_CONSTRUCT_IDENTITY(monoid)                                                                              \
  provisional_guard<Monoid> guard(::new (static_cast<void *>(m)) monoid);                                              \
  m->identity(v);                                                                                                      \
  guard.confirm()

template <typename Value, typename View = Value> class monoid_base {
public:
  typedef Value value_type;
  typedef View view_type;
  enum { align_reducer = false };

  /* Destroys VIEW, whose memory stays allocated.  */
  void destroy(view_type *view) const {
    view->~view_type();
  }

  /* Returns memory of SIZE bytes for a view.  */
  void *allocate(std::size_t size) const {
    return ::operator new(size);
  }

  /* Frees MEMORY, which allocate returned.  */
  void deallocate(void *memory) const {
    ::operator delete(memory);
  }

  /* Constructs the default of the view's type at V.  */
  void identity(View *v) const {
    ::new (static_cast<void *>(v)) View();
  }

  /* Constructs a default monoid at M, and at V a view: with the monoid's identity without arguments, else from the
     arguments.  If the view's constructor throws, the monoid is destroyed.  This covers the seven overloads up to the
     next comment.  */
  template <typename Monoid> static void construct(Monoid *m, View *v) {
    __CILK_CONSTRUCT_IDENTITY(Monoid());
  }
  template <typename Monoid, typename T1> static void construct(Monoid *m, View *v, T1 &x1) {
    __CILK_CONSTRUCT(Monoid(), View(x1));
  }
  template <typename Monoid, typename T1> static void construct(Monoid *m, View *v, const T1 &x1) {
    __CILK_CONSTRUCT(Monoid(), View(x1));
  }
  template <typename Monoid, typename T1, typename T2>
  static void construct(Monoid *m, View *v, const T1 &x1, const T2 &x2) {
    __CILK_CONSTRUCT(Monoid(), View(x1, x2));
  }
  template <typename Monoid, typename T1, typename T2, typename T3>
  static void construct(Monoid *m, View *v, const T1 &x1, const T2 &x2, const T3 &x3) {
    __CILK_CONSTRUCT(Monoid(), View(x1, x2, x3));
  }
  template <typename Monoid, typename T1, typename T2, typename T3, typename T4>
  static void construct(Monoid *m, View *v, const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4) {
    __CILK_CONSTRUCT(Monoid(), View(x1, x2, x3, x4));
  }
  template <typename Monoid, typename T1, typename T2, typename T3, typename T4, typename T5>
  static void construct(Monoid *m, View *v, const T1 &x1, const T2 &x2, const T3 &x3, const T4 &x4, const T5 &x5) {
    __CILK_CONSTRUCT(Monoid(), View(x1, x2, x3, x4, x5));
  }

  /* Constructs a copy of MONOID at M, and at V a view: with its identity, or from the arguments after MONOID.  This
     covers the overloads up to the end of the class.  */
  template <typename Monoid> static void construct(Monoid *m, View *v, const Monoid &monoid) {
    __CILK_CONSTRUCT_IDENTITY(Monoid(monoid));
  }
  template <typename Monoid> static void construct(Monoid *m, View *v, Monoid &monoid) {
    __CILK_CONSTRUCT_IDENTITY(Monoid(monoid));
  }
  template <typename Monoid, typename T1>
  static void construct(Monoid *m, View *v, const Monoid &monoid, const T1 &x1) {
    __CILK_CONSTRUCT(Monoid(monoid), View(x1));
  }
  template <typename Monoid, typename T1, typename T2>
  static void construct(Monoid *m, View *v, const Monoid &monoid, const T1 &x1, const T2 &x2) {
    __CILK_CONSTRUCT(Monoid(monoid), View(x1, x2));
  }
  template <typename Monoid, typename T1, typename T2, typename T3>
  static void construct(Monoid *m, View *v, const Monoid &monoid, const T1 &x1, const T2 &x2, const T3 &x3) {
    __CILK_CONSTRUCT(Monoid(monoid), View(x1, x2, x3));
  }
  template <typename Monoid, typename T1, typename T2, typename T3, typename T4>
  static void construct(Monoid *m, View *v, const Monoid &monoid, const T1 &x1, const T2 &x2, const T3 &x3,
                        const T4 &x4) {
    __CILK_CONSTRUCT(Monoid(monoid), View(x1, x2, x3, x4));
  }
};

#undef __CILK_CONSTRUCT
#undef __CILK_CONSTRUCT_IDENTITY

/* The monoid of a view that has it all: value_type, the identity as default, reduce.  */
template <class View, bool Align = false> class monoid_with_view : public monoid_base<typename View::value_type, View> {
public:
  enum { align_reducer = Align };

  /* Constructs the default of the view's type, which is its identity, at VIEW.  */
  void identity(View *view) const {
    ::new (static_cast<void *>(view)) View();
  }

  /* Calls the view's own reduce, which adds RIGHT to LEFT.  */
  void reduce(View *left, View *right) const {
    left->reduce(right);
  }
};

/* A view of one value that is copied in and out.  */
template <typename Type> class scalar_view {
protected:
  Type m_value;

public:
  typedef Type value_type;
  typedef const Type &return_type_for_get_value;

  /* Makes a view with the default value of its type, or with VALUE.  This covers both constructors.  */
  scalar_view() : m_value() {}
  scalar_view(const Type &value) : m_value(value) {}

  /* Sets the value to VALUE, which stays as it is: a scalar is copied.  */
  void view_move_in(Type &value) {
    m_value = value;
  }

  /* Sets VALUE to the view's value, which stays as it is.  */
  void view_move_out(Type &value) {
    value = m_value;
  }

  /* Sets the value to VALUE.  */
  void view_set_value(const Type &value) {
    m_value = value;
  }

  /* Returns the value.  */
  const Type &view_get_value() const {
    return m_value;
  }

  /* Returns a reference to the value; const if the view is.  This covers both overloads.  */
  Type &view_get_reference() {
    return m_value;
  }
  const Type &view_get_reference() const {
    return m_value;
  }
};

/* An argument of a view's constructor that may be emptied; move_in(x) makes it.  */
template <typename Type> class move_in_wrapper {
  Type *m_value;

public:
  /* Refers to VALUE, whose contents a view may take.  */
  explicit move_in_wrapper(Type &value) : m_value(&value) {}

  /* Returns VALUE; a view's constructor that knows nothing of wrappers copies it.  */
  operator Type &() const {
    return *m_value;
  }

  /* Returns VALUE.  */
  Type &value() const {
    return *m_value;
  }
};

/* Returns VALUE wrapped as an argument of a reducer's constructor, which takes its contents and leaves it empty.  This
   covers both overloads.  */
template <typename Type> inline move_in_wrapper<Type> move_in(Type &value) {
  return move_in_wrapper<Type>(value);
}
template <typename Type> inline move_in_wrapper<Type> move_in(const Type &value) {
  return move_in_wrapper<Type>(const_cast<Type &>(value));
}

} // namespace cilk

#endif
