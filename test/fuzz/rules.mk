# Fuzzing.  `make check' replays what was found with gcc; `make fuzz' looks for more, with clang's libFuzzer and AFL++.
# SPDX-License-Identifier: MIT

FUZZ           := $(BUILD)/test/fuzz
FUZZ_S         := 60# seconds, for all fuzzers together
FUZZ_PACKAGES  := clang afl++ llvm
FUZZ_TARGETS   := reader report program
FUZZ_WRAP      := -Wl,--wrap=exit,--wrap=atexit
FUZZ_ASAN      := $(BUILD)/asan/test/fuzz
FUZZ_OBJECTS   := $(addprefix $(FUZZ_ASAN)/,reader.o report.o program.o limits.o repair.o replay.o)
REPLAYS        := $(FUZZ_TARGETS:%=$(FUZZ)/replay-%)

$(FUZZ_OBJECTS): OBJECT_FLAGS = -D_GNU_SOURCE
$(FUZZ_ASAN)/program.o: test/fuzz/report.c
	$(call short,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(COPY_FLAGS) $(C_WARNINGS) -MD -MP -I. $(ASAN_FLAGS) -D_GNU_SOURCE -DFUZZ_PROGRAM -c $< -o $@
$(FUZZ_ASAN)/report-main.o: $(BUILD)/asan/cilkprof-report/main.o
	@mkdir -p $(@D)
	objcopy --redefine-sym main=report_main $< $@

FUZZ_COMMON := $(addprefix $(FUZZ_ASAN)/,replay.o limits.o repair.o)
$(FUZZ)/replay-reader: $(FUZZ_ASAN)/reader.o $(FUZZ_COMMON) $(FMT_ASAN_OBJECTS)
	$(call short,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(ASAN_FLAGS) $^ -o $@
$(FUZZ)/replay-report $(FUZZ)/replay-program: $(FUZZ)/replay-%: $(FUZZ_ASAN)/%.o $(FUZZ_ASAN)/report-main.o $(FUZZ_COMMON) \
  $(filter-out %/main.o,$(REPORT_OBJECTS:$(BUILD)/%=$(BUILD)/asan/%)) $(FMT_ASAN_OBJECTS)
	$(call short,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(ASAN_FLAGS) $(FUZZ_WRAP) $^ -o $@ $(REPORT_LIBS)

OBJECTS       += $(FUZZ_OBJECTS)
TEST_PROGRAMS += $(REPLAYS)

# The fuzzers.
$(addprefix $(FUZZ)/,fuzz-report fuzz-program afl-report): | $(VERSION_HEADER)
FMT_SOURCES  := $(FMT_OBJECTS:$(BUILD)/%.o=%.c)
FUZZ_CFLAGS  := $(C_STANDARD) -O1 -g -w -I. -D_GNU_SOURCE -I$(BUILD)
CLANG_FUZZ    = clang $(FUZZ_CFLAGS) -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
$(FUZZ)/fuzz-reader: test/fuzz/reader.c test/fuzz/limits.c test/fuzz/repair.c $(FMT_SOURCES)
	@mkdir -p $(@D)
	$(CLANG_FUZZ) $^ -o $@
$(FUZZ)/fuzz-report $(FUZZ)/fuzz-program: test/fuzz/report.c test/fuzz/limits.c test/fuzz/repair.c $(REPORT_SOURCES) $(FMT_SOURCES)
	@mkdir -p $(@D)
	$(CLANG_FUZZ) -Dmain=report_main $(if $(filter %-program,$@),-DFUZZ_PROGRAM) $(FUZZ_WRAP) $^ -o $@ $(REPORT_LIBS)
$(FUZZ)/afl-report: $(REPORT_SOURCES) $(FMT_SOURCES)
	@mkdir -p $(@D)
	AFL_QUIET=1 AFL_USE_ASAN=1 AFL_USE_UBSAN=1 afl-clang-fast $(FUZZ_CFLAGS) $^ -o $@ $(REPORT_LIBS)
$(FUZZ)/afl-repair.so: test/fuzz/afl.c test/fuzz/repair.c fmt/checksum.c
	$(call short,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(FUZZ_CFLAGS) -shared -fPIC $^ -o $@

.PHONY: fuzz
fuzz: setup
	@$(call apt,$(FUZZ_PACKAGES))
	@$(MAKE) --no-print-directory all test-programs $(FUZZ_TARGETS:%=$(FUZZ)/fuzz-%) $(FUZZ)/afl-report $(FUZZ)/afl-repair.so
	@$(TEST_ENVIRONMENT) FUZZ_S=$(FUZZ_S) sh test/fuzz/run
