/*===- ScopeSites.c - Names of scopes --------------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

/* Bytes of a block of sites in the file. */
#define PRS_SITES_BLOCK (UINT64_C(64) << 10)

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t size) {
  uint64_t word;
  for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
    prt_copy(&word, bytes, sizeof word);
    hash = mix(hash, word);
  }
  word = size;
  for (; size; --size)
    word = word << 8 | (unsigned char)*bytes++;
  return mix(hash, word);
}

/* The properties by which sites differ. */
typedef struct prs_key {
  const char *name;
  size_t name_size;
  const char *file;
  size_t file_size;
  uint32_t line;
  uint16_t type;
  uint8_t level;
  uint8_t role;
} prs_key;

static uint64_t hash_key(const prs_key *key) {
  uint64_t hash = (uint64_t)key->line << 32 | (uint64_t)key->type << 16 |
                  (uint64_t)key->level << 8 | key->role;
  hash = hash_bytes(hash, key->name, key->name_size);
  return key->file_size ? hash_bytes(hash, key->file, key->file_size) : hash;
}

static int is_same(const prs_site *site, uint64_t hash, const prs_key *key) {
  const prof_scope_site_entry *entry = &site->entry;
  return site->hash == hash && entry->name_size == key->name_size &&
         entry->file_size == key->file_size && entry->line == key->line &&
         entry->type == key->type && entry->level == key->level &&
         entry->role == key->role &&
         !__builtin_memcmp(site->bytes, key->name, key->name_size) &&
         (!key->file_size || !__builtin_memcmp(site->bytes + key->name_size,
                                               key->file, key->file_size));
}

static prs_site **get_bucket(uint64_t hash) {
  if (!prs->buckets) {
    prs->buckets = prs->first_buckets;
    prs->bucket_count = PRS_HASH;
  }
  return &prs->buckets[hash & (prs->bucket_count - 1)];
}

/* Keeps lists short; without memory, they become long. */
static void grow_buckets(void) {
  if (prs->site_count < prs->bucket_count)
    return;
  uint64_t count = prs->bucket_count * 4;
  prs_site **buckets = prs_allocate(count * sizeof *buckets);
  if (!buckets)
    return;
  prs->buckets = buckets;
  prs->bucket_count = count;
  for (prs_site *site = prs->first_site; site; site = site->next) {
    prs_site **bucket = get_bucket(site->hash);
    site->in_bucket = *bucket;
    *bucket = site;
  }
}

static prs_site *add_site(uint64_t hash, const prs_key *key) {
  /* Sizes in files have 32 bits. */
  if (prs->site_count == PROF_SCOPE_SITES_MAX ||
      key->name_size + key->file_size > UINT32_MAX / 4)
    return NULL;
  prs_site *site =
      prs_allocate(sizeof(prs_site) + key->name_size + key->file_size);
  if (!site)
    return NULL;
  site->hash = hash;
  site->entry.line = key->line;
  site->entry.type = key->type;
  site->entry.level = key->level;
  site->entry.role = key->role;
  site->entry.name_size = (uint32_t)key->name_size;
  site->entry.file_size = (uint32_t)key->file_size;
  prt_copy(site->bytes, key->name, key->name_size);
  if (key->file_size)
    prt_copy(site->bytes + key->name_size, key->file, key->file_size);
  site->entry.id = ++prs->site_count;
  prs_site **bucket = get_bucket(hash);
  site->in_bucket = *bucket;
  *bucket = site;
  if (prs->last_site)
    prs->last_site->next = site;
  else
    prs->first_site = site;
  prs->last_site = site;
  grow_buckets();
  prs_write_site(site);
  return site;
}

static prs_site *intern(uint64_t hash, const prs_key *key) {
  prt_acquire(&prs->lock);
  prs_site *site = *get_bucket(hash);
  while (site && !is_same(site, hash, key))
    site = site->in_bucket;
  if (!site)
    site = add_site(hash, key);
  prt_release(&prs->lock);
  return site;
}

uint32_t prs_register_site(prof_scope_site *site) {
  const char *name = site->name ? site->name : "";
  prs_key key = {name,        __builtin_strlen(name),
                 site->file,  site->file ? __builtin_strlen(site->file) : 0,
                 site->line,  site->type,
                 site->level, site->role};
  const prs_site *made = intern(hash_key(&key), &key);
  uint32_t id = made ? made->entry.id : 0;
  /* Short paths do not count anything. */
  RT_STORE(site->counting ? &site->counted_id : &site->id, id);
  return id;
}

const prs_site *prs_find_name(prs_thread *thread, const char *name,
                              size_t length, unsigned type, unsigned level,
                              unsigned role) {
  level = level > 255 ? 255 : level;
  prs_key key = {name, length,         NULL,           0,
                 0,    (uint16_t)type, (uint8_t)level, (uint8_t)role};
  uint64_t hash = hash_key(&key);
  const prs_site **cached = &thread->cache[hash >> 32 & (PRS_CACHE - 1)];
  if (!*cached || !is_same(*cached, hash, &key)) {
    const prs_site *site = intern(hash, &key);
    if (!site)
      return NULL;
    *cached = site;
  }
  return *cached;
}

uint64_t prs_entry_size(const prs_site *site) {
  uint64_t size = sizeof(prof_scope_site_entry) +
                  (uint64_t)site->entry.name_size + site->entry.file_size;
  return (size + 7) & ~UINT64_C(7);
}

char *prs_write_entry(const prs_site *site, char *to) {
  prt_copy(to, &site->entry, sizeof site->entry);
  prt_copy(to + sizeof site->entry, site->bytes,
           (uint64_t)site->entry.name_size + site->entry.file_size);
  return to + prs_entry_size(site);
}

void prs_write_site(const prs_site *site) {
  if (!prs->file)
    return;
  uint64_t size = prs_entry_size(site);
  prof_scope_sites *sites = prs->sites_in_file;
  if (!sites || sizeof *sites + sites->used + size > sites->block.size) {
    uint64_t wanted = sizeof *sites + size;
    sites = (prof_scope_sites *)prs_make_block(
        PROF_SCOPE_BLOCK_SITES,
        wanted > PRS_SITES_BLOCK ? wanted : PRS_SITES_BLOCK, 0);
    if (!sites) {
      prs_lose(PROF_SCOPE_LOSS_NAME, 1);
      return;
    }
    if (prs->sites_in_file)
      prs_free_block(&prs->sites_in_file->block);
    prs->sites_in_file = sites;
  }
  prs_write_entry(site, (char *)(sites + 1) + sites->used);
  RT_RELEASE(&sites->used, sites->used + size);
}
