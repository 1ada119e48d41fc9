# Tests: TAP under prove; a folder for every folder that is tested.  The demonstration and the benchmark are here too.
# SPDX-License-Identifier: MIT

TEST_PROGRAMS :=# what the tests run, built before them
-include $(wildcard test/*/rules.mk)

# Those that are there are kept up to date by `make', too: a test that is run by itself would test what was there
# before.
ALL += $(wildcard $(TEST_PROGRAMS))

# Tests find everything through these.
TEST_ENVIRONMENT = TOP=$(CURDIR) BUILD_DIR=$(abspath $(BUILD)) LC_ALL=C CC=$(CC) CXX=$(CXX)

.PHONY: run-check run-demo run-bench test-programs
test-programs: $(TEST_PROGRAMS)

# Some of them: make check TESTS='test/report/flat.t ...'
TESTS = $(sort $(wildcard test/*/*.t))

# What fails is tried once more by itself: beside others on a busy machine, clocks and memory are not a test's own.  What
# then succeeds is named; what fails twice fails.
PROVE_STATE = --statefile=$(BUILD)/test/state --state
run-check: test-programs
	@rm -rf $(BUILD)/test/figures $(BUILD)/test/state && mkdir -p $(BUILD)/test
	$(TEST_ENVIRONMENT) prove -j$(shell nproc) --timer $(PROVE_STATE)=save $(TESTS) || { \
	  echo 'once more, one after the other:'; $(TEST_ENVIRONMENT) prove --timer $(PROVE_STATE)=failed,save; }
	@for kind in faults inputs kills; do \
	  echo "$$kind tried: $$(cat $(BUILD)/test/figures/$$kind.* 2>/dev/null | awk '{ sum += $$1 } END { print sum + 0 }')"; done

# Those of the folders that test/README.md names for the files that have changed since a commit, by `changed'.
.PHONY: check-changed
check-changed: try-setup-check
	@[ -n '$(SINCE)' ] || { echo 'cilkprof: make check-changed SINCE=COMMIT, of git' >&2; exit 1; }
	@tests=$$(test/changed '$(SINCE)') || exit 1; \
	[ -n "$$tests" ] || { echo 'cilkprof: nothing has changed since $(SINCE)'; exit 0; }; \
	$(MAKE) --no-print-directory all && $(MAKE) --no-print-directory run-check TESTS="$$(echo $$tests)"

# Tests that have more variants than `make check' tries, with all of them.  Then ten thousand runs of random programs of
# each language against the oracle, and as many in parallel against their elision, with forced steals: about ten minutes
# each on two processors.
LONG_TESTS = $(sort $(shell grep -l LONG test/*/*.t) $(wildcard test/include/*.t))
.PHONY: check-long
check-long: setup
	@$(MAKE) --no-print-directory all test-programs
	LONG=1 $(TEST_ENVIRONMENT) prove -j$(shell nproc) $(LONG_TESTS)
	$(TEST_ENVIRONMENT) test/oracle/run 0 9999
	LANGUAGE=openmp $(TEST_ENVIRONMENT) test/oracle/run 0 9999
	LANGUAGE=c++ $(TEST_ENVIRONMENT) test/oracle/run 0 9999
	MODE=parallel $(TEST_ENVIRONMENT) test/oracle/run 0 9999
	MODE=parallel LANGUAGE=c++ $(TEST_ENVIRONMENT) test/oracle/run 0 9999
	$(TEST_ENVIRONMENT) test/parallel/run 0 9999
	TASKS=100000000 $(TEST_ENVIRONMENT) prove test/foretell/recording.t

# What it compiles, links and prints with: the rest is for other programs, and runs in parallel.
DEMO_PROGRAMS = $(filter $(ALL),$(LIB)/libcilkprof.a $(LIB)/records.o $(RUNTIMES) $(filter %.a,$(PARALLEL)) $(NEED_PLUGINS) $(LAUNCHERS) $(REPORT))

run-demo:
	@$(TEST_ENVIRONMENT) sh test/demo.sh

# Where there is a browser: what the README shows.
.PHONY: pictures
pictures: all
	@$(TEST_ENVIRONMENT) sh test/pictures.sh

run-bench:
	@$(TEST_ENVIRONMENT) test/bench/run

# What depends on the compiler, with another version of it under the names by which the tests know one: N=14.
COMPILER_TESTS := $(filter-out test/cc/install.t test/builds/setup.t,\
  $(sort $(wildcard $(patsubst %,test/%/*.t,builds cc include libcilkprof openmp oracle parallel programs))))
.PHONY: check-gcc run-check-gcc
check-gcc: setup-check
	@[ -n '$(N)' ] || { echo 'cilkprof: make check-gcc N=VERSION, of gcc: one of $(TESTED_GCC)' >&2; exit 1; }
	@$(call apt,gcc-$(N) g++-$(N) gfortran-$(N) gcc-$(N)-plugin-dev)
	@$(MAKE) --no-print-directory CC=gcc-$(N) CXX=g++-$(N) BUILD=build-$(N) all test-programs
	@$(MAKE) --no-print-directory CC=gcc-$(N) CXX=g++-$(N) BUILD=build-$(N) run-check-gcc
run-check-gcc: TESTS = $(COMPILER_TESTS)
run-check-gcc:
	@mkdir -p $(BUILD)/compiler
	@for name in cc gcc; do ln -sf "$$(command -v $(CC))" $(BUILD)/compiler/$$name; done
	@for name in c++ g++; do ln -sf "$$(command -v $(CXX))" $(BUILD)/compiler/$$name; done
	@ln -sf "$$(command -v gfortran-$(N))" $(BUILD)/compiler/gfortran
	PATH=$(abspath $(BUILD))/compiler:$$PATH $(TEST_ENVIRONMENT) prove -j$(shell nproc) $(TESTS)

# On a bare Debian of another release: the demonstration, and what depends on the compiler or on the system.
SUITE_TESTS := $(sort $(COMPILER_TESTS) $(wildcard $(patsubst %,test/%/*.t,analysis completions faults launcher man report samples)))
.PHONY: check-suite
check-suite:
	test/suites/run $(SUITE) 'make demo' 'make -j$(shell nproc) check TESTS="$(SUITE_TESTS)"'
