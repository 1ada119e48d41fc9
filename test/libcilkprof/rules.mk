# Tests of the engine.
# SPDX-License-Identifier: MIT

RECORDS := $(BUILD)/test/libcilkprof/records
$(RECORDS): $(RECORDS).o
	$(CC) $(CFLAGS) $^ -o $@
OBJECTS += $(RECORDS).o
TEST_PROGRAMS += $(RECORDS)
