/*===- Serialize.c - Writes what was measured as words ---------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Internal.h"

/* Counts the bytes written even if they do not fit anymore. */
typedef struct prt_output {
  char *buffer;
  uint64_t capacity;
  uint64_t position;
  uint64_t sections;
} prt_output;

static void put_at(prt_output *output, uint64_t position, uint64_t word) {
  if (output->capacity < 8 || position > output->capacity - 8)
    return;
  for (unsigned byte = 0; byte < 8; ++byte)
    output->buffer[position + byte] = (char)(word >> (8 * byte));
}

/* Not inlined, as it is called in many places. */
__attribute__((noinline)) static void put(prt_output *output, uint64_t word) {
  put_at(output, output->position, word);
  output->position += 8;
}

/* A record: all of them are 64-bit words. */
__attribute__((noinline)) static void
put_record(prt_output *output, const void *record, size_t size) {
  for (size_t offset = 0; offset < size; offset += 8) {
    uint64_t word;
    prt_copy(&word, (const char *)record + offset, 8);
    put(output, word);
  }
}

static uint64_t begin_section(prt_output *output, enum prof_raw_type type,
                              uint64_t module) {
  ++output->sections;
  prof_raw_section section = {type, module, 0};
  put_record(output, &section, sizeof section);
  return output->position;
}

static void end_section(prt_output *output, uint64_t begin) {
  put_at(output, begin - 8, output->position - begin);
}

/* The number of a probe or table in the file. */
static uint64_t get_place(const uint64_t *places, uint64_t number) {
  return places ? places[number] : number;
}

static void put_metadata(prt_output *output, const prt_module *module,
                         uint64_t index) {
  uint64_t begin = begin_section(output, PROF_RAW_METADATA, index);
  uint64_t size = module->metadata_size;
  uint64_t padded = (size + 7) & ~UINT64_C(7);
  if (begin + padded <= output->capacity) {
    prt_zero(output->buffer + begin, (size_t)padded);
    prt_copy(output->buffer + begin, module->metadata, (size_t)size);
  }
  output->position = begin + padded;
  put_at(output, begin - 8, size);
}

/*===----------------------------------------------------------------------===*
 * One module
 *===----------------------------------------------------------------------===*/

static void put_slots(prt_output *output, const prt_module *module,
                      uint64_t index, uint64_t thread,
                      const prof_raw_slot *slots) {
  uint64_t begin = begin_section(output, PROF_RAW_SLOTS, index);
  put(output, thread);
  for (uint32_t probe = 0; probe < module->probes; ++probe) {
    prof_raw_slot slot = slots[probe];
    slot.probe = get_place(module->probe_places, probe);
    if (slot.count)
      put_record(output, &slot, sizeof slot);
  }
  end_section(output, begin);
}

/* The smallest runtime does not have marks or values. */
#ifndef PROF_RT_SMALL
static void put_spread(prt_output *output, prt_module *module, uint64_t index) {
  if (!module->spread)
    return;
  prt_mark(module);
  uint64_t begin = begin_section(output, PROF_RAW_SPREAD, index);
  for (uint32_t probe = 0; probe < module->probes; ++probe) {
    const prt_spread *spread = &module->spread[probe];
    if (!spread->added)
      continue;
    uint64_t first = 0, end = PROF_RAW_SPREAD_BUCKETS;
    while (!spread->counts[first])
      ++first;
    while (!spread->counts[end - 1])
      --end;
    prof_raw_spread record = {get_place(module->probe_places, probe),
                              spread->min, spread->max, first, end - first};
    put_record(output, &record, sizeof record);
    for (uint64_t bucket = first; bucket < end; ++bucket) {
      put(output, spread->counts[bucket]);
      put(output, (uint64_t)spread->sums[bucket]);
    }
  }
  end_section(output, begin);
}

#endif

static void put_instances(prt_output *output, prt_module *module,
                          uint64_t index) {
  uint64_t begin = begin_section(output, PROF_RAW_INSTANCES, index);
  prt_acquire(&module->lock);
  for (prt_records *list = module->first_records; list; list = list->next)
    for (uint32_t at = 0; at < list->used; ++at) {
      prof_raw_instance record = list->records[at];
      record.probe = get_place(module->probe_places, record.probe);
      put_record(output, &record, sizeof record);
    }
  prt_release(&module->lock);
  end_section(output, begin);
}

#ifndef PROF_RT_SMALL
static void put_table(prt_output *output, const prt_module *module,
                      uint64_t index, uint32_t number) {
  const prt_table *table = &module->table[number];
  uint64_t begin = begin_section(output, PROF_RAW_VALUES, index);
  prof_raw_values values = {get_place(module->table_places, number),
                            table->length, 0, RT_LOAD(&table->other)};
  put_record(output, &values, sizeof values);
  for (uint32_t bucket = 0; bucket < RT_BUCKETS; ++bucket) {
    const prt_tuple *entry = RT_ACQUIRE(&table->buckets[bucket]);
    for (; entry; entry = entry->next) {
      uint64_t count = RT_LOAD(&entry->count);
      if (!count)
        continue;
      ++values.tuples;
      put(output, count);
      for (uint32_t value = 0; value < table->length; ++value)
        put(output, (uint64_t)entry->values[value]);
    }
  }
  put_at(output, begin + 16, values.tuples);
  end_section(output, begin);
}

#endif

static void put_module(prt_output *output, prt_module *module) {
  uint64_t index = module->index;
  uint64_t begin = begin_section(output, PROF_RAW_MODULE, index);
  prof_raw_module facts = {
      module->abi,       module->listed_probes,    module->listed_tables,
      module->instances, RT_LOAD(&module->called), module->code};
  put_record(output, &facts, sizeof facts);
  end_section(output, begin);
  put_metadata(output, module, index);
  put_slots(output, module, index, PROF_RAW_ENDED, module->ended);
  for (prt_block *block = module->blocks; block; block = block->next) {
    prt_derive(module, block);
    put_slots(output, module, index, block->thread->number, module->derived);
    prt_flush_cells(block);
  }
  put_instances(output, module, index);
#ifndef PROF_RT_SMALL
  put_spread(output, module, index);
  for (uint32_t table = 0; table < module->tables; ++table)
    put_table(output, module, index, table);
#endif
}

/*===----------------------------------------------------------------------===*
 * The file
 *===----------------------------------------------------------------------===*/

static void put_counter(prt_output *output) {
  const char *counter = prof_rt_counter();
  if (!counter)
    return;
  uint64_t begin = begin_section(output, PROF_RAW_COUNTER, 0);
  while (*counter) {
    uint64_t word = 0;
    for (unsigned byte = 0; byte < 8 && *counter; ++byte)
      word |= (uint64_t)(unsigned char)*counter++ << (8 * byte);
    put(output, word);
  }
  end_section(output, begin);
}

static void put_process(prt_output *output) {
  uint64_t begin = begin_section(output, PROF_RAW_CLOCK, 0);
  put_record(output, &prt.clock, sizeof prt.clock);
  end_section(output, begin);
  put_counter(output);
  begin = begin_section(output, PROF_RAW_THREADS, 0);
  for (prt_ended *list = prt.ended; list; list = list->next)
    for (uint32_t index = 0; index < list->used; ++index)
      put_record(output, &list->threads[index], sizeof(prof_raw_thread));
  for (prt_thread *thread = prt.threads; thread; thread = thread->next) {
    put(output, thread->number);
    put(output, thread->id);
  }
  end_section(output, begin);
  begin = begin_section(output, PROF_RAW_LOSSES, 0);
  for (unsigned kind = 0; kind < PROF_RAW_LOSS_KINDS; ++kind) {
    uint64_t count = RT_LOAD(&prt.losses[kind]);
    if (!count)
      continue;
    put(output, kind);
    put(output, count);
  }
  end_section(output, begin);
}

/* Half a byte at a time: a table of 64 bytes. */
uint32_t prt_checksum(uint32_t before, const char *bytes, uint64_t size) {
  uint32_t table[16];
  for (uint32_t index = 0; index < 16; ++index) {
    table[index] = index;
    for (int bit = 0; bit < 4; ++bit)
      table[index] = table[index] >> 1 ^ (table[index] & 1 ? 0xEDB88320u : 0);
  }
  uint32_t sum = ~before;
  for (uint64_t index = 0; index < size; ++index) {
    sum ^= (unsigned char)bytes[index];
    sum = sum >> 4 ^ table[sum & 15];
    sum = sum >> 4 ^ table[sum & 15];
  }
  return ~sum;
}

uint64_t prt_serialize(char *buffer, uint64_t capacity) {
  prt_output output = {buffer, capacity, sizeof(prof_raw_header), 0};
  prt_acquire(&prt.registry);
  prt_finish_clock();
  put_process(&output);
  for (prt_module *module = prt.modules; module; module = module->next)
    put_module(&output, module);
  prt_release(&prt.registry);
  uint64_t size = output.position;
  if (size > capacity)
    return size;
  prof_raw_header header = {
      PROF_RAW_MAGIC, (uint64_t)PROF_RAW_MAJOR << 32 | PROF_RAW_MINOR, size,
      output.sections,
      prt_checksum(0, buffer + sizeof header, size - sizeof header)};
  output.position = 0;
  put_record(&output, &header, sizeof header);
  return size;
}

size_t prof_rt_serialize(void *buffer, size_t capacity) {
  return (size_t)prt_serialize(buffer, buffer ? capacity : 0);
}
