/* Events of charged calls, which are the caller's own work.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_ABI_CHARGED_H
#define CILKPROF_ABI_CHARGED_H

#pragma GCC system_header

/* Begins a charged call, which is part of the function's own work: the callee is assumed to run no code of the program.
   If it does, that code finds this mark and removes it.  The access is volatile, because the compiler would otherwise
   assume that a callee which is declared pure cannot change the mark.  */
__CILKPROF_EVENT void __cilkprof_h_charged_call(struct __cilkprof_frame *frame, __cilkprof_u64 local_work) {
  frame->local_work = local_work;
  frame->begin = 0; /* if the strand is timed, the function itself knows by what */
  *(struct __cilkprof_entry *volatile *)&__cilkprof_self.top =
      (struct __cilkprof_entry *)((__cilkprof_u64)frame->top | __CILKPROF_TOP_MARKS);
}

/* Ends a charged call.  Returns the local work, with the callee's in clock mode if it ran code of the program.  */
__CILKPROF_EVENT __cilkprof_u64 __cilkprof_h_charged_returned(struct __cilkprof_frame *frame,
                                                              __cilkprof_u64 local_work) {
  if (__CILKPROF_RARE(
          !((__cilkprof_u64) * (struct __cilkprof_entry *volatile *)&__cilkprof_self.top & __CILKPROF_TOP_CHARGED))) {
    struct __cilkprof_entry *top = __cilkprof_charged_returned();
    __cilkprof_p_returned(frame, top, __cilkprof_self.work);
    local_work += __cilkprof_self.local_work;
  } else
    *(struct __cilkprof_entry *volatile *)&__cilkprof_self.top =
        (struct __cilkprof_entry *)((__cilkprof_u64)frame->top | __CILKPROF_TOP_OUTSIDE);
  return local_work;
}

#endif
