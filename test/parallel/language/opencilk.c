/* OpenCilk's reducers: variables, members, parameters of functions that use them.  */
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void zero(void *view) { *(long *)view = 0; }
static void plus(void *left, void *right) { *(long *)left += *(long *)right; }

/* Not commutative: a text.  */
struct text { char *letters; size_t length; };
static void empty(void *view) { struct text *t = (struct text *)view; t->letters = NULL; t->length = 0; }
static void append(struct text *t, const char *letters, size_t length) {
  t->letters = (char *)realloc(t->letters, t->length + length);
  memcpy(t->letters + t->length, letters, length);
  t->length += length;
}
static void join(void *left, void *right) {
  struct text *r = (struct text *)right;
  if (r->length) append((struct text *)left, r->letters, r->length);
  free(r->letters);
}

static long cilk_reducer(zero, plus) total = 0;
static struct text cilk_reducer(empty, join) written;
struct box { int before; long cilk_reducer(zero, plus) sum; };

static void write_letter(int i) {
  char letter = (char)('a' + i % 26);
  append(&written, &letter, 1);
}

static void tree(int low, int high) {
  if (high - low == 1) {
    write_letter(low);
    total += low;
    return;
  }
  int middle = low + (high - low) / 2;
  cilk_spawn tree(low, middle);
  tree(middle, high);
}

static long own(int n) { /* one in every call, also in strands that have views */
  long cilk_reducer(zero, plus) sum = 5;
  long *first = &sum;
  cilk_for (int i = 0; i < n; i++) sum += i;
  struct box box = {1, 0};
  cilk_spawn { box.before++; }
  cilk_for (int i = 0; i < n; i++) box.sum += 2;
  cilk_sync;
  return sum + box.sum + box.before + (first == &sum);
}

static void add(long cilk_reducer(zero, plus) *to, int n) {
  cilk_for (int i = 0; i < n; i++) *to += i;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 5;
  for (int k = 0; k < rounds; k++) {
    long found[20];
    total = 0;
    add(__builtin_addressof(total), 300);
    tree(0, 500);
    cilk_for (int i = 500; i < 700; i++) write_letter(i);
    cilk_for (int i = 0; i < 20; i++) found[i] = own(50 + i);
    long sum = 0;
    for (int i = 0; i < 20; i++) sum += found[i];
    size_t wrong = 0;
    for (size_t i = 0; i < written.length; i++) wrong += written.letters[i] != (char)('a' + i % 700 % 26);
    printf("%ld %ld %zu %zu\n", total, sum, written.length, wrong);
  }
  free(written.letters);
  return 0;
}
