# Tests of the emulators: independent simulators of the same rules.
# SPDX-License-Identifier: GPL-3.0-or-later

EMULATION_TEST    := $(BUILD)/test/emulation/emulation
EMULATION_OBJECTS := $(patsubst %.c,$(BUILD)/asan/%.o,$(wildcard test/emulation/*.c))
$(EMULATION_OBJECTS): OBJECT_FLAGS = -D_GNU_SOURCE
$(EMULATION_TEST): $(EMULATION_OBJECTS) $(patsubst %.c,$(BUILD)/asan/%.o,$(wildcard cilkprof-report/emulation/*.c cilkprof-report/support/*.c))
	$(call short,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(ASAN_FLAGS) $^ -o $@ $(BFD) -lm

OBJECTS       += $(EMULATION_OBJECTS)
TEST_PROGRAMS += $(EMULATION_TEST)
