/*===- Stack.c - Open scopes of a thread -----------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Scopes.h"

#include "ScopeInternal.h"

#include <pthread.h>

#define PSC_DEPTH 64
/* Entries of the cache of names. */
#define PSC_CACHE 1024

__thread psc_stack *psc_current;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static psc_stack *all;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

uint64_t psc_make_serial(void) {
  static uint64_t last = PSC_FREE;
#ifdef Py_GIL_DISABLED
  return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
#else
  return ++last;
#endif
}

/*===----------------------------------------------------------------------===*
 * Threads
 *===----------------------------------------------------------------------===*/

static void free_stack(void *ended) {
  psc_stack *stack = ended;
  psc_current = NULL;
  pthread_mutex_lock(&lock);
  for (psc_stack **link = &all; *link; link = &(*link)->next)
    if (*link == stack) {
      *link = stack->next;
      break;
    }
  pthread_mutex_unlock(&lock);
  free(stack->entries);
  free(stack);
}

static void hold(void) { pthread_mutex_lock(&lock); }
static void let_go(void) { pthread_mutex_unlock(&lock); }

static void arrange(void) {
  pthread_key_create(&key, free_stack);
  pthread_atfork(hold, let_go, let_go);
}

static psc_stack *make_stack(void) {
  pthread_once(&once, arrange);
  psc_stack *stack = calloc(1, sizeof *stack);
  if (!stack || pthread_setspecific(key, stack)) {
    free(stack);
    return NULL;
  }
  pthread_mutex_lock(&lock);
  stack->next = all;
  all = stack;
  pthread_mutex_unlock(&lock);
  return psc_current = stack;
}

psc_stack *psc_reserve(void) {
  psc_stack *stack = psc_current ? psc_current : make_stack();
  if (stack && stack->depth < stack->capacity)
    return stack;
  uint32_t capacity =
      stack && stack->capacity ? 2 * stack->capacity : PSC_DEPTH;
  psc_entry *entries =
      stack && capacity > stack->depth
          ? realloc(stack->entries, capacity * sizeof(psc_entry))
          : NULL;
  if (!entries) {
    PyErr_NoMemory();
    return NULL;
  }
  stack->entries = entries;
  stack->capacity = capacity;
  return stack;
}

/*===----------------------------------------------------------------------===*
 * Ends
 *===----------------------------------------------------------------------===*/

int psc_take(psc_stack *stack, uint64_t owner, prof_scope_token *token) {
  uint32_t index = stack->depth;
  while (index && (stack->entries[index - 1].owner & ~PSC_WAITS) != owner)
    --index;
  if (!index)
    return 0;
  psc_entry *entry = &stack->entries[index - 1];
  *token = entry->token;
  if (!token->thread && token->slot) {
    --entry->token.slot;
    return 1;
  }
  memmove(entry, entry + 1, (stack->depth - index) * sizeof *entry);
  --stack->depth;
  return 1;
}

/* The same for a scope that another thread has begun, or that waits in a
 * coroutine: that of an asynchronous generator which another task closes. The
 * holder of the GIL
 * may change the stacks of all threads. */
static int take_elsewhere(uint64_t owner, prof_scope_token *token) {
  int found = 0;
#ifndef Py_GIL_DISABLED
  if (owner == PSC_FREE)
    return 0;
  pthread_mutex_lock(&lock);
  for (psc_stack *stack = all; stack && !found; stack = stack->next)
    found = psc_take(stack, owner, token);
  pthread_mutex_unlock(&lock);
  found = found || psc_take_waiting(owner, token);
#endif
  return found;
}

void psc_end_slowly(uint64_t owner) {
  prof_scope_token token;
  if (!(psc_current && psc_take(psc_current, owner, &token)) &&
      !take_elsewhere(owner, &token)) {
    if (prs_attach())
      prs_lose(PROF_SCOPE_LOSS_END, 1);
    return;
  }
  if (token.thread)
    prof_scope_end(token);
}

void psc_pop_if_open(uint64_t owner) {
  prof_scope_token token;
  if (psc_take(psc_current, owner, &token) && token.thread)
    prof_scope_end(token);
}

void psc_end_all(uint64_t owner) {
  prof_scope_token token;
  while ((psc_current && psc_take(psc_current, owner, &token)) ||
         take_elsewhere(owner, &token))
    if (token.thread)
      prof_scope_end(token);
}

/*===----------------------------------------------------------------------===*
 * Names
 *===----------------------------------------------------------------------===*/

const char *psc_read_name(PyObject *name, Py_ssize_t *size, PyObject **owner) {
  *owner = NULL;
  const char *bytes = PyUnicode_AsUTF8AndSize(name, size);
  if (bytes)
    return bytes;
  /* Half of a surrogate pair. */
  PyErr_Clear();
  *owner = PyUnicode_AsEncodedString(name, "utf-8", "surrogatepass");
  if (!*owner)
    return NULL;
  *size = PyBytes_GET_SIZE(*owner);
  return PyBytes_AS_STRING(*owner);
}

PyObject *psc_make_name(const char *bytes, size_t size) {
  PyObject *name =
      PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)size, "surrogatepass");
  if (name || !PyErr_ExceptionMatches(PyExc_UnicodeDecodeError))
    return name;
  PyErr_Clear();
  return PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)size, "surrogateescape");
}

#ifndef Py_GIL_DISABLED
/* Sites of strings, by their addresses: literals and names of attributes are
 * always the same object. */
typedef struct psc_cached {
  PyObject *name;
  uint64_t properties;
  uint32_t id;
} psc_cached;
static psc_cached cache[PSC_CACHE];

static uint64_t get_properties(const prof_scope_site *site) {
  return (uint64_t)site->type << 16 | (uint64_t)site->level << 8 | site->role;
}

static psc_cached *find_cached(const psc_site *site, uint64_t properties) {
  uint64_t hash = ((uint64_t)(uintptr_t)site->name >> 4) ^ properties << 3;
  return &cache[hash * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}
#endif

void psc_forget_names(void) {
#ifndef Py_GIL_DISABLED
  for (unsigned index = 0; index < PSC_CACHE; ++index) {
    cache[index].properties = UINT64_MAX;
    Py_CLEAR(cache[index].name);
  }
#endif
}

/* The number of a site in the recording; 0 if there is none. */
static uint32_t intern(const psc_site *site) {
  prs_thread *thread = prs_get_thread();
  Py_ssize_t size;
  PyObject *owner, *type, *value, *trace;
  /* Calls of functions may be recorded while an exception is on its way. */
  PyErr_Fetch(&type, &value, &trace);
  const char *bytes = psc_read_name(site->name, &size, &owner);
  const prs_site *found = NULL;
  if (bytes && thread)
    found = prs_find_name(thread, bytes, (size_t)size, site->site.type,
                          site->site.level, site->site.role);
  Py_XDECREF(owner);
  PyErr_Restore(type, value, trace);
  return found ? found->entry.id : 0;
}

#ifndef Py_GIL_DISABLED
static uint32_t find_id(const psc_site *site) {
  uint64_t properties = get_properties(&site->site);
  psc_cached *cached = find_cached(site, properties);
  if (PSC_LIKELY(cached->name == site->name &&
                 cached->properties == properties))
    return cached->id;
  uint32_t id = intern(site);
  if (id) {
    PyObject *old = cached->name;
    Py_INCREF(site->name);
    cached->name = site->name;
    cached->properties = properties;
    cached->id = id;
    Py_XDECREF(old);
  }
  return id;
}
#else
static uint32_t find_id(const psc_site *site) { return intern(site); }
#endif

prof_scope_token psc_begin_site(psc_site *site) {
  if (PSC_UNLIKELY(!__atomic_load_n(&site->site.id, __ATOMIC_RELAXED))) {
    uint32_t id = find_id(site);
    if (!id) {
      prof_scope_token none = {0};
      if (prs_attach())
        prs_lose(PROF_SCOPE_LOSS_NAME, 1);
      return none;
    }
    __atomic_store_n(&site->site.id, id, __ATOMIC_RELAXED);
  }
  return prof_scope_begin(&site->site);
}
