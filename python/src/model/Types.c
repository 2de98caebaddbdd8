/*===- Types.c - Types of elements ----------------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Model.h"

#include <stdlib.h>
#include <strings.h>

typedef struct named_type {
  const char *name;
  pmo_dtype dtype;
} named_type;

/* MLIR's names, but for integers and complex numbers. */
static const named_type floats[] = {
    {"f16", {PMO_FLOAT, 16, 1}},
    {"f32", {PMO_FLOAT, 32, 1}},
    {"f64", {PMO_FLOAT, 64, 1}},
    {"bf16", {PMO_BFLOAT, 16, 1}},
    {"f8E3M4", {PMO_FLOAT8_E3M4, 8, 1}},
    {"f8E4M3", {PMO_FLOAT8_E4M3, 8, 1}},
    {"f8E4M3B11FNUZ", {PMO_FLOAT8_E4M3B11FNUZ, 8, 1}},
    {"f8E4M3FN", {PMO_FLOAT8_E4M3FN, 8, 1}},
    {"f8E4M3FNUZ", {PMO_FLOAT8_E4M3FNUZ, 8, 1}},
    {"f8E5M2", {PMO_FLOAT8_E5M2, 8, 1}},
    {"f8E5M2FNUZ", {PMO_FLOAT8_E5M2FNUZ, 8, 1}},
    {"f8E8M0FNU", {PMO_FLOAT8_E8M0FNU, 8, 1}},
};

static int parse_float(const char *type, size_t size, pmo_dtype *dtype) {
  for (size_t index = 0; index < sizeof floats / sizeof *floats; ++index)
    if (strlen(floats[index].name) == size &&
        !memcmp(floats[index].name, type, size)) {
      *dtype = floats[index].dtype;
      return 1;
    }
  return 0;
}

/* "i8", "ui8", "si8", "index". */
static int parse_integer(const char *type, pmo_value *value) {
  if (!strcmp(type, "index")) {
    value->dtype = (pmo_dtype){PMO_INT, 64, 1};
    return 1;
  }
  const char *digits = type;
  digits += *digits == 'u' || *digits == 's';
  if (*digits++ != 'i')
    return 0;
  unsigned long bits = strtoul(digits, NULL, 10);
  if (bits == 1)
    value->dtype = (pmo_dtype){PMO_BOOL, 8, 1};
  else if (bits == 8 || bits == 16 || bits == 32 || bits == 64)
    value->dtype =
        (pmo_dtype){*type == 'u' ? PMO_UINT : PMO_INT, (uint8_t)bits, 1};
  else
    return 0;
  value->is_signless = *type == 'i';
  return 1;
}

int pmo_parse_type(const char *type, pmo_value *value) {
  static const char complex[] = "complex<";
  value->is_signless = 0;
  size_t size = strlen(type), begin = sizeof complex - 1;
  if (parse_float(type, size, &value->dtype))
    return 1;
  if (strncmp(type, complex, begin))
    return parse_integer(type, value);
  if (!parse_float(type + begin, size - begin - 1, &value->dtype) ||
      value->dtype.code != PMO_FLOAT)
    return 0;
  value->dtype = (pmo_dtype){PMO_COMPLEX, (uint8_t)(2 * value->dtype.bits), 1};
  return 1;
}

void pmo_write_dtype(pmo_dtype dtype, char *text, size_t room) {
  static const char *const names[] = {"int",    "uint",    "float", "opaque",
                                      "bfloat", "complex", "bool"};
  for (size_t index = 0; index < sizeof floats / sizeof *floats; ++index)
    if (dtype.code > PMO_BOOL && dtype.code == floats[index].dtype.code) {
      snprintf(text, room, "float8_%s", floats[index].name + 2);
      return;
    }
  if (dtype.code == PMO_BOOL)
    snprintf(text, room, "bool");
  else
    snprintf(text, room, "%s%u%s%.0u",
             dtype.code < PMO_BOOL ? names[dtype.code] : "type ", dtype.bits,
             dtype.lanes == 1 ? "" : "x", dtype.lanes == 1 ? 0 : dtype.lanes);
}

int pmo_parse_dtype(const char *name, pmo_dtype *dtype) {
  char known[64];
  /* Its part is in the list. */
  *dtype = (pmo_dtype){PMO_COMPLEX, 32, 1};
  pmo_write_dtype(*dtype, known, sizeof known);
  if (!strcasecmp(known, name))
    return 1;
  for (size_t index = 0; index < sizeof floats / sizeof *floats; ++index) {
    pmo_write_dtype(floats[index].dtype, known, sizeof known);
    if (pmo_get_format(floats[index].dtype) || strcasecmp(known, name))
      continue;
    *dtype = floats[index].dtype;
    return 1;
  }
  return 0;
}

/*===----------------------------------------------------------------------===*
 * Formats of the buffer protocol
 *===----------------------------------------------------------------------===*/

typedef struct format {
  const char *name;
  uint8_t code, bits;
} format;

static const format formats[] = {
    {"f", PMO_FLOAT, 32},    {"d", PMO_FLOAT, 64},    {"e", PMO_FLOAT, 16},
    {"q", PMO_INT, 64},      {"i", PMO_INT, 32},      {"h", PMO_INT, 16},
    {"b", PMO_INT, 8},       {"Q", PMO_UINT, 64},     {"I", PMO_UINT, 32},
    {"H", PMO_UINT, 16},     {"B", PMO_UINT, 8},      {"?", PMO_BOOL, 8},
    {"Zf", PMO_COMPLEX, 64}, {"Zd", PMO_COMPLEX, 128}};

const char *pmo_get_format(pmo_dtype dtype) {
  for (size_t index = 0; index < sizeof formats / sizeof *formats; ++index)
    if (formats[index].code == dtype.code && formats[index].bits == dtype.bits)
      return formats[index].name;
  return NULL;
}

int pmo_parse_format(const char *name, Py_ssize_t size, pmo_dtype *dtype) {
  if (!name)
    name = "B";
  /* Native order, which is little endian here. */
  if (*name == '@' || *name == '=' || *name == '<')
    ++name;
  /* These have 4 or 8 bytes, which `size` tells. */
  if (!strcmp(name, "l") || !strcmp(name, "n") || !strcmp(name, "L") ||
      !strcmp(name, "N")) {
    *dtype = (pmo_dtype){*name == 'l' || *name == 'n' ? PMO_INT : PMO_UINT,
                         (uint8_t)(8 * size), 1};
    return 1;
  }
  for (size_t index = 0; index < sizeof formats / sizeof *formats; ++index)
    if (!strcmp(formats[index].name, name)) {
      *dtype = (pmo_dtype){formats[index].code, formats[index].bits, 1};
      return 1;
    }
  return 0;
}
