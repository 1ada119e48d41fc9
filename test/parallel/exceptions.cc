/* Exceptions and reducers in C++ by hand: each part checks itself.  exceptions PART [NUMBER]
   SPDX-License-Identifier: MIT  */

#include <atomic>
#include <cstring>
#include <cxxabi.h>
#include <list>
#include <sstream>
#include <string>

#include <cilk/cilk_api.h>
#include <cilk/holder.h>
#include <cilk/reducer>
#include <cilk/reducer_list.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_ostream.h>
#include <cilk/reducer_string.h>

#include "by-hand.h"

static std::atomic<int> alive; /* exceptions that were not destroyed */

/* An exception with a number, which counts itself in ALIVE.  */
struct thrown {
  int number;

  /* Makes an exception with the number N, and counts it as alive.  */
  thrown(int n) : number(n) {
    alive++;
  }

  /* Copies OTHER, and counts the copy as alive.  */
  thrown(const thrown &other) : number(other.number) {
    alive++;
  }

  /* Counts one exception fewer as alive.  */
  ~thrown() {
    alive--;
  }
};

/* Compiled code has what was thrown before its handler begins.  Here it has begun, and is put back.  */
struct globals {
  char *caught;
  unsigned uncaught;
};

/* Returns what the C++ library keeps about the exceptions of this thread.  */
static globals *test_parallel_thread_exceptions() {
  return reinterpret_cast<globals *>(abi::__cxa_get_globals());
}

/* Returns the exception that is being handled, as the unwinder knows it: its header is 80 bytes after the beginning of
   the C++ library's record.  Counts it as uncaught again.  */
static void *test_parallel_caught_now() {
  test_parallel_thread_exceptions()->uncaught++;
  return test_parallel_thread_exceptions()->caught + 80;
}

/* Runs FUNCTION as the compiler runs a child: passes an exception on to the runtime.  */
template <typename Function> static void test_parallel_child_of(const Function &function) {
  try {
    function();
  } catch (...) {
    __cilkprof_r_caught(test_parallel_caught_now());
  }
}

/* Runs the function that is the CLOSURE of a child, as the runtime calls it.  */
template <typename Function> static void test_parallel_child(void *closure) {
  test_parallel_child_of(*static_cast<Function *>(closure));
}

/* Spawns FUNCTION in FRAME, or calls it if the runtime wants no more children.  */
template <typename Function> static void test_parallel_spawn(__cilkprof_r_frame &frame, const Function &function) {
  static __cilkprof_r_site site;
  if (__cilkprof_r_want)
    __cilkprof_r_spawn(&frame, test_parallel_child<Function>, &function, sizeof function, &site);
  else
    function();
}

/* Calls FUNCTION with a frame, as a function that spawns is compiled: it ends with a sync, even if it throws.  */
template <typename Function> static void test_parallel_with_frame(const Function &function) {
  __cilkprof_r_frame frame;
  frame.deferred = 0;
  try {
    function(frame);
  } catch (...) {
    if (frame.deferred) {
      __cilkprof_r_join_thrown(&frame, test_parallel_caught_now());
      test_parallel_thread_exceptions()->uncaught--;
    }
    throw;
  }
  SYNC;
}

/* Calls the function that is DATA for each iteration of the range: the body of a loop, as the runtime calls it.  */
template <typename Function> static void test_parallel_loop_body(void *data) {
  test_parallel_child_of([&] {
    for (unsigned long i = __cilkprof_r_range.low, high = __cilkprof_r_range.high; i < high; i++)
      (*static_cast<Function *>(data))(i);
  });
}

/* Runs a cilk_for: calls FUNCTION with each number below TRIPS, in ranges of at most GRAIN.  */
template <typename Function>
static void test_parallel_run_loop_of(unsigned long trips, unsigned long grain, Function function) {
  static __cilkprof_r_site site;
  test_parallel_run_loop(trips, grain, test_parallel_loop_body<Function>, &function, &site);
}

/* Returns the Nth Fibonacci number, to keep workers busy.  */
static int test_parallel_fib(int n) {
  if (n < 2)
    return n;
  int x, y;
  test_parallel_with_frame([&](__cilkprof_r_frame &frame) {
    test_parallel_spawn(frame, [&x, n] { x = test_parallel_fib(n - 1); });
    y = test_parallel_fib(n - 2);
  });
  return x + y;
}

/* Returns the number of the exception that FUNCTION throws, or -1 if it throws none.  Checks that every exception has
   been destroyed, and none is under way.  */
template <typename Function> static int test_parallel_exception_number(const Function &function) {
  int number = -1;
  try {
    function();
  } catch (const thrown &t) {
    number = t.number;
  }
  CHECK(alive == 0);
  CHECK(!std::uncaught_exception());
  return number;
}

/* Checks that of several children's exceptions the serially first one arrives.  */
static void test_parallel_first_wins() {
  CHECK(test_parallel_exception_number([] {
          test_parallel_with_frame([](__cilkprof_r_frame &frame) {
            for (int i = 0; i < 50; i++)
              test_parallel_spawn(frame, [i] {
                CHECK(test_parallel_fib(10) == 55);
                if (i % 7 == 3)
                  throw thrown(i);
              });
          });
        }) == 3);
}

/* Checks that the exception of a child comes before that of the function itself, and that the latter arrives if no
   child throws.  */
static void test_parallel_child_before_continuation() {
  CHECK(test_parallel_exception_number([] {
          test_parallel_with_frame([](__cilkprof_r_frame &frame) {
            test_parallel_spawn(frame, [] {
              test_parallel_fib(8);
              throw thrown(1);
            });
            throw thrown(2);
          });
        }) == 1);
  CHECK(test_parallel_exception_number([] {
          test_parallel_with_frame([](__cilkprof_r_frame &frame) {
            test_parallel_spawn(frame, [] { test_parallel_fib(8); });
            throw thrown(2);
          });
        }) == 2);
}

/* Throws an exception through DEPTH children, each of which spawned the next, and their joins.  */
static void test_parallel_throw_far(int depth) {
  test_parallel_with_frame([=](__cilkprof_r_frame &frame) {
    if (!depth)
      throw thrown(77);
    test_parallel_spawn(frame, [=] { test_parallel_throw_far(depth - 1); });
    test_parallel_fib(5);
  });
}

/* Checks that the serially first exception of a loop arrives, also from a loop within a loop.  */
static void test_parallel_loop_exceptions() {
  CHECK(test_parallel_exception_number([] {
          test_parallel_run_loop_of(1000, 3, [](unsigned long i) {
            if (i % 100 == 42)
              throw thrown(static_cast<int>(i));
          });
        }) == 42);
  CHECK(test_parallel_exception_number([] {
          test_parallel_run_loop_of(20, 1, [](unsigned long i) {
            test_parallel_run_loop_of(20, 1, [i](unsigned long j) {
              if (i >= 10 && j >= 5)
                throw thrown(static_cast<int>(i * 100 + j));
            });
          });
        }) == 1005);
}

/* Calls APPEND with the numbers from LOW to before HIGH in their order, and others between them, by a recursion that
   spawns everywhere.  */
template <typename Append> static void test_parallel_append_words(int low, int high, const Append &append) {
  if (high - low == 1) {
    append(low);
    return;
  }
  test_parallel_with_frame([&](__cilkprof_r_frame &frame) {
    int a = low + (high - low + 2) / 3, b = a + (high - a) / 2;
    test_parallel_spawn(frame, [&append, low, a] { test_parallel_append_words(low, a, append); });
    append(-a);
    if (b > a)
      test_parallel_spawn(frame, [&append, a, b] { test_parallel_append_words(a, b, append); });
    append(-b);
    test_parallel_append_words(b, high, append);
  });
}

/* A reducer of text by inheritance: appends the text of the right view to that of the left one.  */
struct text_sum : __reducer_base {
  std::string text;

  /* Returns the size of a view.  */
  std::size_t size() const {
    return sizeof *this;
  }

  /* Makes an empty view at VIEW.  */
  text_sum *identity(void *view) {
    return new (view) text_sum;
  }

  /* Appends the text of RIGHT to that of LEFT.  */
  void reduce(__reducer_base *left, __reducer_base *right) {
    static_cast<text_sum *>(left)->text += static_cast<text_sum *>(right)->text;
  }
};

/* Makes VIEW an empty string: the identity of a reducer.  */
static void test_parallel_no_text(void *view) {
  new (view) std::string;
}

/* Appends RIGHT to LEFT, and destroys RIGHT: the reduction of a reducer.  */
static void test_parallel_add_text(void *left, void *right) {
  *static_cast<std::string *>(left) += *static_cast<std::string *>(right);
  typedef std::string type;
  static_cast<std::string *>(right)->~type();
}

/* Returns whether A is shorter than B: the order by which op_max finds the longest.  */
static bool test_parallel_is_shorter(const std::string &a, const std::string &b) {
  return a.size() < b.size();
}

/* Checks that reducers of all kinds have what a serial run makes, in the same order, after spawns and after a loop.  */
static void test_parallel_reducers() {
  std::string wanted;
  std::list<int> wanted_list;
  long wanted_sum = 0;
  bool serially = true;
  cilk::reducer<cilk::op_string> text;
  cilk::reducer_list_append<int> list;
  cilk::reducer<cilk::op_add<long>> sum(0);
  std::ostringstream out;
  cilk::reducer_ostream stream(out);
  cilk::reducer<cilk::op_max<std::string, bool(const std::string &, const std::string &)>> most(
      test_parallel_is_shorter);
  cilk::holder<std::string, cilk::holder_keep_last> last(std::string("start"));
  std::string registered;
  __cilkrts_reducer_register(&registered, sizeof registered, test_parallel_no_text, test_parallel_add_text);
  text_sum by_class;
  int plain = 0;
  __reducer_callbacks callbacks = {sizeof(int), [](void *v) { *static_cast<int *>(v) = 0; },
                                   [](void *l, void *r) { *static_cast<int *>(l) += *static_cast<int *>(r); }};
  auto append = [&](int i) {
    std::string word = std::to_string(i) + " ";
    if (serially) {
      wanted += word;
      wanted_list.push_back(i);
      wanted_sum += i;
      return;
    }
    *text += word;
    list.push_back(i);
    *sum += i;
    stream << word;
    most->calc_max(word);
    *last = word;
    *static_cast<std::string *>(
        __hyper_lookup(&registered, sizeof registered, test_parallel_no_text, test_parallel_add_text)) += word;
    static_cast<text_sum *>(__hyper_lookup_class(&by_class))->text += word;
    *static_cast<int *>(__hyper_lookup_internal_1(&plain, callbacks)) += i;
    cilk::reducer<cilk::op_add<int>> local(i); /* one that begins and ends in a strand */
    test_parallel_with_frame([&](__cilkprof_r_frame &frame) {
      test_parallel_spawn(frame, [&] { *local += 1; });
      *local += 2;
    });
    CHECK(local.get_value() == i + 3);
  };
  unsigned char want = __cilkprof_r_want;
  __cilkprof_r_want = 0;
  test_parallel_append_words(0, 400, append);
  __cilkprof_r_want = want;
  serially = false;
  test_parallel_append_words(0, 400, append);
  CHECK(text.get_value() == wanted);
  CHECK(list.get_value() == wanted_list);
  CHECK(sum.get_value() == wanted_sum);
  CHECK(out.str() == wanted);
  CHECK(most.get_value().size() == 5);
  CHECK(*last == "399 ");
  CHECK(registered == wanted);
  CHECK(by_class.text == wanted);
  CHECK(plain == wanted_sum);
  __cilkrts_reducer_unregister(&registered);
  /* loops keep the order, too */
  cilk::reducer<cilk::op_string> lines;
  std::string serial;
  for (int i = 0; i < 3000; i++)
    serial += std::to_string(i);
  test_parallel_run_loop_of(3000, 1, [&](unsigned long i) { *lines += std::to_string(i); });
  CHECK(lines.get_value() == serial);
}

/* Checks that many reducers can begin and end in one strand, in any order.  */
static void test_parallel_reducer_tables() {
  test_parallel_with_frame([](__cilkprof_r_frame &frame) {
    test_parallel_spawn(frame, [] { test_parallel_fib(3); });
    typedef cilk::reducer<cilk::op_add<int>> number;
    enum { COUNT = 300 };
    number *all[COUNT];
    for (int i = 0; i < COUNT; i++)
      all[i] = new number(i);
    for (int step : {3, 2, 1}) {
      test_parallel_with_frame([&](__cilkprof_r_frame &inner) {
        test_parallel_spawn(inner, [&] {
          for (number *n : all)
            if (n)
              **n += 1;
        });
        for (number *n : all)
          if (n)
            **n += 1;
      });
      for (int i = 0; i < COUNT; i++) {
        if (all[i])
          CHECK(all[i]->get_value() == i + 2 * (4 - step));
        if (all[i] && i % step == 0) {
          delete all[i];
          all[i] = 0;
        }
      }
    }
  });
}

/* Runs the part that is named NUMBER times.  Exits with status 1 if a check fails; returns 2 if there is no such
   part.  */
int main(int argc, char **argv) {
  const char *part = argc > 1 ? argv[1] : "";
  for (int number = argc > 2 ? std::atoi(argv[2]) : 1; number > 0; number--)
    if (!std::strcmp(part, "first"))
      test_parallel_first_wins();
    else if (!std::strcmp(part, "continuation"))
      test_parallel_child_before_continuation();
    else if (!std::strcmp(part, "far"))
      CHECK(test_parallel_exception_number([] { test_parallel_throw_far(40); }) == 77);
    else if (!std::strcmp(part, "loops"))
      test_parallel_loop_exceptions();
    else if (!std::strcmp(part, "tables"))
      test_parallel_reducer_tables();
    else if (!std::strcmp(part, "reducers"))
      test_parallel_reducers();
    else
      return 2;
  return 0;
}
