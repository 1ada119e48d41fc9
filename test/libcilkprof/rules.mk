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
	$(call short,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(CFLAGS) $(C_WARNINGS) -MD -MP -I. $(ENGINE_FLAGS) \
	  -D__CILKPROF_TIMER=__cilkprof_test_timer -c $< -o $@
$(FAULTY_TIMER)/libcilkprof.a: $(FAULTY_TIMER_OBJECTS) $(ENGINE_SAMPLER) $(FMT_WRITER_OBJECTS)
	$(engine_archive)
$(FAULTY_TIMER)/timer.o: test/libcilkprof/timer.c
	$(call short,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(CFLAGS) $(C_WARNINGS) -c $< -o $@
OBJECTS       += $(FAULTY_TIMER_OBJECTS)
TEST_PROGRAMS += $(FAULTY_TIMER)/libcilkprof.a $(FAULTY_TIMER)/timer.o

# The engine of parallel runs and the runtime, watched by ThreadSanitizer.
WATCHED                 := $(BUILD)/watched
WATCHED_FLAGS           := -fsanitize=thread -Wno-tsan -DCILKPROF_WATCHES_THREADS
WATCHED_WORKERS_OBJECTS := $(WORKERS_OBJECTS:$(BUILD)/%=$(WATCHED)/%)
WATCHED_RUNTIME_OBJECTS := $(PARALLEL_OBJECTS:$(BUILD)/%=$(WATCHED)/%)
$(WATCHED_WORKERS_OBJECTS): $(WATCHED)/workers/%.o: %.c
	$(call short,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(CFLAGS) $(C_WARNINGS) -MD -MP -I. $(ENGINE_FLAGS) $(COPY_FLAGS) $(WORKER_FLAGS) $(WATCHED_FLAGS) \
	  -DCILKPROF_LOG_BYTES=0x1000000 -D__CILKPROF_PARALLEL -c $< -o $@
$(WATCHED_RUNTIME_OBJECTS): $(WATCHED)/%.o: %.c
	$(call short,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(CFLAGS) $(C_WARNINGS) -MD -MP -I. $(PARALLEL_FLAGS) $(COPY_FLAGS) $(WATCHED_FLAGS) \
	  $(if $(findstring api.c,$<),-D__cilkprof_parallel__ -I$(LIB)/include) -c $< -o $@
$(WATCHED)/libcilkprof-workers.a: $(WATCHED_WORKERS_OBJECTS) $(FMT_WRITER_OBJECTS)
	$(engine_archive)
$(WATCHED)/libcilkprof-parallel.a: $(WATCHED_RUNTIME_OBJECTS) $(PARALLEL_C++)
	$(engine_archive)
OBJECTS       += $(WATCHED_WORKERS_OBJECTS) $(WATCHED_RUNTIME_OBJECTS)
TEST_PROGRAMS += $(WATCHED)/libcilkprof-workers.a $(WATCHED)/libcilkprof-parallel.a
