# Tests: TAP under prove; a folder for every folder that is tested.  The demonstration and the benchmark are here too.
# SPDX-License-Identifier: MIT

TEST_PROGRAMS :=# what the tests run, built before them
-include $(wildcard test/*/rules.mk)

# Tests find everything through these.
TEST_ENVIRONMENT = TOP=$(CURDIR) BUILD_DIR=$(abspath $(BUILD)) LC_ALL=C CC=$(CC) CXX=$(CXX)

.PHONY: run-check run-demo run-bench test-programs
test-programs: $(TEST_PROGRAMS)

# Some of them: make check TESTS='test/report/flat.t ...'
TESTS = $(sort $(wildcard test/*/*.t))

run-check: test-programs
	@rm -rf $(BUILD)/test/figures
	$(TEST_ENVIRONMENT) prove -j$(shell nproc) $(TESTS)
	@for kind in faults inputs kills; do \
	  echo "$$kind tried: $$(cat $(BUILD)/test/figures/$$kind.* 2>/dev/null | awk '{ sum += $$1 } END { print sum + 0 }')"; done

# Ten thousand runs of random programs against the oracle, and as many in parallel against their elision, with forced
# steals: about ten minutes each on two processors.
.PHONY: check-long
check-long: setup
	@$(MAKE) --no-print-directory all test-programs
	$(TEST_ENVIRONMENT) test/oracle/run 0 9999
	LANGUAGE=openmp $(TEST_ENVIRONMENT) test/oracle/run 0 9999
	$(TEST_ENVIRONMENT) test/parallel/run 0 9999
	TASKS=100000000 $(TEST_ENVIRONMENT) prove test/foretell/recording.t

run-demo:
	@$(TEST_ENVIRONMENT) sh test/demo.sh

# Where there is a browser: what the README shows.
.PHONY: pictures
pictures: all
	@$(TEST_ENVIRONMENT) sh test/pictures.sh

run-bench:
	@$(TEST_ENVIRONMENT) test/bench/run

# The same with gcc 11, under the names by which the tests know a compiler: plugins, headers, engine and oracle.
.PHONY: check-gcc11 run-check-gcc11
check-gcc11: setup
	@$(call apt,gcc-11 g++-11 gcc-11-plugin-dev)
	@$(MAKE) --no-print-directory CC=gcc-11 CXX=g++-11 BUILD=build-11 all test-programs run-check-gcc11
run-check-gcc11:
	mkdir -p $(BUILD)/compiler
	for name in cc gcc; do ln -sf "$$(command -v $(CC))" $(BUILD)/compiler/$$name; done
	for name in c++ g++; do ln -sf "$$(command -v $(CXX))" $(BUILD)/compiler/$$name; done
	PATH=$(abspath $(BUILD))/compiler:$$PATH $(TEST_ENVIRONMENT) prove -j$(shell nproc) \
	  $(filter-out test/cc/checking.t test/cc/install.t,$(sort $(wildcard $(patsubst %,test/%/*.t,cc include libcilkprof oracle parallel))))
