# The benchmark: a maker of a large program and its profile, for the report.
# SPDX-License-Identifier: GPL-3.0-or-later

LARGE        := $(BUILD)/large/large
LARGE_OBJECT := $(BUILD)/test/bench/large.o

$(LARGE_OBJECT): OBJECT_FLAGS = -D_GNU_SOURCE
$(LARGE): $(LARGE_OBJECT) $(FMT_WRITER_OBJECTS)
	$(call short,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ -lelf
OBJECTS += $(LARGE_OBJECT)

.PHONY: bench-report
bench-report: setup
	@$(MAKE) --no-print-directory all $(LARGE) >&2
	@test/bench/large $(BUILD)

.PHONY: bench-parallel
bench-parallel: setup
	@$(MAKE) --no-print-directory all >&2
	@$(TEST_ENVIRONMENT) test/bench/parallel
	@$(TEST_ENVIRONMENT) test/bench/shapes

.PHONY: bench-parallel-profile
bench-parallel-profile: setup
	@$(MAKE) --no-print-directory all >&2
	@$(TEST_ENVIRONMENT) test/bench/parallel-profile
	@$(TEST_ENVIRONMENT) test/bench/parallel-memory

# Parallel algorithms of standard C++ beside libstdc++'s own backend, for which libtbb-dev is needed.
.PHONY: bench-std
bench-std: try-setup-check
	@$(MAKE) --no-print-directory all >&2
	@$(TEST_ENVIRONMENT) test/bench/std

# How right emulated speedups are.
.PHONY: bench-emulate
bench-emulate: try-setup
	@$(MAKE) --no-print-directory all >&2
	@$(TEST_ENVIRONMENT) test/bench/emulate

# The same of eight programs with parallel twins.
.PHONY: bench-foretell
bench-foretell: try-setup
	@$(MAKE) --no-print-directory all >&2
	@$(TEST_ENVIRONMENT) test/bench/foretell

.PHONY: bench-inflation
bench-inflation: setup
	@$(MAKE) --no-print-directory all >&2
	@$(TEST_ENVIRONMENT) test/bench/inflation

.PHONY: bench-samples
bench-samples: setup
	@$(MAKE) --no-print-directory all >&2
	@$(TEST_ENVIRONMENT) test/bench/samples
