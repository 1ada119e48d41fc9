/* Events of functions that may run as signal handlers: those whose addresses are taken.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_ABI_SIGNALS_H
#define CILKPROF_ABI_SIGNALS_H

#pragma GCC system_header

/* The instructions to which the system lets a signal handler return.  */
#if defined(__aarch64__)
#define __CILKPROF_SIGRETURN 0xd4000001d2801168ull
#elif defined(__x86_64__)
#define __CILKPROF_SIGRETURN 0x0f0000000fc0c748ull
#endif

typedef __cilkprof_u64 __attribute__((may_alias, aligned(1))) __cilkprof_code;

/* Event at the beginning of a function whose address is taken.  It runs as a signal handler if it returns to the
   instructions above.  It may have interrupted any event, so the state is set aside until it leaves.  */
__CILKPROF_EVENT void __cilkprof_h_handler_enter(void) {
  if (__CILKPROF_RARE(*(const __cilkprof_code *)__builtin_extract_return_addr(__builtin_return_address(0)) ==
                      __CILKPROF_SIGRETURN))
    __cilkprof_signal_entered((__cilkprof_u64)__builtin_dwarf_cfa());
}

/* Event before the return of a function whose address is taken.  If it was running as a signal handler, the state of
   the code that it interrupted is restored.  */
__CILKPROF_EVENT void __cilkprof_h_handler_leave(void) {
  if (__CILKPROF_RARE(__cilkprof_self.signals))
    __cilkprof_signal_left((__cilkprof_u64)__builtin_dwarf_cfa());
}

#endif
