/* The calls by which Cilk programs set signal handlers.
   SPDX-License-Identifier: MIT

   The linker redirects the program's calls of these functions here (--wrap, in cilkprof.specs).  One function is the
   handler of all signals: it tells the runtime and the engine, and calls that of the program.  */

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef void full_handler(int number, siginfo_t *info, void *context);
typedef void plain_handler(int number);

/* A program may be linked without the runtime, without the engine, and without both.  */
typedef void call_of_handler(full_handler *handler, int number, siginfo_t *info, void *context);
extern call_of_handler __cilkprof_r_call_handler __attribute__((weak));
extern call_of_handler __cilkprof_call_signal_handler __attribute__((weak));

/* The system passes all arguments to both kinds, so each is called, or set, as the other one.  */
union program_handler {
  full_handler *full;
  plain_handler *plain;
};

/* Those of the program, for each signal; NULL if it never had one.  */
static full_handler *_Atomic handlers[NSIG];

/* Calls the program's handler of signal NUMBER, for the runtime.  One that takes one argument ignores the others.  */
static void run_program_handler(int number, siginfo_t *info, void *context) {
  full_handler *handler = atomic_load(&handlers[number]);
  if (__cilkprof_r_call_handler)
    __cilkprof_r_call_handler(handler, number, info, context);
  else
    handler(number, info, context);
}

/* Does the same, for the engine.  */
static void handle_for_program(int number, siginfo_t *info, void *context) {
  if (__cilkprof_call_signal_handler)
    __cilkprof_call_signal_handler(run_program_handler, number, info, context);
  else
    run_program_handler(number, info, context);
}

/* Keeps HANDLER for signal NUMBER.  Returns false if it is no function, or if there is no such signal.  */
static bool keep_program_handler(int number, full_handler *handler) {
  plain_handler *plain = ((union program_handler){handler}).plain;
  if (number <= 0 || number >= NSIG || plain == SIG_DFL || plain == SIG_IGN || plain == SIG_ERR || plain == SIG_HOLD)
    return false;
  atomic_store(&handlers[number], handler);
  return true;
}

/* Returns the program's handler of signal NUMBER, for which none has been set yet.  */
static full_handler *kept_program_handler(int number) {
  return number > 0 && number < NSIG ? atomic_load(&handlers[number]) : NULL;
}

extern int __real_sigaction(int number, const struct sigaction *action, struct sigaction *before);
extern int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *before);

/* Replaces sigaction in programs that cilkprof links: sets ACTION for signal NUMBER, and stores the one BEFORE.  */
int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *before) {
  full_handler *was = kept_program_handler(number);
  struct sigaction own;
  bool keeps = action && keep_program_handler(number, action->sa_sigaction);
  if (keeps) {
    own = *action;
    own.sa_sigaction = handle_for_program;
  }
  int result = __real_sigaction(number, keeps ? &own : action, before);
  if (result < 0 && keeps)
    atomic_store(&handlers[number], was);
  else if (result >= 0 && before && before->sa_sigaction == handle_for_program)
    before->sa_sigaction = was;
  return result;
}

/* Replaces the function NAME, signal or its form of System V, in programs that cilkprof links: sets HANDLER for signal
   NUMBER, and returns the one before.  */
#define WRAPPER(name)                                                                                                  \
  extern plain_handler *__real_##name(int number, plain_handler *handler);                                             \
  extern plain_handler *__wrap_##name(int number, plain_handler *handler);                                             \
  plain_handler *__wrap_##name(int number, plain_handler *handler) {                                                   \
    full_handler *was = kept_program_handler(number);                                                                  \
    bool keeps = keep_program_handler(number, ((union program_handler){.plain = handler}).full);                       \
    plain_handler *before =                                                                                            \
        __real_##name(number, keeps ? ((union program_handler){handle_for_program}).plain : handler);                  \
    if (before == SIG_ERR && keeps)                                                                                    \
      atomic_store(&handlers[number], was);                                                                            \
    return before == ((union program_handler){handle_for_program}).plain ? ((union program_handler){was}).plain        \
                                                                         : before;                                     \
  }

WRAPPER(signal)
WRAPPER(__sysv_signal)
