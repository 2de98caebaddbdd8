/*===- ModelOutputs.c - Results in memory of the caller -------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Code allocates its results itself. The allocation that became a result in an
 * earlier call, the same one by the same instruction, nearly always does so
 * again: it gets the caller's memory. If that becomes something else this time,
 * it is memory like any other, and the result is copied.
 *
 *===----------------------------------------------------------------------===*/

#include "ModelInternal.h"

uint64_t pmd_name_allocation(pmd_call *call, uintptr_t caller) {
  uintptr_t place = caller - call->model->text_begin;
  return (uint64_t)place << 32 | ++call->allocations;
}

void *pmd_take_output(const pmd_call *call, uint64_t name, size_t size,
                      size_t alignment) {
  const prof_model *model = call->model;
  if (alignment < PMD_LINE)
    alignment = PMD_LINE;
  for (uint32_t index = 0; index < model->info.result_count; ++index) {
    const prof_model_output *output = &call->outputs[index];
    if (output->data && (uintptr_t)output->data % alignment == 0 &&
        RT_LOAD(&model->sources[index].name) == name &&
        output->size + RT_LOAD(&model->sources[index].padding) == size)
      return output->data;
  }
  return NULL;
}

const prof_model_output *pmd_find_output(const pmd_call *call,
                                         const void *pointer) {
  while (call && call->owner)
    call = call->owner;
  if (!call || !call->outputs || !pointer)
    return NULL;
  for (uint32_t index = 0; index < call->model->info.result_count; ++index)
    if (call->outputs[index].data == pointer)
      return &call->outputs[index];
  return NULL;
}

static uint64_t count_bytes(const prof_model_value *value,
                            const int64_t *sizes) {
  uint64_t bytes = value->bytes_per_element;
  for (uint32_t index = 0; index < value->rank; ++index)
    bytes *= (uint64_t)sizes[index];
  return bytes;
}

void pmd_note_sources(prof_model *model, void **addresses,
                      const pmd_call *call) {
  const prof_model_info *info = &model->info;
  for (uint32_t index = 0; index < info->result_count; ++index) {
    if (info->results[index].is_scalar)
      continue;
    const int64_t *words = addresses[info->argument_count + index];
    char *memory = (char *)(uintptr_t)words[0];
    if (!memory || pmd_find_output(call, memory))
      continue;
    const pmd_block *block = (const pmd_block *)(memory - sizeof(pmd_block));
    uint64_t bytes = count_bytes(&info->results[index], words + 3);
    /* More than code aligns by is memory for something else, too. */
    int is_whole =
        block->requested >= bytes && block->requested - bytes <= PMD_LINE;
    RT_STORE(&model->sources[index].padding, block->requested - bytes);
    RT_STORE(&model->sources[index].name, is_whole ? block->name : 0);
  }
}
