# The oracle, what it traces with, the generator of programs, and an engine that folds its log at every opportunity.  It also
# traps where memory is not aligned, which most of this code does not notice on aarch64, nor under qemu.
# SPDX-License-Identifier: MIT

ORACLE           := $(BUILD)/test/oracle/oracle
ORACLE_OBJECTS   := $(addprefix $(BUILD)/test/oracle/,oracle.o trace.o follow.o follow-events.o regions.o tasks.o teams.o loops.o dag.o measure.o parts.o contexts.o whatif.o table.o symbols.o profile.o trees.o)
TRACER_OBJECTS   := $(addprefix $(BUILD)/test/oracle/,tracer-events.o tracer-teams.o tracer-workers.o)
TRACER           := $(BUILD)/test/oracle/tracer.o
GENERATE         := $(BUILD)/test/oracle/generate
GENERATE_OBJECTS := $(addprefix $(BUILD)/test/oracle/,generate.o statements.o parallel-loops.o contests.o writing.o)
OPENMP           := $(BUILD)/test/oracle/generate-openmp
OPENMP_OBJECTS   := $(addprefix $(BUILD)/test/oracle/,openmp.o openmp-teams.o writing.o)
LIBRARY          := $(BUILD)/test/oracle/library.o
STRESS           := $(BUILD)/stress/libcilkprof.a
STRESS_OBJECTS   := $(ENGINE_OBJECTS:$(BUILD)/%=$(BUILD)/stress/%)
STRESS_FLAGS     := -DCILKPROF_FIRST_FOLD=3 -DCILKPROF_PIECES=48 -D__CILKPROF_LONG_CHILD=100 -DCILKPROF_FIRST_ACCESSES=4 -DCILKPROF_TURNS_IN_ROUNDS -DCILKPROF_SPIN_LOOK_NS=100000000 -DCILKPROF_STUCK_NS=200000000 -fsanitize=alignment -fsanitize-undefined-trap-on-error
STRESS_WHATIF    := $(BUILD)/stress/libcilkprof-whatif.a
STRESS_WHATIF_OBJECTS := $(WHATIF_OBJECTS:$(BUILD)/%=$(BUILD)/stress/%)
STRESS_WORKERS   := $(BUILD)/stress/libcilkprof-workers.a
STRESS_WORKERS_OBJECTS := $(WORKERS_OBJECTS:$(BUILD)/%=$(BUILD)/stress/%)

$(TRACER): $(TRACER_OBJECTS)
	$(CC) -r -nostdlib $^ -o $@
$(ORACLE_OBJECTS) $(TRACER_OBJECTS): OBJECT_FLAGS = -D_GNU_SOURCE
$(LIBRARY): OBJECT_FLAGS = -Itest/oracle
$(ORACLE): $(ORACLE_OBJECTS) $(FMT_OBJECTS)
	$(CC) $(CFLAGS) $^ -o $@
$(GENERATE): $(GENERATE_OBJECTS)
$(OPENMP): $(OPENMP_OBJECTS)
$(GENERATE) $(OPENMP):
	$(CC) $(CFLAGS) $^ -o $@

$(STRESS_OBJECTS): $(BUILD)/stress/%.o: %.c
	$(call short,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(CFLAGS) $(C_WARNINGS) -MD -MP -I. $(ENGINE_FLAGS) $(COPY_FLAGS) $(STRESS_FLAGS) -c $< -o $@
$(STRESS_WHATIF_OBJECTS): $(BUILD)/stress/whatif/%.o: %.c
	$(call short,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(CFLAGS) $(C_WARNINGS) -MD -MP -I. $(ENGINE_FLAGS) $(COPY_FLAGS) $(STRESS_FLAGS) \
	  -D__CILKPROF_WHATIF -c $< -o $@
$(STRESS_WORKERS_OBJECTS): $(BUILD)/stress/workers/%.o: %.c
	$(call short,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(CFLAGS) $(C_WARNINGS) -MD -MP -I. $(ENGINE_FLAGS) $(COPY_FLAGS) $(STRESS_FLAGS) \
	  $(WORKER_FLAGS) -DCILKPROF_CALLS_SOME -D__CILKPROF_PARALLEL -c $< -o $@
$(STRESS): $(STRESS_OBJECTS) $(ENGINE_SAMPLER) $(FMT_WRITER_OBJECTS)
$(STRESS_WHATIF): $(STRESS_WHATIF_OBJECTS) $(ENGINE_SAMPLER) $(FMT_WRITER_OBJECTS)
$(STRESS_WORKERS): $(STRESS_WORKERS_OBJECTS) $(ENGINE_SAMPLER) $(FMT_WRITER_OBJECTS)
$(STRESS) $(STRESS_WHATIF) $(STRESS_WORKERS):
	$(engine_archive)

OBJECTS       += $(ORACLE_OBJECTS) $(GENERATE_OBJECTS) $(BUILD)/test/oracle/openmp.o $(BUILD)/test/oracle/openmp-teams.o $(TRACER_OBJECTS) $(LIBRARY) $(STRESS_OBJECTS) $(STRESS_WHATIF_OBJECTS) $(STRESS_WORKERS_OBJECTS)
TEST_PROGRAMS += $(ORACLE) $(GENERATE) $(OPENMP) $(TRACER) $(LIBRARY) $(STRESS) $(STRESS_WHATIF) $(STRESS_WORKERS)
