# Tests of the report: a maker of programs and profiles, and the report under AddressSanitizer and UBSan.
# SPDX-License-Identifier: GPL-3.0-or-later

MAKE_PROFILE        := $(BUILD)/test/report/make-profile
MAKE_PROFILE_OBJECT := $(BUILD)/test/report/make-profile.o

$(MAKE_PROFILE): $(MAKE_PROFILE_OBJECT) $(FMT_WRITER_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ -lelf
$(MAKE_PROFILE_OBJECT): OBJECT_FLAGS = -D_GNU_SOURCE

ASAN_FLAGS          := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
ASAN_REPORT         := $(BUILD)/asan/bin/cilkprof-report
ASAN_REPORT_OBJECTS := $(patsubst $(BUILD)/%,$(BUILD)/asan/%,$(REPORT_OBJECTS) $(FMT_OBJECTS))

$(BUILD)/asan/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) -O1 -g $(C_WARNINGS) -MMD -MP -I. $(ASAN_FLAGS) $(REPORT_FLAGS) -c $< -o $@
$(ASAN_REPORT): $(ASAN_REPORT_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(ASAN_FLAGS) $^ -o $@ $(REPORT_LIBS)

OBJECTS       += $(MAKE_PROFILE_OBJECT) $(ASAN_REPORT_OBJECTS)
TEST_PROGRAMS += $(MAKE_PROFILE) $(ASAN_REPORT)
