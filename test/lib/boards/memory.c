/* memory.c - The functions of C that code of models may call
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t count) {
  unsigned char *target = to;
  const unsigned char *source = from;
  while (count-- > 0)
    *target++ = *source++;
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  unsigned char *target = to;
  const unsigned char *source = from;
  if (target < source)
    return memcpy(to, from, count);
  while (count-- > 0)
    target[count] = source[count];
  return to;
}

void *memset(void *to, int value, size_t count) {
  unsigned char *target = to;
  while (count-- > 0)
    *target++ = (unsigned char)value;
  return to;
}

/* Numbers from 2^23 on do not have a fraction. */
float floorf(float x) {
  if (!(x > -8388608.0f && x < 8388608.0f))
    return x;
  float whole = (float)(int)x;
  return whole > x ? whole - 1.0f : whole;
}
