/*===- ModelFile.c - Reading compiled models ------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Nothing of a file is believed before it was checked: lengths against what is
 * left, and bytes against their hashes.
 *
 *===----------------------------------------------------------------------===*/

#include "ModelFile.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__)
#define PMD_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define PMD_MACHINE EM_AARCH64
#else
#define PMD_MACHINE EM_NONE
#endif

static int fail(char *error, const char *path, const char *what) {
  snprintf(error, PROF_MODEL_TEXT, "%s: %s", path, what);
  return 0;
}

/*===----------------------------------------------------------------------===*
 * Fields
 *===----------------------------------------------------------------------===*/

/* After the first missing field, all fields are 0. */
typedef struct reader {
  const char *at;
  uint64_t left;
  int is_good;
} reader;

static uint64_t get_integer(reader *from) {
  uint64_t value = 0;
  if (!from->is_good || from->left < sizeof value) {
    from->is_good = 0;
    return 0;
  }
  memcpy(&value, from->at, sizeof value);
  from->at += sizeof value;
  from->left -= sizeof value;
  return value;
}

/* A copy of a text, which is to be freed; null if it is missing. */
static char *get_text(reader *from) {
  uint64_t size = get_integer(from);
  if (!from->is_good || size > from->left) {
    from->is_good = 0;
    return NULL;
  }
  char *text = malloc(size + 1);
  if (!text) {
    from->is_good = 0;
    return NULL;
  }
  memcpy(text, from->at, size);
  text[size] = 0;
  from->at += size;
  from->left -= size;
  return text;
}

static int64_t *get_dims(reader *from, uint64_t rank) {
  if (rank > from->left / sizeof(int64_t)) {
    from->is_good = 0;
    return NULL;
  }
  int64_t *dims = calloc(rank + 1, sizeof *dims);
  if (!dims)
    from->is_good = 0;
  for (uint64_t index = 0; dims && index < rank; ++index) {
    dims[index] = (int64_t)get_integer(from);
    if (dims[index] < 0 && dims[index] != PROF_MODEL_ANY_SIZE)
      from->is_good = 0;
  }
  return dims;
}

static void get_value(reader *from, prof_model_value *value) {
  value->name = get_text(from);
  value->type = get_text(from);
  value->bytes_per_element = get_integer(from);
  value->is_scalar = get_integer(from) != 0;
  value->is_written = get_integer(from) != 0;
  uint64_t rank = get_integer(from);
  value->dims = get_dims(from, rank);
  value->rank = (uint32_t)rank;
  /* Numbers have at most two parts of 64 bits. */
  if (value->bytes_per_element == 0 || value->bytes_per_element > 16)
    from->is_good = 0;
}

static prof_model_value *get_values(reader *from, uint32_t *count) {
  /* A value has at least six numbers. */
  enum { LEAST = 6 * sizeof(uint64_t) };
  uint64_t number = get_integer(from);
  if (number > from->left / LEAST) {
    from->is_good = 0;
    return NULL;
  }
  prof_model_value *values = calloc(number + 1, sizeof *values);
  if (!values) {
    from->is_good = 0;
    return NULL;
  }
  *count = (uint32_t)number;
  for (uint64_t index = 0; from->is_good && index < number; ++index)
    get_value(from, &values[index]);
  return values;
}

/*===----------------------------------------------------------------------===*
 * The interface
 *===----------------------------------------------------------------------===*/

static int has_feature(unsigned bit) {
  switch (bit) {
#define FEATURE(BIT, NAME)                                                     \
  case BIT:                                                                    \
    return __builtin_cpu_supports(NAME) != 0;
    PROF_MODEL_FEATURES(FEATURE)
#undef FEATURE
  default:
    return 0;
  }
}

static const char *get_feature_name(unsigned bit) {
  switch (bit) {
#define FEATURE(BIT, NAME)                                                     \
  case BIT:                                                                    \
    return NAME;
    PROF_MODEL_FEATURES(FEATURE)
#undef FEATURE
  default:
    return "instructions that this version does not know";
  }
}

static int check_processor(uint64_t features, const char *path, char *error) {
  for (unsigned bit = 0; bit < 64; ++bit)
    if ((features >> bit & 1) && !has_feature(bit)) {
      snprintf(error, PROF_MODEL_TEXT,
               "%s: is for a processor with %s, which this one lacks\n  hint: "
               "Compile the model on this machine, or with --cpu.",
               path, get_feature_name(bit));
      return 0;
    }
  return 1;
}

static int read_interface(reader from, const char *path, pmd_file *file,
                          char *error) {
  uint64_t machine = get_integer(&from), threads = get_integer(&from);
  file->threads = threads < 1024 ? (uint32_t)threads : 1024;
  file->flags = get_integer(&from);
  uint64_t features = get_integer(&from);
  file->state_bytes = get_integer(&from);
  file->text_begin = (int64_t)get_integer(&from);
  file->text_end = (int64_t)get_integer(&from);
  if (from.is_good && machine != PMD_MACHINE)
    return fail(error, path,
                "is for another kind of processor\n  hint: Compile the model "
                "on this machine.");
  if (from.is_good && !check_processor(features, path, error))
    return 0;
  file->fingerprint = get_text(&from);
  file->arguments = get_values(&from, &file->argument_count);
  file->results = get_values(&from, &file->result_count);
  if (!from.is_good || from.left || file->text_begin > 0 ||
      file->text_end < file->text_begin)
    return fail(error, path, "is damaged: its interface is not whole");
  return 1;
}

/*===----------------------------------------------------------------------===*
 * Places
 *===----------------------------------------------------------------------===*/

/* The arrays of a section of places. */
typedef struct places_view {
  prof_model_places header;
  const prof_model_place *rows;
  const uint32_t *ends;
  const char *texts;
} places_view;

/* 0 if the section is not whole. */
static int view_places(const char *bytes, uint64_t size, places_view *view) {
  if (size < sizeof view->header)
    return 0;
  memcpy(&view->header, bytes, sizeof view->header);
  uint64_t rows = view->header.rows * (uint64_t)sizeof *view->rows;
  uint64_t ends = view->header.texts * (uint64_t)sizeof *view->ends;
  if (rows + ends > size - sizeof view->header)
    return 0;
  const char *at = bytes + sizeof view->header;
  view->rows = (const prof_model_place *)at;
  view->ends = (const uint32_t *)(at + rows);
  view->texts = at + rows + ends;
  uint64_t left = size - sizeof view->header - rows - ends;
  uint32_t before = 0;
  for (uint32_t index = 0; index < view->header.texts; ++index) {
    if (view->ends[index] < before || view->ends[index] > left)
      return 0;
    before = view->ends[index];
  }
  for (uint32_t index = 0; index < view->header.rows; ++index)
    if (view->rows[index].text != UINT32_MAX &&
        view->rows[index].text >= view->header.texts)
      return 0;
  return 1;
}

/* The number of rows that begin at `offset` or before. */
static uint32_t count_rows(const places_view *view, uint64_t offset) {
  uint32_t first = 0, last = view->header.rows;
  while (first < last) {
    uint32_t middle = first + (last - first) / 2;
    if (view->rows[middle].begin <= offset)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

const char *pmd_find_place(const pmd_file *file, uint64_t offset,
                           uint32_t instance, uint32_t *size) {
  places_view view;
  if (!file->places || !view_places(file->places, file->places_size, &view))
    return NULL;
  uint32_t end = count_rows(&view, offset), text = UINT32_MAX;
  for (uint32_t row = end;
       row-- > 0 && view.rows[row].begin == view.rows[end - 1].begin;) {
    /* The row of any dispatch comes last. */
    if (row == end - 1 || view.rows[row].instance == instance)
      text = view.rows[row].text;
  }
  if (text == UINT32_MAX)
    return NULL;
  uint32_t begin = text ? view.ends[text - 1] : 0;
  *size = view.ends[text] - begin;
  return view.texts + begin;
}

/*===----------------------------------------------------------------------===*
 * The file
 *===----------------------------------------------------------------------===*/

static int check_footer(const char *bytes, uint64_t size, const char *path,
                        prof_model_footer *footer, char *error) {
  static const char magic[] = PROF_MODEL_MAGIC;
  if (size < sizeof *footer || memcmp(bytes + size - sizeof footer->magic,
                                      magic, sizeof footer->magic - 1))
    return fail(error, path, "is not a compiled model, or it is cut off");
  memcpy(footer, bytes + size - sizeof *footer, sizeof *footer);
  if (memcmp(footer->magic, magic, sizeof footer->magic))
    return fail(error, path,
                "is a compiled model of another version of mlir-prof\n  hint: "
                "Compile the model again.");
  uint64_t end = size - sizeof *footer, offset = footer->directory_offset;
  if (offset > end || (end - offset) % sizeof(prof_model_section) != 0 ||
      (end - offset) / sizeof(prof_model_section) != footer->sections ||
      footer->hash !=
          prof_model_hash_more(prof_model_hash(bytes + offset, end - offset),
                               footer, offsetof(prof_model_footer, hash)))
    return fail(error, path, "is damaged: its directory has changed");
  return 1;
}

static int check_library(const char *bytes, const char *path,
                         const prof_model_footer *footer, char *error) {
  uint64_t size = footer->library_bytes, begin = footer->constants_begin,
           end = footer->constants_end;
  if (size > footer->directory_offset || size < sizeof(Elf64_Ehdr) ||
      begin > end || end > size ||
      footer->library_hash !=
          prof_model_hash_more(prof_model_hash(bytes, begin), bytes + end,
                               size - end))
    return fail(error, path, "is damaged: its code has changed");
  Elf64_Ehdr header;
  memcpy(&header, bytes, sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_type != ET_DYN ||
      header.e_machine != PMD_MACHINE)
    return fail(error, path, "is damaged: it does not begin with a library");
  return 1;
}

/* The section of `kind`; nothing if it is missing. 0 if it is damaged. */
static int find_section(const char *bytes, const prof_model_footer *footer,
                        uint64_t kind, reader *found) {
  *found = (reader){bytes, 0, 1};
  for (uint64_t index = 0; index < footer->sections; ++index) {
    prof_model_section section;
    memcpy(&section, bytes + footer->directory_offset + index * sizeof section,
           sizeof section);
    if (section.kind != kind)
      continue;
    if (section.offset > footer->directory_offset ||
        section.size > footer->directory_offset - section.offset ||
        section.hash != prof_model_hash(bytes + section.offset, section.size))
      return 0;
    *found = (reader){bytes + section.offset, section.size, 1};
    return 1;
  }
  return 1;
}

/* A copy with the alignment of its words. */
static int copy_places(reader from, pmd_file *file) {
  places_view view;
  file->places = malloc(from.left + 1);
  if (!file->places)
    return 0;
  memcpy(file->places, from.at, from.left);
  file->places_size = from.left;
  return !from.left || view_places(file->places, from.left, &view);
}

static void get_constant(reader *from, const prof_model_footer *footer,
                         pmd_constant *constant) {
  constant->address = get_integer(from);
  constant->size = get_integer(from);
  constant->alignment = get_integer(from);
  uint64_t count = get_integer(from);
  if (!from->is_good || count > from->left / sizeof(uint64_t) ||
      constant->size > footer->constants_end - footer->constants_begin ||
      !constant->alignment ||
      !(constant->slots = calloc(count + 1, sizeof *constant->slots))) {
    from->is_good = 0;
    return;
  }
  constant->slot_count = count;
  for (uint64_t index = 0; index < count; ++index)
    constant->slots[index] = get_integer(from);
}

/* A file without the section does not have constants that can be shared. */
static int read_constants(reader from, pmd_file *file) {
  enum { LEAST = 4 * sizeof(uint64_t) };
  if (!from.left)
    return 1;
  uint64_t count = get_integer(&from);
  if (count > from.left / LEAST)
    return 0;
  file->constants = calloc(count + 1, sizeof *file->constants);
  if (!file->constants)
    return 0;
  file->constant_count = (uint32_t)count;
  for (uint64_t index = 0; from.is_good && index < count; ++index)
    get_constant(&from, &file->footer, &file->constants[index]);
  return from.is_good && !from.left;
}

int pmd_parse_file(const char *bytes, uint64_t size, const char *path,
                   pmd_file *file, char *error) {
  memset(file, 0, sizeof *file);
  reader interface, places, constants;
  if (!check_footer(bytes, size, path, &file->footer, error) ||
      !check_library(bytes, path, &file->footer, error))
    return 0;
  if (!find_section(bytes, &file->footer, PROF_MODEL_INTERFACE_SECTION,
                    &interface) ||
      !find_section(bytes, &file->footer, PROF_MODEL_PLACES_SECTION, &places) ||
      !find_section(bytes, &file->footer, PROF_MODEL_CONSTANTS_SECTION,
                    &constants))
    return fail(error, path, "is damaged: a section has changed");
  if (!read_interface(interface, path, file, error)) {
    pmd_free_file(file);
    return 0;
  }
  if (!copy_places(places, file)) {
    pmd_free_file(file);
    return fail(error, path, "is damaged: its places are not whole");
  }
  if (!read_constants(constants, file)) {
    pmd_free_file(file);
    return fail(error, path, "is damaged: its constants are not whole");
  }
  return 1;
}

static void free_values(prof_model_value *values, uint32_t count) {
  for (uint32_t index = 0; values && index < count; ++index) {
    free((void *)values[index].name);
    free((void *)values[index].type);
    free((void *)values[index].dims);
  }
  free(values);
}

void pmd_free_file(pmd_file *file) {
  free_values(file->arguments, file->argument_count);
  free_values(file->results, file->result_count);
  free(file->fingerprint);
  free(file->places);
  for (uint32_t index = 0; index < file->constant_count; ++index)
    free(file->constants[index].slots);
  free(file->constants);
  memset(file, 0, sizeof *file);
}
