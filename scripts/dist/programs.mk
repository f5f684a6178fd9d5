
# make: todos los que no piden más que la biblioteca de C. Los demás (ch07), por su
# nombre. DEVICE=gpu compila para una GPU de NVIDIA, con nvcc.
SHELL := /bin/sh
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all run clean
DEVICE ?= cpu
CUDA   ?= /usr/local/cuda
ARCH   ?= native
ALONE  := $(foreach p,$(PROGRAMS),$(if $($(p)_LIBS_$(DEVICE)),,$(p)))
OBJ    := build/$(DEVICE)

all: $(ALONE)
run: $(ALONE)
	@set -e; $(foreach p,$(ALONE),echo ./$(p); ./$(p) --quiet $(RUN_$(p));)
	@echo "Todas las comprobaciones pasaron. Resultados en outputs/"

ifeq ($(DEVICE),cpu)
HEADERS := paper
PAPER   := $(OBJ)/paper/paper_gpu.o $(OBJ)/paper/watch.o
LINK    := g++
$(OBJ)/%_kernels.o: %_kernels.cpp
	@mkdir -p $(@D)
	g++ $(CXXFLAGS) $(WATCHED) -Ipaper -c -o $@ $<
else
HEADERS := $(CUDA)/include
LINK    := $(CUDA)/bin/nvcc -arch=$(ARCH)
$(OBJ)/%_kernels.o: %_kernels.cu
	@mkdir -p $(@D)
	$(CUDA)/bin/nvcc -arch=$(ARCH) -O3 -lineinfo -c -o $@ $<
endif
$(OBJ)/%.o: %.c
	@mkdir -p $(@D)
	gcc $(CFLAGS) $(CPPFLAGS) -I$(HEADERS) -c -o $@ $<
$(KERNELS): %: $(OBJ)/%.o $(OBJ)/%_kernels.o $(PAPER)
	$(LINK) $(LDFLAGS) -o $@ $^ $($@_LIBS_$(DEVICE)) -lm
$(filter-out $(KERNELS),$(PROGRAMS)): %: $(OBJ)/%.o
	gcc -o $@ $< $($@_LIBS_$(DEVICE)) -lm

clean:
	rm -rf build $(PROGRAMS)
