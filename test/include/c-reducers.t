#!/bin/sh
# The C reducers of Cilk Plus: every family and every type, and one of the user's.
# SPDX-License-Identifier: MIT
. "$TOP/test/include/lib.sh"

cat >sum.c <<'EOC'
#include <cilk/cilk.h>
#include <cilk/reducer_min_max.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
CILK_C_REDUCER_OPADD(global, long, 5);
static void add(CILK_C_REDUCER_OPADD_TYPE(uint) *reducer, unsigned x) { REDUCER_VIEW(*reducer) += x; }
int main(void) {
  static const int a[] = {4, 9, 2, 9, 2};
  int i;
  CILK_C_REDUCER_OPADD(sum, uint, 0);
  CILK_C_REDUCER_OPMUL(product, double, 1);
  CILK_C_REDUCER_OPAND(both, uint, ~0u);
  CILK_C_REDUCER_OPOR(any, ulong, 0);
  CILK_C_REDUCER_OPXOR(odd, uchar, 0);
  CILK_C_REDUCER_MIN(least, int, INT_MAX);
  CILK_C_REDUCER_MAX(greatest, double, -DBL_MAX);
  CILK_C_REDUCER_MIN_INDEX(first, longlong, 1000);
  CILK_C_REDUCER_MAX_INDEX(where, uint, 0);
  CILK_C_REGISTER_REDUCER(sum);
  CILK_C_REGISTER_REDUCER(where);
  cilk_for (i = 0; i < 5; i++) {
    add(&sum, a[i]);
    REDUCER_VIEW(product) *= a[i];
    REDUCER_VIEW(both) &= a[i] | 16;
    REDUCER_VIEW(any) |= a[i];
    REDUCER_VIEW(odd) ^= a[i];
    REDUCER_VIEW(global) -= 1;
    CILK_C_REDUCER_MIN_CALC(least, a[i]);
    CILK_C_REDUCER_MAX_CALC(greatest, a[i]);
    CILK_C_REDUCER_MIN_INDEX_CALC(first, i, a[i]);
    CILK_C_REDUCER_MAX_INDEX_CALC(where, i, (unsigned)a[i]);
  }
  CILK_C_UNREGISTER_REDUCER(sum);
  CILK_C_UNREGISTER_REDUCER(where);
  printf("%u %g %u %lu %d\n", REDUCER_VIEW(sum), REDUCER_VIEW(product), REDUCER_VIEW(both), REDUCER_VIEW(any),
         REDUCER_VIEW(odd));
  printf("%ld %d %g\n", REDUCER_VIEW(global), REDUCER_VIEW(least), REDUCER_VIEW(greatest));
  printf("%d:%d %d:%u\n", (int)REDUCER_VIEW(first).index, (int)REDUCER_VIEW(first).value,
         (int)REDUCER_VIEW(where).index, REDUCER_VIEW(where).value);
  /* By hand, as a runtime would.  */
  {
    int left = 3, right = 4;
    cilk_c_monoid *monoid = &least.__cilkrts_hyperbase.__c_monoid;
    monoid->reduce_fn(&least, &left, &right);
    monoid->identity_fn(&least, &right);
    printf("%d %d %d\n", left, right == INT_MAX, *(int *)__cilkrts_hyper_lookup(&least.__cilkrts_hyperbase));
  }
  return 0;
}
EOC
cp sum.c sum.cc
wants '26 1296 16 15 4' '0 2 9' '2:2 1:9' '3 1 2'
prints sum.c gnu89 c99 c11 c2x
prints sum.cc c++98 c++11 c++17 c++20

# The functions and the reducer of every type.
types='char uchar schar wchar_t short ushort int uint unsigned long ulong longlong ulonglong'
{
  for family in opadd opmul opand opor opxor min max; do
    echo "#include <cilk/reducer_$(echo $family | sed 's/min\|max/min_max/').h>"
  done
  printf '#include <stdio.h>\n#include <string.h>\nint main(void) {\n  int right = 0, count = 0;\n'
  for family in opadd opmul opand opor opxor min max; do
    FAMILY=$(echo $family | tr a-z A-Z)
    case $family in
    opadd) expect=5 ;;
    opmul) expect=6 ;;
    opxor) expect=1 ;;
    opand | min) expect=2 ;;
    opor | max) expect=3 ;;
    esac
    case $family in opand | opor | opxor) more= ;; *) more='float double longdouble' ;; esac
    for type in $types $more; do
      cat <<EOC
  {
    CILK_C_REDUCER_$FAMILY(r, $type, 2);
    CILK_C_REDUCER_${FAMILY}_TYPE($type) other, identity;
    REDUCER_VIEW(other) = 3;
    cilk_c_reducer_${family}_identity_$type(&r, &identity.value);
    cilk_c_reducer_${family}_reduce_$type(&r, &r.value, &identity.value);
    right += REDUCER_VIEW(r) == 2;
    cilk_c_reducer_${family}_reduce_$type(&r, &r.value, &other.value);
    right += REDUCER_VIEW(r) == $expect;
    count += 2;
  }
EOC
    done
  done
  for family in min max; do
    FAMILY=$(echo $family | tr a-z A-Z)
    case $family in min) value=1 ;; max) value=3 ;; esac
    for type in $types float double longdouble; do
      cat <<EOC
  {
    CILK_C_REDUCER_${FAMILY}_INDEX(r, $type, 2);
    CILK_C_REDUCER_${FAMILY}_INDEX_TYPE($type) identity;
    cilk_c_reducer_${family}_index_identity_$type(&r, &identity.value);
    cilk_c_reducer_${family}_index_reduce_$type(&r, &r.value, &identity.value);
    CILK_C_REDUCER_${FAMILY}_INDEX_CALC(r, 7, $value);
    right += REDUCER_VIEW(r).index == 7 && REDUCER_VIEW(r).value == $value;
    count++;
  }
EOC
    done
  done
  printf '  printf("%%d %%d\\n", right == count, count);\n  return 0;\n}\n'
} >types.c
cp types.c types.cc
wants '1 238'
prints_serially types.c gnu89 c11
prints_serially types.cc c++98 c++20

cat >custom.c <<'EOC'
#include <cilk/cilk.h>
#include <cilk/reducer.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct node {
  int value;
  struct node *next;
} node;
typedef struct {
  node *head, *tail;
} list;
static void append(list *l, int x) {
  node *n = (node *)malloc(sizeof *n);
  n->value = x;
  n->next = 0;
  if (l->tail)
    l->tail->next = n;
  else
    l->head = n;
  l->tail = n;
}
static void identity(void *reducer, void *view) {
  list *l = (list *)view;
  (void)reducer;
  l->head = l->tail = 0;
}
static void reduce(void *reducer, void *left, void *right) {
  list *l = (list *)left, *r = (list *)right;
  (void)reducer;
  if (l->tail)
    l->tail->next = r->head;
  else
    l->head = r->head;
  if (r->tail)
    l->tail = r->tail;
}
static void zero(void *reducer, void *view) {
  (void)reducer;
  *(int *)view = 0;
}
static void add(void *reducer, void *left, void *right) {
  (void)reducer;
  *(int *)left += *(int *)right;
}
static CILK_C_DECLARE_REDUCER(list) global =
    CILK_C_INIT_REDUCER(list, reduce, identity, __cilkrts_hyperobject_noop_destroy, {0, 0});
int main(void) {
  CILK_C_DECLARE_REDUCER(int) my_add =
      CILK_C_INIT_REDUCER(int, add, zero, __cilkrts_hyperobject_noop_destroy, 40);
  int i;
  node *n;
  CILK_C_REGISTER_REDUCER(global);
  CILK_C_REGISTER_REDUCER(my_add);
  cilk_for (i = 0; i < 5; i++) {
    append(&REDUCER_VIEW(global), i * i);
    REDUCER_VIEW(my_add) += 1;
  }
  CILK_C_UNREGISTER_REDUCER(my_add);
  CILK_C_UNREGISTER_REDUCER(global);
  for (n = REDUCER_VIEW(global).head; n; n = n->next)
    printf("%d ", n->value);
  printf("%d\n", REDUCER_VIEW(my_add));
  return 0;
}
EOC
cp custom.c custom.cc
wants '0 1 4 9 16 45'
prints custom.c gnu89 c99 c11 c2x
prints custom.cc c++98 c++11 c++17 c++20
finish
