
# make: todos los que no piden más que la biblioteca de C. Los demás (ch07), por su
# nombre. DEVICE=gpu compila para una GPU de NVIDIA, con nvcc.
SHELL := /bin/sh
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all run clean
DEVICE ?= cpu
ARCH   ?= native
ALONE  := $(foreach p,$(PROGRAMS),$(if $($(p)_LIBS_$(DEVICE)),,$(p)))
OBJ    := build/$(DEVICE)

all: $(ALONE)
run: $(ALONE)
	@set -e; $(foreach p,$(ALONE),echo ./$(p); ./$(p) --quiet $(RUN_$(p));)
	@echo "Todas las comprobaciones pasaron. Resultados en outputs/"

ifeq ($(DEVICE),cpu)
HEADERS := -Ipaper
PAPER   := $(OBJ)/paper/paper_gpu.o $(OBJ)/paper/watch.o
LINK    := g++
$(OBJ)/%_kernels.o: %_kernels.cpp
	@mkdir -p $(@D)
	g++ $(CXXFLAGS) $(WATCHED) $(PIC) -Ipaper -c -o $@ $<
SHARED  := paper/paper_gpu paper/watch
MARKS   := -Wl,--defsym=__executable_start=_init,--defsym=__data_start=_DYNAMIC
JOIN    := g++ -shared -Wl,--version-script=librmsnorm.map $(MARKS)
else
HEADERS := $(shell sh cuda_headers.sh)
LINK    := nvcc -arch=$(ARCH)
$(OBJ)/%_kernels.o: %_kernels.cu
	@mkdir -p $(@D)
	nvcc -arch=$(ARCH) -O3 -lineinfo $(PIC:%=-Xcompiler %) -c -o $@ $<
JOIN    := $(LINK) -shared -Xlinker --version-script=librmsnorm.map
endif
$(OBJ)/%.o: %.c
	@mkdir -p $(@D)
	gcc $(CFLAGS) $(PIC) $(CPPFLAGS) $(HEADERS) -c -o $@ $<
$(KERNELS): %: $(OBJ)/%.o $(OBJ)/%_kernels.o $(PAPER)
	$(LINK) $(LDFLAGS) -o $@ $^ $($@_LIBS_$(DEVICE)) -lm
$(filter-out $(KERNELS),$(PROGRAMS)): %: $(OBJ)/%.o
	gcc -o $@ $< $($@_LIBS_$(DEVICE)) -lm

# La biblioteca del apéndice G: los kernels del capítulo 11 para quien no es el libro
librmsnorm.so: SHARED += librmsnorm ch11_kernels
librmsnorm.so: librmsnorm.c librmsnorm.h librmsnorm.map
	@$(MAKE) OBJ=$(OBJ)-pic PIC=-fPIC $(SHARED:%=$(OBJ)-pic/%.o)
	$(JOIN) -o $@ $(SHARED:%=$(OBJ)-pic/%.o) $(if $(MARKS),-lm)

clean:
	rm -rf build librmsnorm.so $(PROGRAMS)
