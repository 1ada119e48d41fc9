# Other looks at the same code: valgrind, coverage, static analysis.  None is part of `make check'.
# SPDX-License-Identifier: MIT

ANALYSIS_PACKAGES := clang-tidy cppcheck
ANALYSIS := $(BUILD)/analysis
ENGINE_SOURCES := $(filter-out libcilkprof/mode_whatif.c,$(wildcard libcilkprof/*.c))

.PHONY: check-valgrind coverage analyze
# The report and instrumented programs under valgrind; the tests of the report run it in the place of the sanitizers' build.
check-valgrind: setup
	@$(MAKE) --no-print-directory all test-programs
	$(TEST_ENVIRONMENT) sh test/analysis/valgrind

# The sanitizers' build once more, counted by gcov while the tests of the format and of the report run.
COVERAGE := $(BUILD)-coverage
coverage: setup
	@$(MAKE) --no-print-directory all
	@$(MAKE) --no-print-directory BUILD=$(COVERAGE) ASAN_FLAGS='-fsanitize=address --coverage' $(COVERAGE)/asan/bin/cilkprof-report \
	  $(FMT_TESTS:$(BUILD)/%=$(COVERAGE)/%) $(COVERAGE)/test/report/make-profile $(COVERAGE)/test/report/numbers
	@mkdir -p $(COVERAGE)/lib && ln -sfn $(abspath $(LIB)) $(COVERAGE)/lib/cilkprof
	@mkdir -p $(COVERAGE)/bin && ln -sfn ../asan/bin/cilkprof-report $(COVERAGE)/bin/cilkprof-report
	@TOP=$(CURDIR) BUILD_DIR=$(abspath $(COVERAGE)) LC_ALL=C CC=$(CC) CXX=$(CXX) sh test/analysis/coverage

analyze: setup
	@$(call apt,$(ANALYSIS_PACKAGES))
	@$(TEST_ENVIRONMENT) sh test/analysis/analyze "$(FMT_SOURCES)" "$(ENGINE_SOURCES)" "$(REPORT_SOURCES)"
