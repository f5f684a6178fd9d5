# RMSNorm, cuaderno de trabajo. Una regla por flecha del diseño:
#   capítulos -> fuentes (tangle) -> programas -> outputs -> figuras -> libro
#
#   make chapter-04        extrae y compila el programa del capítulo 4
#   make run figures book  ejecuta todo, dibuja y teje el libro
#   make test              todas las pruebas
# DEVICE=gpu|cpu elige el dispositivo; sin él, la GPU si la hay.

SHELL := /bin/sh
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all run bench figures book site where test mutants mutants-11 fuzz dist clean FORCE

CHAPTERS := $(sort $(wildcard chapters/*.nw))
PROGRAMS := ch01 ch02 ch03 ch04 ch05 ch06 ch06_wrong ch07 ch08 ch09 ch10 \
            ch10_faults ch11
KERNELS  := ch02 ch04 ch05 ch06 ch06_wrong ch07 ch08 ch09 ch10 ch10_faults ch11
PAPER    := cuda_runtime_api.h cuda_runtime.h cuda_fp16.h cuda_bf16.h \
            cuda_pipeline_primitives.h cublas_v2.h paper_gpu.h paper_gpu.c watch.c launch.awk
BUILD    := tangled/.build
DOCS     := docs
comma    := ,
SRC      := $(BUILD)/src
DEVICE   ?= $(shell scripts/device.sh)
ifneq ($(origin DEVICE),file)
  ifeq ($(DEVICE),)
    override DEVICE := $(shell scripts/device.sh)
  endif
  ifeq ($(filter cpu gpu,$(DEVICE)),)
    $(error DEVICE=«$(DEVICE)» no es gpu ni cpu)
  endif
endif
COMMIT   := $(shell git describe --always --dirty 2>/dev/null || cat VERSION)

ROOTS    := $(PROGRAMS:%=%.c) $(KERNELS:%=%_kernels.cu) \
            $(PAPER:%=paper/%) ch09_row.c librmsnorm.h librmsnorm.c peers.py \
            mutar.awk generar.awk mutantes.txt mutantes11.txt \
            mutantes.awk

all: $(PROGRAMS:%=tangled/%)
chapter-%: tangled/ch% ;
chapter-%:
	@echo "make: el capítulo «$*» no tiene programa; lo tienen:" \
	    $(patsubst ch%,%,$(PROGRAMS)) >&2; exit 2

# --- tangle: con #line para compilar, sin él para leer ------------------------
$(BUILD)/lint: $(CHAPTERS) weave/lint.sh Makefile
	@mkdir -p $(@D)
	@sh weave/lint.sh --roots '$(ROOTS)' $(CHAPTERS)
	@touch $@
$(filter-out %.awk %.txt %.py,$(ROOTS:%=$(SRC)/%)): $(SRC)/%: $(BUILD)/lint
	@sh weave/tangle.sh $* $@ -L
$(filter %.awk %.txt %.py,$(ROOTS:%=$(SRC)/%)): $(SRC)/%: $(BUILD)/lint
	@sh weave/tangle.sh $* $@
$(ROOTS:%=tangled/%): tangled/%: $(BUILD)/lint
	@sh weave/tangle.sh $* $@

# --- compile -------------------------------------------------------------------
# Se pregunta a nvcc una vez, y sólo si hace falta
CUDA     = $(eval CUDA := $(shell sh scripts/cuda_headers.sh))$(CUDA)
CFLAGS   := -std=c11 -g -O2 -ffp-contract=off -Wall -Wextra -Wpedantic -Werror \
            -DCOMMIT='"$(COMMIT)"'
CXXFLAGS := -std=c++17 -g -gdwarf-4 -O1 -ffp-contract=off -Wall -Wextra -Werror
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
STEPS    := -fsanitize-coverage=trace-pc
WATCHED  := -fsanitize=thread --param tsan-distinguish-volatile=1
ARCH     ?= native

# Lo que un programa enlaza además de la biblioteca de C. CPPFLAGS y LDFLAGS
# sirven para cabeceras y bibliotecas que no están en su sitio habitual
ch07_LIBS     := -ljansson -lz
ch07_LIBS_cpu := -lblas
ch07_LIBS_gpu := -lcublas
LIBS = $($(2)_LIBS) $($(2)_LIBS_$(1)) -lm
libs-%:
	@echo $(call LIBS,$(DEVICE),$*)

# GPU de papel: los núcleos llevan los ganchos del vigilante
$(BUILD)/cpu/%.o: $(SRC)/%.c $(PAPER:%=$(SRC)/paper/%) $(BUILD)/tools
	@mkdir -p $(@D)
	gcc $(CFLAGS) $(CPPFLAGS) -I$(SRC)/paper -c -o $@.tmp $< && mv $@.tmp $@
$(KERNELS:%=$(BUILD)/cpu/%_kernels.o): %.o: %.cpp $(BUILD)/tools
	g++ $(CXXFLAGS) $(WATCHED) -I$(SRC)/paper -c -o $@.tmp $< && mv $@.tmp $@
$(BUILD)/cpu/%.cpp: $(SRC)/%.cu $(PAPER:%=$(SRC)/paper/%)
	@mkdir -p $(@D)
	awk -f $(SRC)/paper/launch.awk $< > $@.tmp && mv $@.tmp $@
PAPER_OBJECTS = $(BUILD)/$(1)/paper/paper_gpu.o $(BUILD)/$(1)/paper/watch.o
$(KERNELS:%=$(BUILD)/cpu/%): $(BUILD)/cpu/%: $(BUILD)/cpu/%.o \
        $(BUILD)/cpu/%_kernels.o $(call PAPER_OBJECTS,cpu)
	g++ $(LDFLAGS) -o $@.tmp $^ $(call LIBS,cpu,$*) && mv $@.tmp $@
$(BUILD)/cpu/%: $(BUILD)/cpu/%.o
	gcc -o $@.tmp $< -lm && mv $@.tmp $@

# El mismo programa bajo AddressSanitizer y UBSan, sin vigilante
$(BUILD)/asan/%.o: $(SRC)/%.c $(PAPER:%=$(SRC)/paper/%) $(BUILD)/tools
	@mkdir -p $(@D)
	gcc $(CFLAGS) -O1 $(SANITIZE) $(CPPFLAGS) -I$(SRC)/paper -c -o $@.tmp $< && mv $@.tmp $@
$(KERNELS:%=$(BUILD)/asan/%_kernels.o): $(BUILD)/asan/%.o: \
        $(BUILD)/cpu/%.cpp $(BUILD)/tools
	@mkdir -p $(@D)
	g++ $(CXXFLAGS) $(SANITIZE) $(STEPS) -I$(SRC)/paper -c -o $@.tmp $< && mv $@.tmp $@
$(KERNELS:%=$(BUILD)/asan/%): $(BUILD)/asan/%: $(BUILD)/asan/%.o \
        $(BUILD)/asan/%_kernels.o $(call PAPER_OBJECTS,asan)
	g++ $(SANITIZE) $(LDFLAGS) -o $@.tmp $^ $(call LIBS,cpu,$*) && \
	    mv $@.tmp $@
$(BUILD)/asan/%: $(BUILD)/asan/%.o
	gcc $(SANITIZE) -o $@.tmp $< -lm && mv $@.tmp $@

# GPU de verdad
$(BUILD)/gpu/%.o: $(SRC)/%.c $(BUILD)/tools
	@mkdir -p $(@D)
	gcc $(CFLAGS) $(CPPFLAGS) $(CUDA) -c -o $@.tmp $< && mv $@.tmp $@
$(BUILD)/gpu/%_kernels.o: $(SRC)/%_kernels.cu $(BUILD)/tools
	@mkdir -p $(@D)
	nvcc -arch=$(ARCH) -O3 -lineinfo -Werror all-warnings $(PIC) -c -o $@.tmp $< && mv $@.tmp $@
$(KERNELS:%=$(BUILD)/gpu/%): $(BUILD)/gpu/%: $(BUILD)/gpu/%.o \
        $(BUILD)/gpu/%_kernels.o
	nvcc -arch=$(ARCH) $(LDFLAGS) -o $@.tmp $^ $(call LIBS,gpu,$*) && \
	    mv $@.tmp $@
$(BUILD)/gpu/%: $(BUILD)/gpu/%.o
	gcc -o $@.tmp $< -lm && mv $@.tmp $@

# tangled/librmsnorm.so: los kernels del capítulo 11, para quien no es este libro
EXPORTS  := -Wl,--version-script=scripts/librmsnorm.map
SHARED   := ch11_kernels paper/paper_gpu paper/watch librmsnorm
$(SHARED:%=$(BUILD)/cpu/%.o): CFLAGS += -fPIC
$(SHARED:%=$(BUILD)/cpu/%.o): CXXFLAGS += -fPIC
$(BUILD)/gpu/librmsnorm.o: CFLAGS += -fPIC
$(BUILD)/gpu/ch11_kernels.o: PIC := -Xcompiler -fPIC
$(BUILD)/cpu/librmsnorm.o $(BUILD)/gpu/librmsnorm.o: $(SRC)/librmsnorm.h
# El vigilante mira entre dos marcas que el enlazador sólo pone en un ejecutable
MARKS    := -Wl,--defsym=__executable_start=_init,--defsym=__data_start=_DYNAMIC
$(BUILD)/cpu/librmsnorm.so: $(SHARED:%=$(BUILD)/cpu/%.o) scripts/librmsnorm.map
	g++ -shared $(EXPORTS) $(MARKS) -o $@.tmp $(filter %.o,$^) -lm && mv $@.tmp $@
$(BUILD)/gpu/librmsnorm.so: $(BUILD)/gpu/librmsnorm.o \
        $(BUILD)/gpu/ch11_kernels.o scripts/librmsnorm.map
	nvcc -arch=$(ARCH) -shared -Xlinker --version-script=scripts/librmsnorm.map -o $@.tmp \
	    $(filter %.o,$^) && mv $@.tmp $@
tangled/librmsnorm.so: $(BUILD)/$(DEVICE)/librmsnorm.so $(BUILD)/device \
        tangled/librmsnorm.h
	@cp $< $@.tmp && mv $@.tmp $@

# Lo compilado en un contenedor, o con otro compilador, no se mezcla con lo demás
$(BUILD)/tools: FORCE
	@mkdir -p $(@D)
	@{ gcc -dumpfullversion; getconf GNU_LIBC_VERSION; nvcc --version; } \
	    > $@.$$$$ 2> /dev/null; \
	    cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@

# tangled/chNN es el programa del dispositivo elegido
$(BUILD)/device: FORCE
	@mkdir -p $(@D)
	@echo $(DEVICE) | cmp -s - $@ || echo $(DEVICE) > $@
$(PROGRAMS:%=tangled/%): tangled/%: $(BUILD)/$(DEVICE)/% $(BUILD)/device \
        tangled/%.c
	@cp $< $@.tmp && mv $@.tmp $@
$(KERNELS:%=tangled/%): tangled/%: tangled/%_kernels.cu
FORCE:

# --- run -----------------------------------------------------------------------
# make run ejecuta todos los programas en orden y termina con una tabla
RUN_ch09 := --answers data/ch09-answers.txt
OUTPUTS  := $(PROGRAMS:%=outputs/%.tsv)
# Con «run» en la orden, también con -j, las figuras esperan a lo que deje
ifneq ($(filter run,$(MAKECMDGOALS)),)
$(OUTPUTS): | run
RAN := :
endif
run: $(PROGRAMS:%=tangled/%)
	@RUN_ch09='$(RUN_ch09)' sh scripts/run.sh $(PROGRAMS)
# Para el libro: se repite el que cambia; mover un trozo no lo repite. De uno en
# uno también con -j: dos que miden a la vez se estorban
$(OUTPUTS): outputs/%.tsv: tangled/%.c $(BUILD)/device
	@$(RAN) flock $(BUILD)/device sh -c '$(MAKE) --no-print-directory tangled/$* && \
	    echo ./tangled/$* && ./tangled/$* $(RUN_$*) --quiet'
$(KERNELS:%=outputs/%.tsv): outputs/%.tsv: tangled/%_kernels.cu \
        $(PAPER:%=tangled/paper/%)

# --- bench -----------------------------------------------------------------------
# Los kernels rápidos frente a lo que la memoria permite, en la misma ejecución
bench:
	@sh scripts/bench.sh

# --- figures ---------------------------------------------------------------------
# La primera línea de cada .gp, «# usa: archivo…», dice de qué depende
PLOTS    := $(filter-out figures/common.gp,$(wildcard figures/*.gp))
DRAWN    := $(wildcard figures/drawn/*.svg)
figures: $(PLOTS:.gp=.svg) $(PLOTS:.gp=.pdf) $(DRAWN:.svg=.pdf)
figures/%.svg figures/%.pdf: figures/%.gp figures/common.gp weave/figure.sh weave/svg.sed
	@sh weave/figure.sh $*
figures/drawn/%.pdf: figures/drawn/%.svg
	@rsvg-convert -f pdf -o $@.tmp $< && mv $@.tmp $@
ifndef DRAFT
$(foreach use,$(shell awk 'FNR == 1 && /^. usa:/ { f = FILENAME; \
    sub(/gp$$/, "", f); for (i = 3; i <= NF; i++) \
    print f "svg:" $$i, f "pdf:" $$i }' $(PLOTS) /dev/null),$(eval $(use)))
endif

# --- book ------------------------------------------------------------------------
# make docs/04-forward.html rehace una página; DOCS=carpeta lo teje en otra.
# DRAFT=1 teje con avisos lo que todavía está a medias, sin ejecutar nada.
PICTURES := $(DRAWN) $(if $(DRAFT),$(wildcard figures/*.svg),$(PLOTS:.gp=.svg))
BOOK     := $(BUILD)/book
PAGES    := index $(CHAPTERS:chapters/%.nw=%) indices identificadores bibliografia
SITE     := $(PAGES:%=$(DOCS)/%.html) $(DOCS)/libro.css $(DOCS)/libro.js $(DOCS)/busqueda.js $(DOCS)/buscar.js $(DOCS)/ejercicio.js \
            $(PICTURES:%=$(DOCS)/%) $(ROOTS:%=$(DOCS)/codigo/%.html)
WOVEN    := $(if $(DRAFT),,$(OUTPUTS) figures)
export DRAFT
book: $(WOVEN)
	@$(MAKE) --no-print-directory $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j2) \
	    $(DOCS)/libro.pdf site $(DOCS)/libro.epub
	@echo "El libro: $(DOCS)/index.html, $(DOCS)/libro.pdf y $(DOCS)/libro.epub"
site: $(SITE)
$(BOOK)/woven: FORCE | $(WOVEN)
	@sh weave/markdown.sh $(BOOK) $$(cat VERSION) $(COMMIT) $(CHAPTERS)
$(PAGES:%=$(BOOK)/%.md) $(PAGES:%=$(BOOK)/nav/%.yaml) $(BOOK)/targets.tsv $(BOOK)/places.tsv: $(BOOK)/woven ;
$(PAGES:%=$(DOCS)/%.html): $(DOCS)/%.html: $(BOOK)/%.md $(BOOK)/nav/%.yaml $(BOOK)/targets.tsv \
        chapters/references.bib $(wildcard weave/*.awk weave/filters/*) weave/page.sh \
        weave/libro.yaml weave/cuda.xml weave/html/pagina.html
	@sh weave/page.sh $* $(BOOK) $@
$(DOCS)/libro.pdf: $(PAGES:%=$(BOOK)/%.md) $(BOOK)/targets.tsv $(wildcard weave/filters/* weave/latex/*) \
        $(wildcard weave/*.md) weave/pdf.sh weave/log.sh weave/uses.awk weave/libro.yaml weave/cuda.xml \
        chapters/references.bib $(PICTURES:.svg=.pdf)
	@sh weave/pdf.sh $(BOOK) $@ $$(cat VERSION) $(COMMIT)
$(DOCS)/libro.epub: $(PAGES:%=$(BOOK)/%.md) $(BOOK)/targets.tsv $(wildcard weave/filters/*) \
        weave/epub.sh weave/html/epub.css weave/latex/presentacion.md weave/libro.yaml \
        weave/cuda.xml chapters/references.bib $(PICTURES)
	@sh weave/epub.sh $(BOOK) $@ $$(cat VERSION) $(COMMIT)
# Las páginas llevan la hoja y los guiones sin sangría ni líneas de comentario
PLAIN    := sed -E -e 's/^ +//' -e '/^\/\/ /d' -e '/^(\/\* [^*]* \*\/)?$$/d'
$(DOCS)/libro.css: weave/html/libro.css
	@$(PLAIN) -e 's/ *([{};,]) */\1/g; s/: /:/g' $< > $@.tmp && mv $@.tmp $@
$(DOCS)/libro.js: $(addprefix weave/html/,tema.js trozos.js pagina.js)
$(DOCS)/ejercicio.js: weave/html/ejercicio.js $(BUILD)/ch09_row.js
$(DOCS)/buscar.js: weave/html/buscar.js
$(DOCS)/libro.js $(DOCS)/ejercicio.js $(DOCS)/buscar.js:
	@$(PLAIN) $^ > $@.tmp && mv $@.tmp $@
# La fila de C del capítulo 9, para el navegador: WebAssembly en base 64
$(BUILD)/ch09_row.js: $(SRC)/ch09_row.c
	clang --target=wasm32 -std=c11 -O2 -nostdlib -Wl,--no-entry -Wl,--strip-all \
	    $(addprefix -Wl$(comma)--export=,row_x row_y row_forward) -o $(@:.js=.wasm) $<
	@{ printf 'document.dispatchEvent(new CustomEvent("fila", { detail: "'; \
	    base64 -w 0 $(@:.js=.wasm); printf '" }));\n'; } > $@.tmp && mv $@.tmp $@
$(DOCS)/busqueda.js: $(PAGES:%=$(DOCS)/%.html) weave/search.awk
	@LC_ALL=C awk -f weave/text.awk -f weave/search.awk \
	    $(filter-out $(DOCS)/ind% $(DOCS)/ident%,$(filter %.html,$^)) > $@.tmp && mv $@.tmp $@
$(DOCS)/codigo/%.html: tangled/% $(BOOK)/places.tsv weave/listing.awk
	@mkdir -p $(@D)
	@LC_ALL=C awk -v root=$* -f weave/text.awk -f weave/listing.awk $(BOOK)/places.tsv $< \
	    > $@.tmp && mv $@.tmp $@
$(DOCS)/figures/%.svg: figures/%.svg
	@mkdir -p $(@D) && cp $< $@.tmp && mv $@.tmp $@
# make where AT=chapters/05-dx.nw:120 dice la página donde está esa línea
where:
	@sh weave/where.sh $(AT)

# --- exercises -----------------------------------------------------------------
# make exercise-04 entrega el ejercicio y lo corrige; con HINT=1, una pista
exercise-%: FORCE
	@sh scripts/exercise.sh $* $(if $(HINT),--hint)

# --- test ----------------------------------------------------------------------
# make test SUITE=lint ejecuta una sola; con ONLY=ch04, las de un programa
test:
	@PROGRAMS='$(PROGRAMS)' KERNELS='$(KERNELS)' ROOTS='$(ROOTS)' \
	    $(foreach p,$(PROGRAMS),RUN_$p='$(RUN_$p)') \
	    ONLY='$(ONLY)' sh tests/run.sh $(SUITE)

# make mutants construye los programas equivocados del capítulo 10 y dice quién
# mata a cada uno; mutants-11, los del capítulo 11. Sólo repiten lo que cambie.
# make mutants ID='…', sólo esos
mutants:
	@sh scripts/mutants.sh $(or $(ID),--all)
mutants-11:
	@OF=ch11 sh scripts/mutants.sh $(or $(ID),--all)
# make fuzz ataca a los lectores de datos durante diez minutos cada uno
fuzz:
	@case '$(or $(SECONDS),600)' in 0* | *[!0-9]*) \
	    echo "make fuzz: SECONDS=«$(SECONDS)» no es un número de segundos" >&2; exit 2 ;; esac
	@FUZZ_SECONDS=$(or $(SECONDS),600) SUITE_LIMIT=7200 \
	    $(MAKE) --no-print-directory test SUITE=fuzz

# --- dist ------------------------------------------------------------------------
# El archivo de la versión. Se teje antes el libro si ha de ir dentro
dist: export CFLAGS := $(CFLAGS)
dist: export CXXFLAGS := $(CXXFLAGS)
dist: $(ROOTS:%=tangled/%)
	@PROGRAMS='$(PROGRAMS)' KERNELS='$(KERNELS)' ROOTS='$(ROOTS)' \
	    $(foreach p,$(PROGRAMS),RUN_$p='$(RUN_$p)') \
	    WATCHED='$(WATCHED)' COMMIT='$(COMMIT)' sh scripts/dist.sh

# Los ámbitos, en sh scripts/clean.sh --help
clean:
	@sh scripts/clean.sh --scope generated --yes > /dev/null
