# Random programs on the paths of tasks.
# SPDX-License-Identifier: MIT

PATHS_TEST         := $(BUILD)/test/paths/random
PATHS_TEST_OBJECTS := $(patsubst %.c,$(BUILD)/asan/%.o,$(wildcard libcilkprof/paths/*.c) test/paths/random.c)

$(PATHS_TEST): $(PATHS_TEST_OBJECTS) $(FMT_ASAN_OBJECTS)
	$(call short,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(ASAN_FLAGS) -Wl,--wrap=clock_gettime $^ -o $@

OBJECTS       += $(PATHS_TEST_OBJECTS)
TEST_PROGRAMS += $(PATHS_TEST)
