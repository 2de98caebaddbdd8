/* mpu.c - Runs a model whose memory is protected, and does what may fault
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "board.h"
#include "mlir-prof/Runtime/prof_mpu.h"
#include "model.h"

extern unsigned char model_code_begin[], model_constants_begin[];
extern const float x[], w[], first[], last[];

static _Alignas(
    MODEL_ARENA_REGION_ALIGNMENT) unsigned char arena[MODEL_ARENA_REGION_BYTES];
static float results[2][64];

static void print(const char *text) {
  size_t length = 0;
  while (text[length] != 0)
    ++length;
  board_write(text, length);
}

static int is_right(void) {
  for (int i = 0; i < 64; ++i)
    if (results[0][i] != last[i] || results[1][i] != first[i])
      return 0;
  return 1;
}

static int protect(void) {
  const prof_mpu_region regions[] = {
      {model_code_begin, MODEL_CODE_REGION_BYTES,
       PROF_MPU_READ | PROF_MPU_EXECUTE},
      {model_constants_begin, MODEL_CONSTANTS_REGION_BYTES, PROF_MPU_READ},
      {arena, MODEL_ARENA_REGION_BYTES, PROF_MPU_READ | PROF_MPU_WRITE}};
  const prof_mpu_region wrong[] = {
      {arena + 4, MODEL_ARENA_REGION_BYTES, PROF_MPU_READ},
      {arena, MODEL_ARENA_REGION_BYTES,
       PROF_MPU_READ | PROF_MPU_WRITE | PROF_MPU_EXECUTE},
      {arena, MODEL_ARENA_REGION_BYTES, PROF_MPU_WRITE}};
  if (prof_mpu_protect(&wrong[0], 1, 0) != PROF_MPU_MISALIGNED ||
      prof_mpu_protect(&wrong[1], 1, 0) != PROF_MPU_BAD_PERMISSIONS ||
      prof_mpu_protect(&wrong[2], 1, 0) != PROF_MPU_BAD_PERMISSIONS ||
      prof_mpu_protect(regions, 3, 1000) != PROF_MPU_TOO_MANY)
    return -1;
  return PROTECTED ? prof_mpu_protect(regions, 3, 0) : 0;
}

static void store(unsigned char *place) {
  *(volatile unsigned char *)place = *(volatile unsigned char *)place;
}

/* Runs code in the arena: that returns. */
static void execute(void) {
  const uint16_t kReturn = 0x4770;
  *(volatile uint16_t *)(void *)arena = kReturn;
  __asm__ volatile("dsb\n\tisb");
  ((void (*)(void))((uintptr_t)arena | 1))();
}

int main(void) {
  if (protect() != PROF_MPU_GOOD) {
    print("not protected\n");
    return 1;
  }
  if (model_run(x, w, results[0], results[1], arena, sizeof arena) !=
          MODEL_OK ||
      !is_right()) {
    print("wrong\n");
    return 1;
  }
  print("right\n");
  store(arena + MODEL_ARENA_BYTES - 1);
  if (ACTION == 1)
    store(model_code_begin);
  if (ACTION == 2)
    store(model_constants_begin + MODEL_CONSTANTS_REGION_BYTES - 1);
  if (ACTION == 3)
    execute();
  print("no fault\n");
  return 0;
}
