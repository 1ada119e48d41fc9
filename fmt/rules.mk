# fmt: the cilkprof.out format.  Its objects serve the users' programs (writer only) and the report: position-independent, hidden.
# SPDX-License-Identifier: MIT

FMT_WRITER_OBJECTS := $(addprefix $(BUILD)/fmt/,write.o checksum.o measures.o)
FMT_OBJECTS        := $(FMT_WRITER_OBJECTS) $(addprefix $(BUILD)/fmt/,read.o decode.o take.o recover.o live.o live-samples.o verify.o contexts.o tree.o roots.o)

$(FMT_OBJECTS): OBJECT_FLAGS = $(LANDING_PADS) -fPIC -fvisibility=hidden
OBJECTS += $(FMT_OBJECTS)
