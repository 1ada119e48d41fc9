/* Fibers: stacks of their own, between which one thread switches.
   SPDX-License-Identifier: MIT

   A switch saves what a function must preserve for its caller: to the compiler it is a call.  */

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/teams/teams.h"

#if defined __aarch64__
/* __cilkprof_fiber_jump saves what a function preserves on the stack, and loads it from the other one: x19 to x30, d8
   to d15, and the control register of floating point numbers.  In a new fiber it returns to cilkprof_fiber_begin, which
   calls the function in x20 with the argument in x19; that never returns.  SAVED_... are words of what is saved.  */
enum { SAVED_WORDS = 22, SAVED_ARGUMENT = 0, SAVED_FUNCTION = 1, SAVED_ADDRESS = 11, SAVED_FLOAT = 20 };
__asm__(".text\n"
        ".p2align 4\n"
        ".hidden __cilkprof_fiber_jump\n"
        ".globl __cilkprof_fiber_jump\n"
        ".type __cilkprof_fiber_jump, %function\n"
        "__cilkprof_fiber_jump:\n"
        "  .cfi_startproc\n"
        "  hint #34\n"
        "  sub sp, sp, #176\n"
        "  stp x19, x20, [sp]\n"
        "  stp x21, x22, [sp, #16]\n"
        "  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n"
        "  stp x27, x28, [sp, #64]\n"
        "  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n"
        "  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n"
        "  stp d14, d15, [sp, #144]\n"
        "  mrs x9, fpcr\n"
        "  str x9, [sp, #160]\n"
        "  mov x9, sp\n"
        "  str x9, [x0]\n"
        "  mov sp, x1\n"
        "  ldp x19, x20, [sp]\n"
        "  ldp x21, x22, [sp, #16]\n"
        "  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n"
        "  ldp x27, x28, [sp, #64]\n"
        "  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n"
        "  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n"
        "  ldp d14, d15, [sp, #144]\n"
        "  ldr x9, [sp, #160]\n"
        "  msr fpcr, x9\n"
        "  add sp, sp, #176\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size __cilkprof_fiber_jump, .-__cilkprof_fiber_jump\n"
        ".type cilkprof_fiber_begin, %function\n"
        "cilkprof_fiber_begin:\n"
        "  .cfi_startproc\n"
        "  .cfi_undefined x30\n"
        "  mov x0, x19\n"
        "  blr x20\n"
        "  brk #1\n"
        "  .cfi_endproc\n"
        ".size cilkprof_fiber_begin, .-cilkprof_fiber_begin\n");
/* Returns how this thread computes with floating point numbers, in the form in which it is saved.  */
static uint64_t fiber_float_control(void) {
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}
#elif defined __x86_64__
/* __cilkprof_fiber_jump saves what a function preserves on the stack, and loads it from the other one: rbx, rbp, r12 to
   r15, and the control words of floating point numbers.  In a new fiber it returns to cilkprof_fiber_begin, which calls
   the function in rbp with the argument in rbx; that never returns.  SAVED_... are words of what is saved.  */
enum { SAVED_WORDS = 8, SAVED_FLOAT = 0, SAVED_ARGUMENT = 5, SAVED_FUNCTION = 6, SAVED_ADDRESS = 7 };
__asm__(".text\n"
        ".p2align 4\n"
        ".hidden __cilkprof_fiber_jump\n"
        ".globl __cilkprof_fiber_jump\n"
        ".type __cilkprof_fiber_jump, @function\n"
        "__cilkprof_fiber_jump:\n"
        "  .cfi_startproc\n"
        "  endbr64\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  subq $8, %rsp\n"
        "  stmxcsr (%rsp)\n"
        "  fnstcw 4(%rsp)\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  ldmxcsr (%rsp)\n"
        "  fldcw 4(%rsp)\n"
        "  addq $8, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size __cilkprof_fiber_jump, .-__cilkprof_fiber_jump\n"
        ".type cilkprof_fiber_begin, @function\n"
        "cilkprof_fiber_begin:\n"
        "  .cfi_startproc\n"
        "  .cfi_undefined rip\n"
        "  movq %rbx, %rdi\n"
        "  call *%rbp\n"
        "  ud2\n"
        "  .cfi_endproc\n"
        ".size cilkprof_fiber_begin, .-cilkprof_fiber_begin\n");
/* Returns how this thread computes with floating point numbers, in the form in which it is saved.  */
static uint64_t fiber_float_control(void) {
  uint32_t vectors;
  uint16_t scalars;
  __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(vectors), "=m"(scalars));
  return vectors | (uint64_t)scalars << 32;
}
#else
#error "no switch between fibers for this processor"
#endif

extern HIDDEN char cilkprof_fiber_begin[];

__thread struct team_fiber *__cilkprof_fiber;

/* Returns how many bytes the stack of a fiber has: as many as that of the program's first thread may have, within
   bounds.  Memory is only taken by what is used of it.  */
static size_t fiber_stack_bytes(void) {
  enum { LEAST = 1 << 20, MOST = 1 << 28, USUAL = 8 << 20 };
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
    return USUAL;
  return limit.rlim_cur < LEAST ? LEAST : limit.rlim_cur > MOST ? MOST : limit.rlim_cur;
}

/* Gives FIBER a stack, with a page below it that cannot be used, unless it has one already.  Returns its upper end, or
   NULL if there is no memory.  */
static char *fiber_stack_end(struct team_fiber *fiber) {
  static size_t bytes; /* kept, as the limit may change while the program runs */
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (!bytes)
    bytes = (fiber_stack_bytes() + page - 1) / page * page;
  if (!fiber->stack) {
    void *memory = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
      return NULL;
    mprotect(memory, page, PROT_NONE);
    fiber->stack = memory;
  }
  return (char *)fiber->stack + page + bytes;
}

int __cilkprof_fiber_prepare(struct team_fiber *fiber, void (*runs)(struct team_fiber *fiber)) {
  char *end = fiber_stack_end(fiber);
  if (!end)
    return -1;
  uint64_t *words = (uint64_t *)(end - 64) - SAVED_WORDS;
  memset(words, 0, SAVED_WORDS * sizeof *words);
  words[SAVED_FLOAT] = fiber_float_control();
  words[SAVED_ARGUMENT] = (uint64_t)fiber;
  words[SAVED_FUNCTION] = (uint64_t)runs;
  words[SAVED_ADDRESS] = (uint64_t)cilkprof_fiber_begin;
  fiber->stack_mark = words;
  return 0;
}

void __cilkprof_fiber_goes_on(void **from, struct team_fiber *to) {
  struct team *team = to->team;
  if (!team->bare)
    __cilkprof_image_load(&to->image, &team->base);
  __cilkprof_fiber_takes_variables(to);
  team->running = __cilkprof_fiber = to;
  __cilkprof_fiber_switches++;
  __cilkprof_fiber_jump(from, to->stack_mark);
}

void __cilkprof_fiber_switch(struct team_fiber *fiber, struct team_fiber *to) {
  if (to == fiber)
    return;
  struct team_fiber *innermost = __cilkprof_fiber; /* of a team inside of FIBER, if that waits for others */
  if (!fiber->team->bare)
    __cilkprof_image_save(&fiber->image, &fiber->team->base);
  __cilkprof_fiber_leaves_variables(fiber);
  __cilkprof_fiber_goes_on(&fiber->stack_mark, to);
  __cilkprof_fiber = innermost;
}
