# The generator of random programs without races.
# SPDX-License-Identifier: MIT

PARALLEL_GENERATE         := $(BUILD)/test/parallel/generate
PARALLEL_GENERATE_OBJECTS := $(addprefix $(BUILD)/test/parallel/,generate.o statements.o)

$(PARALLEL_GENERATE): $(PARALLEL_GENERATE_OBJECTS) $(BUILD)/test/oracle/writing.o
	$(CC) $(CFLAGS) $^ -o $@

OBJECTS       += $(PARALLEL_GENERATE_OBJECTS)
TEST_PROGRAMS += $(PARALLEL_GENERATE)
