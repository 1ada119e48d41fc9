# The same for x86-64, by Debian's cross compiler and qemu: tests that know how to run a program by $RUN.
# SPDX-License-Identifier: GPL-3.0-or-later

X86_64_PACKAGES := gcc-12 g++-12 gcc-12-x86-64-linux-gnu g++-12-x86-64-linux-gnu gcc-12-plugin-dev-x86-64-linux-gnu libc6-dev-amd64-cross qemu-user
X86_64_TESTS := $(addprefix test/,x86-64/samples x86-64/instructions x86-64/random oracle/exceptions.t oracle/programs.t \
  oracle/closed-forms.t cc/forms.t cc/cplusplus.t include/reducers.t include/c-reducers.t)

.PHONY: check-x86-64 run-check-x86-64
check-x86-64: setup
	@if [ "$$(uname -m)" = x86_64 ]; then echo 'check-x86-64: this is one; make check'; else \
	  $(call apt,$(X86_64_PACKAGES)); \
	  $(MAKE) --no-print-directory all test-programs && $(MAKE) --no-print-directory BUILD=build-x86-64 NATIVE=$(abspath $(BUILD)) \
	    CC=x86_64-linux-gnu-gcc-12 AR=x86_64-linux-gnu-ar PLUGIN_CXX= run-check-x86-64; fi

# Only what is linked with a program is built for x86-64; the rest is this machine's, under the same names.
run-check-x86-64: $(filter %.a %.o,$(LIBCILKPROF)) $(TRACER) $(LIBRARY) $(STRESS) $(STRESS_WHATIF)
	@test/x86-64/build "$(NATIVE)" "$(abspath $(BUILD))" "$(FRONT_PARTS)" "$(BACK_PARTS)"
	NATIVE_DIR=$(NATIVE) PATH=$(abspath $(BUILD))/compiler:$$PATH RUN='qemu-x86_64 -L /usr/x86_64-linux-gnu' $(TEST_ENVIRONMENT) \
	  prove -j$(shell nproc) $(X86_64_TESTS)
