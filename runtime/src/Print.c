/*===- Print.c - Measurements as text --------------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Internal.h"

typedef void (*put_byte)(char byte);

static void put_text(put_byte put, const char *text) {
  while (*text)
    put(*text++);
}

static void put_digits(put_byte put, uint32_t value, unsigned digits) {
  while (digits-- > 0)
    put("0123456789abcdef"[value >> (4 * digits) & 15]);
}

static void put_frame(put_byte put, const char *bytes, uint32_t offset,
                      uint32_t size) {
  char place[4];
  for (unsigned byte = 0; byte < sizeof place; ++byte)
    place[byte] = (char)(offset >> (8 * byte));
  uint32_t sum =
      prt_checksum(prt_checksum(0, place, sizeof place), bytes + offset, size);
  put_text(put, "~prof ");
  put_digits(put, offset, 8);
  put(' ');
  for (uint32_t byte = 0; byte < size; ++byte)
    put_digits(put, (unsigned char)bytes[offset + byte], 2);
  put(' ');
  put_digits(put, sum, 8);
  put('\n');
}

/* Memory for `size` bytes, which grows from call to call; or null. */
static char *get_buffer(uint64_t size) {
  static char *buffer;
  static uint64_t capacity;
  if (size > capacity) {
    char *made = size > UINT32_MAX ? NULL : prt_allocate(size);
    if (!made)
      return NULL;
    buffer = made;
    capacity = size;
  }
  return buffer;
}

int prof_rt_print(void (*put)(char byte)) {
  uint64_t size = prt_serialize(NULL, 0);
  char *buffer = get_buffer(size);
  /* Other threads may have measured more since. */
  if (!buffer || prt_serialize(buffer, size) > size) {
    put_text(put, "~prof memory\n");
    return 1;
  }
  for (uint64_t at = 0; at < size; at += PROF_RAW_FRAME) {
    uint64_t left = size - at;
    put_frame(put, buffer, (uint32_t)at,
              (uint32_t)(left < PROF_RAW_FRAME ? left : PROF_RAW_FRAME));
  }
  put_text(put, "~prof ");
  put_digits(put, (uint32_t)size, 8);
  put_text(put, " end ");
  put_digits(put, prt_checksum(0, buffer, size), 8);
  put('\n');
  return 0;
}
