/*===- Model.c - Compiled models ------------------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ModelInternal.h"

#include <dlfcn.h>
#include <stdlib.h>

pthread_mutex_t pmd_registry = PTHREAD_MUTEX_INITIALIZER;
prof_model *pmd_models;

/*===----------------------------------------------------------------------===*
 * Closing
 *===----------------------------------------------------------------------===*/

static int has_plan(const prof_model *model, const pex_plan *plan) {
  for (uint32_t index = 0; index < model->plan_count; ++index)
    if (model->plans[index] == plan)
      return 1;
  return 0;
}

void pmd_keep_plan(prof_model *model, pex_plan *plan) {
  prt_acquire(&pmd_fault_lock);
  if (plan && !has_plan(model, plan)) {
    pex_plan **plans =
        realloc(model->plans, (model->plan_count + 1) * sizeof *plans);
    if (plans) {
      plans[model->plan_count++] = plan;
      model->plans = plans;
    }
  }
  prt_release(&pmd_fault_lock);
}

/* Plans live as long as the library, which the loader has once for all models
 * of a file without variables. Under the lock. */
static void release_plans(prof_model *model) {
  prof_model *heir = pmd_models;
  while (heir && heir->library != model->library)
    heir = heir->next;
  for (uint32_t index = 0; index < model->plan_count; ++index)
    if (heir)
      pmd_keep_plan(heir, model->plans[index]);
    else
      pex_free_plan(model->plans[index]);
  free(model->plans);
}

void prof_model_close(prof_model *model) {
  if (!model)
    return;
  pthread_mutex_lock(&pmd_registry);
  prof_model **link = &pmd_models;
  while (*link && *link != model)
    link = &(*link)->next;
  if (*link)
    *link = model->next;
  release_plans(model);
  if (model->library)
    dlclose(model->library);
  pthread_mutex_unlock(&pmd_registry);
  pthread_mutex_destroy(&model->lock);
  pmd_free_file(&model->file);
  free((void *)model->info.constants);
  free(model->sources);
  free(model->path);
  free(model);
}

const prof_model_info *prof_model_get_info(const prof_model *model) {
  return &model->info;
}

/*===----------------------------------------------------------------------===*
 * Calls
 *===----------------------------------------------------------------------===*/

/* Runs a function of the model's code. Returns 0 if it returned. */
static int call_guarded(pmd_call *call, void (*function)(void **),
                        void **addresses) {
  call->outer = pmd_current;
  if (_setjmp(call->place)) {
    pmd_current = call->outer;
    return 1;
  }
  pmd_current = call;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  function(addresses);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  pmd_current = call->outer;
  return 0;
}

static void begin_call(pmd_call *call, prof_model *model) {
  call->cancel = call->depth = call->has_fault = call->is_leaving = 0;
  call->model = model;
  call->owner = NULL;
  call->blocks = NULL;
  call->outputs = NULL;
  call->allocations = 0;
  call->file_begin = call->file_end = NULL;
  call->fault.place = call->fault.caller = call->fault.stack = 0;
  call->fault.instance = UINT32_MAX;
  call->fault.message[0] = 0;
}

int pmd_read_guarded(prof_model *model, const void *begin, uint64_t size,
                     void (*work)(void **), void **arguments) {
  pmd_call call;
  begin_call(&call, model);
  call.file_begin = begin;
  call.file_end = call.file_begin + size;
  return call_guarded(&call, work, arguments);
}

/* One call after the other, if there are variables. */
static int run(prof_model *model, void (*function)(void **), void **addresses,
               const prof_model_output *outputs, prof_model_failure *failure) {
  pmd_call call;
  begin_call(&call, model);
  call.outputs = outputs;
  pmd_give_stack();
  if (model->reset)
    pthread_mutex_lock(&model->lock);
  int has_failed = call_guarded(&call, function, addresses);
  if (model->reset)
    pthread_mutex_unlock(&model->lock);
  if (!has_failed) {
    if (outputs)
      pmd_note_sources(model, addresses, &call);
    pmd_keep_blocks(&call);
    return 0;
  }
  pmd_free_blocks(&call);
  pmd_describe(model, &call.fault, failure);
  return 1;
}

int prof_model_call(prof_model *model, void **addresses,
                    prof_model_failure *failure) {
  return run(model, model->entry, addresses, NULL, failure);
}

int prof_model_call_into(prof_model *model, void **addresses,
                         const prof_model_output *outputs,
                         prof_model_failure *failure) {
  return run(model, model->entry, addresses, outputs, failure);
}

int prof_model_reset(prof_model *model, prof_model_failure *failure) {
  return model->reset ? run(model, model->reset, NULL, NULL, failure) : 0;
}
