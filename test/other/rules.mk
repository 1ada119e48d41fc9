# The same for the other processor, by Debian's cross compiler and qemu: x86-64 on aarch64, aarch64 on x86-64.  Tests that
# know how to run a program by $RUN.
# SPDX-License-Identifier: GPL-3.0-or-later

OTHER          := $(if $(filter x86_64,$(shell uname -m)),aarch64,x86_64)
OTHER_DEBIAN   := $(if $(filter x86_64,$(OTHER)),amd64,arm64)
OTHER_TRIPLET  := $(OTHER)-linux-gnu
OTHER_BUILD    := build-$(OTHER)
OTHER_GCC      := 12# for which there are cross compilers
OTHER_PACKAGES := $(foreach kind,gcc-$(OTHER_GCC) g++-$(OTHER_GCC) gfortran-$(OTHER_GCC),$(kind) $(kind)-$(subst _,-,$(OTHER_TRIPLET))) \
  gcc-$(OTHER_GCC)-plugin-dev-$(subst _,-,$(OTHER_TRIPLET)) libc6-dev-$(OTHER_DEBIAN)-cross qemu-user
OTHER_RUN      := qemu-$(OTHER) -L /usr/$(OTHER_TRIPLET)
OTHER_TESTS    := $(addprefix test/,other/samples other/random bench/instructions.t oracle/exceptions.t oracle/programs.t \
  oracle/closed-forms.t cc/forms.t cc/builds.t cc/errors.t cc/cplusplus.t cc/fortran.t cc/fortran-builds.t include/algorithms.t \
  include/reducers.t include/c-reducers.t parallel/language.t programs/counts.t \
  libcilkprof/contexts.t libcilkprof/foreign.t libcilkprof/forms.t libcilkprof/jumps.t libcilkprof/leaves.t libcilkprof/order.t \
  libcilkprof/serial-loops.t libcilkprof/timer.t)

# How a test runs there.
OTHER_ENVIRONMENT = NATIVE_DIR=$(NATIVE) PATH=$(abspath $(BUILD))/compiler:$$PATH RUN='$(OTHER_RUN)' PROCESSOR=$(OTHER) $(TEST_ENVIRONMENT)

.PHONY: check-other run-check-other instructions run-instructions-other other
check-other: setup
	@$(call apt,$(OTHER_PACKAGES))
	@$(MAKE) --no-print-directory all test-programs
	@$(MAKE) --no-print-directory $(FOR_OTHER) run-check-other

# Only what is linked with a program is built for the other processor; the rest is this machine's, under the same names.
FOR_OTHER := BUILD=$(OTHER_BUILD) NATIVE=$(abspath $(BUILD)) CC=$(OTHER_TRIPLET)-gcc-$(OTHER_GCC) CXX=$(OTHER_TRIPLET)-g++-$(OTHER_GCC) AR=$(OTHER_TRIPLET)-ar PLUGIN_CXX=
other: $(filter %.a %.o $(LIB)/libcilkprof%.so,$(LIBCILKPROF)) $(TRACER) $(LIBRARY) $(STRESS) $(STRESS_WHATIF) \
  $(FAULTY_TIMER)/libcilkprof.a $(FAULTY_TIMER)/timer.o
	@test/other/build $(OTHER_TRIPLET) $(OTHER_GCC) "$(NATIVE)" "$(abspath $(BUILD))" "$(FRONT_PARTS)" "$(BACK_PARTS)"
run-check-other: other
	$(OTHER_ENVIRONMENT) prove -j$(shell nproc) $(OTHER_TESTS)

# The lines of test/bench/instructions.txt, for both processors.
instructions: setup
	@$(call apt,$(OTHER_PACKAGES))
	@$(MAKE) --no-print-directory all test-programs >&2
	@$(TEST_ENVIRONMENT) test/bench/instruction-lines
	@$(MAKE) --no-print-directory $(FOR_OTHER) run-instructions-other
run-instructions-other:
	@$(MAKE) --no-print-directory other >&2
	@$(OTHER_ENVIRONMENT) test/bench/instruction-lines
