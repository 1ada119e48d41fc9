# Tests: TAP under prove; a folder for every folder that is tested.  The demonstration and the benchmark are here too.
# SPDX-License-Identifier: MIT

TEST_PROGRAMS :=# what the tests run, built before them
-include $(wildcard test/*/rules.mk)

# Tests find everything through these.
TEST_ENVIRONMENT = TOP=$(CURDIR) BUILD_DIR=$(abspath $(BUILD)) LC_ALL=C CC=$(CC) CXX=$(CXX)

.PHONY: run-check run-demo run-bench test-programs
test-programs: $(TEST_PROGRAMS)

run-check: test-programs
	@rm -rf $(BUILD)/test/figures
	$(TEST_ENVIRONMENT) prove -j$(shell nproc) $(sort $(wildcard test/*/*.t))
	@for kind in faults inputs kills; do \
	  echo "$$kind tried: $$(cat $(BUILD)/test/figures/$$kind.* 2>/dev/null | awk '{ sum += $$1 } END { print sum + 0 }')"; done

# Ten thousand random programs against the oracle: about ten minutes on two processors.
.PHONY: check-long
check-long: setup
	@$(MAKE) --no-print-directory all test-programs
	$(TEST_ENVIRONMENT) test/oracle/run 0 9999

run-demo:
	@$(TEST_ENVIRONMENT) sh test/demo.sh

run-bench:
	@$(TEST_ENVIRONMENT) test/bench/run
