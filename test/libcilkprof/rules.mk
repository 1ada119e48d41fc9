# Tests of the engine.
# SPDX-License-Identifier: MIT

SHOW_RECORDS := $(BUILD)/test/libcilkprof/records
WHATIFS := $(BUILD)/test/libcilkprof/whatifs
$(SHOW_RECORDS): $(SHOW_RECORDS).o
PRINT_TREE := $(BUILD)/test/libcilkprof/print-tree
$(WHATIFS): $(WHATIFS).o $(FMT_OBJECTS)
$(PRINT_TREE): $(PRINT_TREE).o $(FMT_OBJECTS)
$(SHOW_RECORDS) $(WHATIFS) $(PRINT_TREE):
	$(CC) $(CFLAGS) $^ -o $@
OBJECTS += $(SHOW_RECORDS).o $(WHATIFS).o $(PRINT_TREE).o
TEST_PROGRAMS += $(SHOW_RECORDS) $(WHATIFS) $(PRINT_TREE)

# An engine whose timer is the test's.
FAULTY_TIMER         := $(BUILD)/faulty-timer
FAULTY_TIMER_OBJECTS := $(ENGINE_OBJECTS:$(BUILD)/%=$(FAULTY_TIMER)/%)
$(FAULTY_TIMER_OBJECTS): $(FAULTY_TIMER)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(CFLAGS) $(C_WARNINGS) -MD -MP -I. $(ENGINE_FLAGS) \
	  -D__CILKPROF_TIMER=__cilkprof_test_timer -c $< -o $@
$(FAULTY_TIMER)/libcilkprof.a: $(FAULTY_TIMER_OBJECTS) $(FMT_WRITER_OBJECTS)
	$(engine_archive)
$(FAULTY_TIMER)/timer.o: test/libcilkprof/timer.c
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(CFLAGS) $(C_WARNINGS) -c $< -o $@
OBJECTS       += $(FAULTY_TIMER_OBJECTS)
TEST_PROGRAMS += $(FAULTY_TIMER)/libcilkprof.a $(FAULTY_TIMER)/timer.o
