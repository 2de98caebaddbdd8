/*===- Loader.c - Loading models that are one file ------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Segments are copied into memory of the caller, relocations are applied there,
 * and the system gives each segment its permissions. In place, those that are
 * not written stay in the file. Nothing of a file is believed before it was
 * compared with what it is a part of.
 *
 *===----------------------------------------------------------------------===*/

#include "mlir-prof/Runtime/prof_loader.h"

#include "Elf.h"

void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);

/* More than a linker makes for a model. */
enum { SEGMENTS = 8, MOST_ALIGNMENT = 1 << 16 };

typedef struct loader {
  const char *file;
  size_t file_bytes;
  elf_word entry;
  elf_segment segments[SEGMENTS];
  unsigned segment_count;
  elf_segment dynamic, relro;
  /* From the address 0 of the file on. */
  size_t bytes, alignment;
  /* The bytes before the first segment that is written; 0 if others depend on
     where that one is. */
  size_t fixed_bytes;
  /* The numbers to be added to addresses of those bytes, and of others. */
  elf_word fixed_base, moved_base;
  const prof_loader_system *system;
  /* The values of the dynamic section by tag. Cleared with all of this by a
     call: initializers of arrays become calls of functions that a target may
     not have. */
  elf_word tags[ELF_RELR + 1];
} loader;

/* Whether `size` bytes from `begin` on are in the first `limit` bytes. */
static int is_inside(elf_word begin, elf_word size, elf_word limit) {
  return begin <= limit && size <= limit - begin;
}

/*===----------------------------------------------------------------------===*
 * Headers
 *===----------------------------------------------------------------------===*/

static elf_word round_up(elf_word value, elf_word alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

static int add_load(loader *load, const elf_segment *segment) {
  elf_word alignment = segment->alignment ? segment->alignment : 1;
  if (load->segment_count == SEGMENTS ||
      segment->file_bytes > segment->memory_bytes ||
      !is_inside(segment->offset, segment->file_bytes, load->file_bytes) ||
      !is_inside(segment->address, segment->memory_bytes, INT32_MAX) ||
      alignment > MOST_ALIGNMENT || (alignment & (alignment - 1)))
    return PROF_LOADER_BAD_SEGMENT;
  if ((segment->flags & ELF_WRITE) && (segment->flags & ELF_EXECUTE))
    return PROF_LOADER_BAD_PERMISSIONS;
  if (alignment > load->alignment)
    load->alignment = alignment;
  /* Each has pages of its own, and they are in order. */
  if ((segment->address & ~(alignment - 1)) < load->bytes)
    return PROF_LOADER_BAD_SEGMENT;
  load->bytes = round_up(segment->address + segment->memory_bytes, alignment);
  load->segments[load->segment_count++] = *segment;
  return PROF_LOADER_GOOD;
}

static int add_segment(loader *load, const elf_segment *segment) {
  switch (segment->type) {
  case ELF_LOAD:
    return add_load(load, segment);
  case ELF_DYNAMIC:
    load->dynamic = *segment;
    return PROF_LOADER_GOOD;
  case ELF_RELRO:
    load->relro = *segment;
    return PROF_LOADER_GOOD;
  case ELF_INTERPRETER:
  case ELF_THREADS:
    return PROF_LOADER_BAD_SEGMENT;
  default:
    return PROF_LOADER_GOOD;
  }
}

static int check_header(const elf_header *header) {
  static const uint8_t magic[7] = {0x7f, 'E', 'L', 'F', ELF_IS_64 ? 2 : 1,
                                   1,    1};
  unsigned index;
  for (index = 0; index < 4; ++index)
    if (header->ident[index] != magic[index])
      return PROF_LOADER_BAD_FORMAT;
  for (; index < sizeof magic; ++index)
    if (header->ident[index] != magic[index])
      return PROF_LOADER_BAD_MACHINE;
  if (header->machine != ELF_MACHINE)
    return PROF_LOADER_BAD_MACHINE;
  return header->type == ELF_SHARED &&
                 header->segment_bytes == sizeof(elf_segment)
             ? PROF_LOADER_GOOD
             : PROF_LOADER_BAD_HEADER;
}

/* The last segment alone is written. Addresses of the others are offsets in the
   file, and code does not refer to the last one, as the writer states. */
static void find_fixed_bytes(loader *load, const elf_header *header) {
  const elf_segment *segment = load->segments;
  unsigned left = load->segment_count;
  if (header->ident[7] != ELF_STANDALONE ||
      header->ident[8] != PROF_LOADER_IN_PLACE)
    return;
  for (; left > 1; --left, ++segment)
    if ((segment->flags & ELF_WRITE) || segment->offset != segment->address ||
        segment->file_bytes != segment->memory_bytes)
      return;
  if (segment->flags & ELF_WRITE)
    load->fixed_bytes = segment->address & ~(elf_word)(load->alignment - 1);
}

static int read_headers(loader *load, const void *file, size_t bytes) {
  elf_header header;
  unsigned index;
  int error;
  memset(load, 0, sizeof *load);
  load->file = file;
  load->file_bytes = bytes;
  load->alignment = 16;
  if (!file || bytes < sizeof header)
    return PROF_LOADER_BAD_FORMAT;
  memcpy(&header, file, sizeof header);
  error = check_header(&header);
  if (error)
    return error;
  load->entry = header.entry;
  if (!is_inside(header.segments, header.segment_count * sizeof(elf_segment),
                 bytes))
    return PROF_LOADER_BAD_HEADER;
  for (index = 0; index < header.segment_count; ++index) {
    elf_segment segment;
    memcpy(&segment, load->file + header.segments + index * sizeof(elf_segment),
           sizeof segment);
    error = add_segment(load, &segment);
    if (error)
      return error;
  }
  if (!load->segment_count)
    return PROF_LOADER_BAD_SEGMENT;
  find_fixed_bytes(load, &header);
  return PROF_LOADER_GOOD;
}

int prof_loader_measure(const void *file, size_t bytes,
                        prof_loader_size *size) {
  loader load;
  int error = read_headers(&load, file, bytes);
  size->bytes = load.bytes;
  size->alignment = load.alignment;
  size->in_place_bytes = load.fixed_bytes ? load.bytes - load.fixed_bytes : 0;
  return error;
}

/*===----------------------------------------------------------------------===*
 * Memory
 *===----------------------------------------------------------------------===*/

/* Whether `size` bytes at an address of the file are in a segment with the
   permissions `flags`. */
static int has_access(const loader *load, elf_word address, elf_word size,
                      uint32_t flags) {
  unsigned index;
  for (index = 0; index < load->segment_count; ++index) {
    const elf_segment *segment = &load->segments[index];
    if ((segment->flags & flags) == flags && address >= segment->address &&
        is_inside(address - segment->address, size, segment->memory_bytes))
      return 1;
  }
  return 0;
}

/* The place of an address of the file. */
static char *locate(const loader *load, elf_word address) {
  elf_word base =
      address < load->fixed_bytes ? load->fixed_base : load->moved_base;
  return (char *)(base + address);
}

/* Copies `size` bytes at an address of the file, if they may be read. */
static int fetch(const loader *load, void *to, elf_word address,
                 elf_word size) {
  if (!has_access(load, address, size, ELF_READ))
    return 0;
  memcpy(to, locate(load, address), size);
  return 1;
}

static void copy_segments(loader *load) {
  unsigned index;
  for (index = 0; index < load->segment_count; ++index) {
    const elf_segment *segment = &load->segments[index];
    char *place = locate(load, segment->address);
    if (segment->address < load->fixed_bytes)
      continue;
    memcpy(place, load->file + segment->offset, segment->file_bytes);
    memset(place + segment->file_bytes, 0,
           segment->memory_bytes - segment->file_bytes);
  }
}

static int protect(const loader *load, elf_word begin, elf_word end,
                   uint32_t flags) {
  int permissions = (flags & ELF_READ ? PROF_LOADER_READ : 0) |
                    (flags & ELF_WRITE ? PROF_LOADER_WRITE : 0) |
                    (flags & ELF_EXECUTE ? PROF_LOADER_EXECUTE : 0);
  return load->system->protect(load->system->context, locate(load, begin),
                               end - begin, permissions)
             ? PROF_LOADER_NOT_PROTECTED
             : PROF_LOADER_GOOD;
}

static int protect_segments(const loader *load) {
  unsigned index;
  int error = PROF_LOADER_GOOD;
  elf_word mask = ~(elf_word)(load->alignment - 1);
  if (!load->system || !load->system->protect)
    return PROF_LOADER_GOOD;
  for (index = 0; index < load->segment_count && !error; ++index) {
    const elf_segment *segment = &load->segments[index];
    error = protect(
        load, segment->address & mask,
        round_up(segment->address + segment->memory_bytes, load->alignment),
        segment->flags);
  }
  /* Relocations alone change this part. */
  if (!error && load->relro.memory_bytes &&
      has_access(load, load->relro.address, 1, ELF_WRITE) &&
      is_inside(load->relro.address, load->relro.memory_bytes, load->bytes))
    error = protect(load, load->relro.address & mask,
                    (load->relro.address + load->relro.memory_bytes) & mask,
                    ELF_READ);
  return error;
}

/*===----------------------------------------------------------------------===*
 * Relocations
 *===----------------------------------------------------------------------===*/

static int is_same(const char *first, const char *second) {
  while (*first && *first == *second)
    ++first, ++second;
  return *first == *second;
}

/* The address of a symbol. */
static int find_symbol(const loader *load, elf_word number, elf_word *value) {
  elf_symbol symbol;
  const char *name;
  size_t index;
  elf_word symbols = load->tags[ELF_SYMBOLS];
  if (number > load->bytes / sizeof symbol ||
      !fetch(load, &symbol, symbols + number * sizeof symbol, sizeof symbol))
    return PROF_LOADER_BAD_RELOCATION;
  if (symbol.section) {
    *value = (elf_word)locate(load, symbol.value);
    return symbol.value < load->bytes ? PROF_LOADER_GOOD
                                      : PROF_LOADER_BAD_RELOCATION;
  }
  /* The last of the names ends in the table. */
  if (symbol.name >= load->tags[ELF_STRING_BYTES])
    return PROF_LOADER_BAD_RELOCATION;
  name = locate(load, load->tags[ELF_STRINGS] + symbol.name);
  for (index = 0; load->system && index < load->system->import_count; ++index)
    if (is_same(name, load->system->imports[index].name)) {
      *value = load->system->imports[index].address;
      return PROF_LOADER_GOOD;
    }
  return PROF_LOADER_MISSING_IMPORT;
}

static int relocate(const loader *load, elf_relocation relocation) {
  elf_word value, type, number;
  int error;
#if ELF_IS_64
  type = relocation.info & UINT32_MAX;
  number = relocation.info >> 32;
#else
  type = relocation.info & 255;
  number = relocation.info >> 8;
#endif
  if (relocation.offset % sizeof value ||
      !has_access(load, relocation.offset, sizeof value, ELF_WRITE))
    return PROF_LOADER_BAD_RELOCATION;
  if (!ELF_HAS_ADDENDS) {
    memcpy(&relocation.addend, locate(load, relocation.offset),
           sizeof relocation.addend);
    /* The address of the code that would find the function. */
    if (type == ELF_JUMP)
      relocation.addend = 0;
  }
  if (type == ELF_RELATIVE) {
    if (relocation.addend >= load->bytes)
      return PROF_LOADER_BAD_RELOCATION;
    value = (elf_word)locate(load, relocation.addend);
  } else {
    if (type != ELF_ABSOLUTE && type != ELF_GLOBAL && type != ELF_JUMP)
      return PROF_LOADER_BAD_RELOCATION;
    error = find_symbol(load, number, &value);
    if (error)
      return error;
    value += relocation.addend;
  }
  memcpy(locate(load, relocation.offset), &value, sizeof value);
  return PROF_LOADER_GOOD;
}

static int relocate_all(const loader *load, elf_word table, elf_word bytes) {
  const elf_word size =
      ELF_HAS_ADDENDS ? sizeof(elf_relocation) : 2 * sizeof(elf_word);
  elf_relocation relocation = {0, 0, 0};
  int error = PROF_LOADER_GOOD;
  if (bytes % size)
    return PROF_LOADER_BAD_DYNAMIC;
  for (; bytes && !error; bytes -= size, table += size)
    error = fetch(load, &relocation, table, size) ? relocate(load, relocation)
                                                  : PROF_LOADER_BAD_DYNAMIC;
  return error;
}

/* The tags of the dynamic section up to `ELF_RELR`; others are not needed. */
static int read_dynamic(loader *load) {
  elf_word at = load->dynamic.address, left = load->dynamic.memory_bytes;
  elf_word names, bytes;
  elf_dynamic entry;
  for (; left >= sizeof entry; at += sizeof entry, left -= sizeof entry) {
    if (!fetch(load, &entry, at, sizeof entry))
      return PROF_LOADER_BAD_DYNAMIC;
    if (entry.tag == ELF_END)
      break;
    if (entry.tag <= ELF_RELR)
      load->tags[entry.tag] = entry.value;
    /* The loader does not run code, nor load other files. */
    if (entry.tag == ELF_NEEDED || entry.tag == ELF_INITIALIZER ||
        entry.tag == ELF_INITIALIZERS || entry.tag == ELF_PREINITIALIZERS ||
        entry.tag == ELF_TEXT_RELOCATIONS || entry.tag == ELF_RELR)
      return PROF_LOADER_BAD_DYNAMIC;
  }
  names = load->tags[ELF_STRINGS];
  bytes = load->tags[ELF_STRING_BYTES];
  return !bytes || (has_access(load, names, bytes, ELF_READ) &&
                    !*locate(load, names + bytes - 1))
             ? PROF_LOADER_GOOD
             : PROF_LOADER_BAD_DYNAMIC;
}

static int relocate_file(loader *load) {
  const elf_word *tags = load->tags;
  const int table = ELF_HAS_ADDENDS ? ELF_RELA : ELF_REL;
  int error;
  if (!load->dynamic.memory_bytes)
    return PROF_LOADER_GOOD;
  error = read_dynamic(load);
  /* A target has relocations of one kind. */
  if (!error && tags[ELF_HAS_ADDENDS ? ELF_REL_BYTES : ELF_RELA_BYTES])
    error = PROF_LOADER_BAD_DYNAMIC;
  if (!error)
    error = relocate_all(load, tags[table], tags[table + 1]);
  if (!error)
    error = relocate_all(load, tags[ELF_PLT], tags[ELF_PLT_BYTES]);
  return error;
}

/*===----------------------------------------------------------------------===*
 * The model
 *===----------------------------------------------------------------------===*/

/* Whether `size` bytes at an address of the loaded file may be accessed so. */
static int is_loaded(const loader *load, elf_word address, elf_word size,
                     uint32_t flags) {
  elf_word offset = address - load->fixed_base;
  if (offset >= load->fixed_bytes)
    offset = address - load->moved_base;
  return has_access(load, offset, size, flags);
}

static int check_model(const loader *load, const prof_loader_model **found) {
  prof_loader_model model;
  elf_word counts;
  if (load->entry % sizeof(elf_word) ||
      !fetch(load, &model, load->entry, sizeof model))
    return PROF_LOADER_BAD_MODEL;
  counts = (elf_word)model.argument_count + model.result_count;
  if (model.magic != PROF_LOADER_MAGIC ||
      model.argument_count > load->bytes / 8 ||
      model.result_count > load->bytes / 8 ||
      !is_loaded(load, (elf_word)model.bytes, counts * sizeof *model.bytes,
                 ELF_READ))
    return PROF_LOADER_BAD_MODEL;
  if (model.entry ? !is_loaded(load, (elf_word)model.entry, 1, ELF_EXECUTE)
                  : !is_loaded(load, (elf_word)model.program,
                               sizeof *model.program, ELF_READ))
    return PROF_LOADER_BAD_MODEL;
  if (model.reset && !is_loaded(load, (elf_word)model.reset, 1, ELF_EXECUTE))
    return PROF_LOADER_BAD_MODEL;
  *found = (const prof_loader_model *)(const void *)locate(load, load->entry);
  return PROF_LOADER_GOOD;
}

static int load_file(loader *load, void *memory, int is_in_place,
                     const prof_loader_model **model) {
  elf_word place = (elf_word)memory;
  int error;
  load->fixed_base = (elf_word)load->file;
  if (!is_in_place)
    load->fixed_bytes = 0;
  else if (!load->fixed_bytes)
    return PROF_LOADER_NOT_IN_PLACE;
  else
    place |= load->fixed_base;
  if (!memory || place % load->alignment)
    return PROF_LOADER_BAD_MEMORY;
  load->moved_base = (elf_word)memory - load->fixed_bytes;
  copy_segments(load);
  error = relocate_file(load);
  if (!error)
    error = check_model(load, model);
  return error ? error : protect_segments(load);
}

static int load_any(const void *file, size_t bytes, void *memory,
                    int is_in_place, const prof_loader_system *system,
                    const prof_loader_model **model) {
  loader load;
  int error = read_headers(&load, file, bytes);
  load.system = system;
  return error ? error : load_file(&load, memory, is_in_place, model);
}

int prof_loader_load(const void *file, size_t bytes, void *memory,
                     const prof_loader_system *system,
                     const prof_loader_model **model) {
  return load_any(file, bytes, memory, 0, system, model);
}

int prof_loader_load_in_place(const void *file, size_t bytes, void *memory,
                              const prof_loader_system *system,
                              const prof_loader_model **model) {
  return load_any(file, bytes, memory, 1, system, model);
}

const char *prof_loader_text(int error) {
#ifdef PROF_LOADER_NO_TEXTS
  (void)error;
  return "";
#else
  static const char *const texts[] = {
      "is good",
      "is not ELF",
      "is for another kind of processor",
      "does not have the header of a model",
      "has a segment that is not whole or shares pages with another",
      "has memory that may be both written and executed",
      "has a table that is not whole, or needs more than memory",
      "has a relocation of unknown kind or to a place outside of it",
      "needs a function that the system does not give",
      "does not describe a model of this version of mlir-prof",
      "does not get aligned memory",
      "does not get memory that is protected",
      "has code that must be loaded near its variables, not in place"};
  return error >= 0 && (size_t)error < sizeof texts / sizeof *texts
             ? texts[error]
             : "has an unknown error";
#endif
}
