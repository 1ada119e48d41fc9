# Other looks at the same code: valgrind, coverage, static analysis.  None is part of `make check'.
# SPDX-License-Identifier: MIT

ANALYSIS_PACKAGES := clang-tidy cppcheck
ANALYSIS := $(BUILD)/analysis
ENGINE_SOURCES := $(filter-out %/mode_whatif.c,$(wildcard $(patsubst %,libcilkprof/%/*.c,common engine engine/*)))

.PHONY: check-valgrind coverage analyze
# The report and an instrumented program under valgrind.
check-valgrind: setup
	@$(MAKE) --no-print-directory all test-programs
	$(TEST_ENVIRONMENT) sh test/analysis/valgrind

# All of it once more, counted by gcov while the tests of the format, of the engine and of the report run.  What counts is
# part of libcilkprof.a, so that programs need nothing more to be linked; but records.o is linked without it.
COVERAGE    := $(BUILD)-coverage
COVERAGE_CC := gcc -fprofile-arcs -ftest-coverage -fprofile-update=atomic -include $(CURDIR)/test/analysis/counted-exit.h
coverage: setup-check
	@$(MAKE) --no-print-directory BUILD=$(COVERAGE) CC='$(COVERAGE_CC)' ASAN_FLAGS=-fsanitize=address \
	  RECORDS_FLAGS='-fno-profile-arcs -fno-test-coverage' all \
	  $(patsubst $(BUILD)/%,$(COVERAGE)/%,$(ASAN_REPORT) $(FMT_TESTS) $(MAKE_PROFILE) $(NUMBERS) $(SHOW_RECORDS) $(WHATIFS) $(FAULT_LIBRARIES) \
	    $(FAULTY_TIMER)/libcilkprof.a $(FAULTY_TIMER)/timer.o)
	@TOP=$(CURDIR) BUILD_DIR=$(abspath $(COVERAGE)) LC_ALL=C CC=$(CC) CXX=$(CXX) sh test/analysis/coverage

analyze: setup $(VERSION_HEADER)
	@$(call apt,$(ANALYSIS_PACKAGES))
	@$(TEST_ENVIRONMENT) sh test/analysis/analyze "$(FMT_SOURCES)" "$(ENGINE_SOURCES)" "$(REPORT_SOURCES)"
