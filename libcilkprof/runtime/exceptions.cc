/* C++ exceptions in children, loop bodies and blocks.  Programs in C do not link this file.
   SPDX-License-Identifier: MIT  */

#include <cxxabi.h>
#include <exception>
#include <new>
#include <unwind.h>

#include "libcilkprof/abi/parallel.h"
#include "libcilkprof/runtime/exceptions.h"

namespace {

/* An exception_ptr is a pointer, and is stored as one in C.  */
static_assert(sizeof(std::exception_ptr) == sizeof(void *), "an exception is kept in a pointer");

/* Returns the exception that KEPT, the representation of a std::exception_ptr, refers to, and drops that reference:
   KEPT must not be used again.  */
std::exception_ptr take_kept_exception(void *kept) {
  std::exception_ptr *exception = reinterpret_cast<std::exception_ptr *>(&kept);
  std::exception_ptr taken(*exception);
  exception->~exception_ptr();
  return taken;
}

/* Throws the exception KEPT again, at the join, and no longer keeps it.  */
void rethrow_taken_exception(void *kept) {
  std::rethrow_exception(take_kept_exception(kept));
}

/* Drops a kept exception that is not to be thrown, because an earlier one in serial order takes precedence.  */
void drop_kept_exception(void *kept) {
  take_kept_exception(kept);
}

/* Returns true if THROWN is an exception of C++ rather than a foreign one.  The exception class is "GNUCC++" and a byte
   that tells primary from dependent exceptions.  */
bool is_cplusplus_exception(void *thrown) {
  return static_cast<_Unwind_Exception *>(thrown)->exception_class >> 8 == 0x474e5543432b2b;
}

/* Ends the handling of the exception THROWN, which a kept one replaces.  Returns false if it is a foreign exception,
   for which that is not possible.  */
bool end_exception_handling(void *thrown) {
  if (!is_cplusplus_exception(thrown))
    return false;
  abi::__cxa_begin_catch(thrown);
  abi::__cxa_end_catch();
  return true;
}

const kept_functions functions = {rethrow_taken_exception, drop_kept_exception, end_exception_handling};

} // namespace

/* Does nothing.  The start-up code of programs and libraries refers to it, so that this file is linked, or the linker's
   message says what to do.  */
extern "C" __attribute__((visibility("default"))) void __cilkprof_r_is_missing_link_with_gxx_fcilkplus(void) {}

/* Keeps the exception THROWN, which a child, loop body or block did not catch, for the join.  A foreign exception, such
   as the forced unwinding of a cancelled thread, is not kept: it goes on, and this function does not return.  */
extern "C" __attribute__((visibility("default"))) void __cilkprof_r_caught(void *thrown) {
  if (!is_cplusplus_exception(thrown)) {
    _Unwind_Resume_or_Rethrow(static_cast<_Unwind_Exception *>(thrown));
    std::terminate();
  }
  kept exception = {&functions, 0};
  abi::__cxa_begin_catch(thrown);
  new (&exception.exception) std::exception_ptr(std::current_exception());
  abi::__cxa_end_catch();
  __cilkprof_r_keep(exception);
}
