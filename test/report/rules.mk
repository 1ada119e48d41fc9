# Tests of the report: a maker of programs and profiles, and the report with AddressSanitizer and UBSan.
# SPDX-License-Identifier: GPL-3.0-or-later

MAKE_PROFILE         := $(BUILD)/test/report/make-profile
MAKE_PROFILE_OBJECTS := $(addprefix $(BUILD)/test/report/,make-profile.o profile-text.o)
BUILT_OBJECT         := $(BUILD)/test/report/built.o
ASAN_REPORT          := $(BUILD)/asan/bin/cilkprof-report
ASAN_REPORT_OBJECTS  := $(REPORT_OBJECTS:$(BUILD)/%=$(BUILD)/asan/%)

$(MAKE_PROFILE_OBJECTS) $(BUILT_OBJECT): OBJECT_FLAGS = -D_GNU_SOURCE
$(MAKE_PROFILE): $(MAKE_PROFILE_OBJECTS) $(BUILT_OBJECT) $(FMT_WRITER_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ -lelf

MAKE_SAMPLES        := $(BUILD)/test/report/make-samples
MAKE_SAMPLES_OBJECT := $(BUILD)/test/report/make-samples.o
$(MAKE_SAMPLES_OBJECT): OBJECT_FLAGS = -D_GNU_SOURCE
$(MAKE_SAMPLES): $(MAKE_SAMPLES_OBJECT) $(BUILT_OBJECT) $(FMT_WRITER_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ -lelf

$(ASAN_REPORT_OBJECTS): OBJECT_FLAGS = $(REPORT_FLAGS)
$(ASAN_REPORT): $(ASAN_REPORT_OBJECTS) $(FMT_OBJECTS:$(BUILD)/%=$(BUILD)/asan/%)
	$(call short,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(ASAN_FLAGS) $^ -o $@ $(REPORT_LIBS)

NUMBERS        := $(BUILD)/test/report/numbers
NUMBERS_OBJECT := $(BUILD)/asan/test/report/numbers.o
$(NUMBERS_OBJECT): OBJECT_FLAGS = -D_GNU_SOURCE
$(NUMBERS): $(NUMBERS_OBJECT) $(BUILD)/asan/cilkprof-report/support/numbers.o
	$(call short,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(ASAN_FLAGS) $^ -o $@

OBJECTS       += $(MAKE_PROFILE_OBJECTS) $(BUILT_OBJECT) $(MAKE_SAMPLES_OBJECT) $(ASAN_REPORT_OBJECTS) $(NUMBERS_OBJECT)
TEST_PROGRAMS += $(MAKE_PROFILE) $(MAKE_SAMPLES) $(ASAN_REPORT) $(NUMBERS)
