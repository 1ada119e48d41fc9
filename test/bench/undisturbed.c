/* Compiled with a program whose instructions are counted: no strand is taken for one that was interrupted.  How long
   one takes depends on what counts.
   SPDX-License-Identifier: MIT  */

/* Runs before main, and raises the lengths above which a strand may count as interrupted beyond any strand's
   length.  */
__attribute__((constructor)) static void undisturbed(void) {
  __cilkprof_self.short_strand = __cilkprof_self.long_strand = (__cilkprof_u64)-1;
}
