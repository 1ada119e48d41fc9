# Tests of the format, and how anything is built with AddressSanitizer and UBSan.
# SPDX-License-Identifier: MIT

ASAN_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
# Of what is compiled once more, for tests alone: as fast as can be, with the lines that sanitizers name.
COPY_FLAGS := -O1 -g1

$(BUILD)/asan/%.o: %.c
	$(call short,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(COPY_FLAGS) $(C_WARNINGS) -MD -MP -I. $(ASAN_FLAGS) $(OBJECT_FLAGS) -c $< -o $@

FMT_ASAN_OBJECTS := $(FMT_OBJECTS:$(BUILD)/%=$(BUILD)/asan/%)
FMT_TESTS        := $(addprefix $(BUILD)/test/fmt/,format damage wrong-records loops estimates recover live-samples)
FMT_TEST_OBJECTS := $(FMT_TESTS:$(BUILD)/%=$(BUILD)/asan/%.o)

$(FMT_TESTS): $(BUILD)/%: $(BUILD)/asan/%.o $(FMT_ASAN_OBJECTS)
	$(call short,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(ASAN_FLAGS) $^ -o $@

OBJECTS       += $(FMT_ASAN_OBJECTS) $(FMT_TEST_OBJECTS)
TEST_PROGRAMS += $(FMT_TESTS)
