# The paper GPU's test programs, in every form. From the project's folder:
#   make -f tests/paper_gpu/rules.mk paper-tests
include Makefile

FORMS   := cpu ucontext asan asan-ucontext
GOOD    := indices shared barriers warps atomics publish vectors launches \
           halves limits copies
TESTS   := $(GOOD) faults runtime random
AT      := $(BUILD)/paper-tests
HEADERS := $(filter %.h,$(PAPER:%=$(SRC)/paper/%))

cpu           := -O2
ucontext      := -O2 -DPAPER_UCONTEXT
asan          := -O1 $(SANITIZE)
asan-ucontext := -O1 $(SANITIZE) -DPAPER_UCONTEXT
# The kernels' objects do not depend on how fibers are switched
kernels_in     = $(if $(filter asan%,$(1)),asan,cpu)
cpu_kernels   := $(WATCHED)
asan_kernels  := $(SANITIZE) $(STEPS)

paper-tests: $(foreach f,$(FORMS),$(TESTS:%=$(AT)/$(f)/%))
.PHONY: paper-tests

$(AT)/%.cpp: tests/paper_gpu/%.cu $(SRC)/paper/launch.awk
	@mkdir -p $(@D)
	awk -f $(SRC)/paper/launch.awk $< > $@.tmp && mv $@.tmp $@

define form
$(AT)/$(1)/%.o: $(SRC)/paper/%.c $$(HEADERS)
	@mkdir -p $$(@D)
	gcc $$(CFLAGS) $$($(1)) -I$$(SRC)/paper -c -o $$@ $$<
$(TESTS:%=$(AT)/$(1)/%): $(AT)/$(1)/%: $(AT)/$(call kernels_in,$(1))/%.o \
        $(AT)/$(1)/paper_gpu.o $(AT)/$(1)/watch.o
	g++ $$(filter -fsanitize%,$$($(1))) -o $$@ $$^ -lm
endef
$(foreach f,$(FORMS),$(eval $(call form,$(f))))

define kernels
$(filter-out %/runtime.o,$(TESTS:%=$(AT)/$(1)/%.o)): $(AT)/$(1)/%.o: \
        $(AT)/%.cpp tests/paper_gpu/check.h $$(HEADERS)
	@mkdir -p $$(@D)
	g++ $$(CXXFLAGS) $$($(1)_kernels) -I$$(SRC)/paper -Itests/paper_gpu \
	    -c -o $$@ $$<
$(AT)/$(1)/runtime.o: tests/paper_gpu/runtime.c $$(HEADERS)
	@mkdir -p $$(@D)
	gcc $$(CFLAGS) $$($(1)) -I$$(SRC)/paper -c -o $$@ $$<
endef
$(foreach f,cpu asan,$(eval $(call kernels,$(f))))
