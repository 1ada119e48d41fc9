# Tests of the engine.
# SPDX-License-Identifier: MIT

RECORDS := $(BUILD)/test/libcilkprof/records
WHATIFS := $(BUILD)/test/libcilkprof/whatifs
$(RECORDS): $(RECORDS).o
$(WHATIFS): $(WHATIFS).o $(FMT_OBJECTS)
$(RECORDS) $(WHATIFS):
	$(CC) $(CFLAGS) $^ -o $@
OBJECTS += $(RECORDS).o $(WHATIFS).o
TEST_PROGRAMS += $(RECORDS) $(WHATIFS)
