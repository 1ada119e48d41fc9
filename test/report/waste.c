/* A program that is only sampled in a text: its addresses are those of labels.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define AT(name) __asm__ volatile(#name ": nop")

/* The parallel runtime, and what the compiler makes for it.  */
#define RUNTIME __attribute__((noipa, section("cilkprof_runtime")))
RUNTIME void runtime_steal(void) { /* where a worker looks for work */
  AT(at_steal);
}
RUNTIME void runtime_loop(void) { /* where a worker divides a loop */
  AT(at_loop);
}
__attribute__((noipa)) void child(void) __asm__("work.cilk_child.0");
__attribute__((noipa)) void child(void) { /* the function that the compiler makes of a spawned call in work */
  AT(at_child);
}
/* The program: main calls all functions that follow, some of them inlined, so that there is code with these labels.  */
static inline __attribute__((always_inline)) void leaf(void) { /* a function that is inlined twice */
  AT(at_leaf);
}
static inline __attribute__((always_inline)) void inner(void) { /* a function that is inlined once */
  leaf();
}
__attribute__((noipa)) void work(void) { /* parallel work, with an inlined call */
  AT(at_work);
  AT(at_work_call);
  inner();
}
static __attribute__((noipa)) void serial(void) { /* code that runs on one processor only */
  AT(at_serial);
}
__attribute__((noipa)) void body(void) __asm__("main._omp_fn.0");
__attribute__((noipa)) void body(void) { /* the body of a parallel region in main */
  AT(at_body);
}
__attribute__((noipa)) void pthread_mutex_lock_slow(void) { /* where a thread waits for a lock */
  AT(at_lock);
}
int main(void) { /* calls all of these, so that they are linked */
  AT(at_main_serial);
  AT(at_main_work);
  AT(at_main_loop);
  serial();
  body();
  child();
  runtime_loop();
  runtime_steal();
  pthread_mutex_lock_slow();
  work();
  return 0;
}
