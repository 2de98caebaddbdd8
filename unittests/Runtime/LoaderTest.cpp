//===- LoaderTest.cpp - Loading models that are one file ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Runtime/prof_loader.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <functional>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <vector>

#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
constexpr uint32_t kRelative = R_X86_64_RELATIVE, kGlobal = R_X86_64_GLOB_DAT;
/// Returns.
constexpr unsigned char kCode[] = {0xc3};
#elif defined(__aarch64__)
constexpr uint16_t kMachine = EM_AARCH64;
constexpr uint32_t kRelative = R_AARCH64_RELATIVE, kGlobal = R_AARCH64_GLOB_DAT;
constexpr unsigned char kCode[] = {0xc0, 0x03, 0x5f, 0xd6};
#endif

namespace {

constexpr uint64_t kPage = 4096;

/// A file of three pages: headers and tables, code, and a model with relocated
/// addresses.
struct File {
  Elf64_Ehdr header = {};
  Elf64_Phdr segments[4] = {};
  Elf64_Dyn dynamic[8] = {{DT_RELA, {offsetof(File, relocations)}},
                          {DT_RELASZ, {sizeof relocations}},
                          {DT_SYMTAB, {offsetof(File, symbols)}},
                          {DT_STRTAB, {offsetof(File, names)}},
                          {DT_STRSZ, {sizeof names}},
                          {DT_NULL, {0}}};
  Elf64_Rela relocations[3] = {};
  Elf64_Sym symbols[2] = {};
  char names[6] = "\0expf";
  uint32_t sizes[3] = {4, 8, 16};
  alignas(kPage) unsigned char code[kPage] = {};
  struct Data {
    prof_loader_model model = {PROF_LOADER_MAGIC, 64,      0,       2,      1,
                               nullptr,           nullptr, nullptr, nullptr};
    uint64_t import = 0;
  };
  alignas(kPage) Data data = {};

  File();
};

File::File() {
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN;
  header.e_machine = kMachine;
  header.e_entry = offsetof(File, data);
  header.e_phoff = offsetof(File, segments);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 4;
  auto load = [&](int index, uint32_t flags, uint64_t begin, uint64_t size) {
    segments[index] = {PT_LOAD, flags, begin, begin, begin, size, size, kPage};
  };
  load(0, PF_R, 0, offsetof(File, code));
  load(1, PF_R | PF_X, offsetof(File, code), sizeof code);
  load(2, PF_R | PF_W, offsetof(File, data), sizeof(Data));
  segments[3] = segments[0];
  segments[3].p_type = PT_DYNAMIC;
  segments[3].p_vaddr = offsetof(File, dynamic);
  segments[3].p_memsz = sizeof dynamic;
  memcpy(code, kCode, sizeof kCode);
  uint64_t at = offsetof(File, data);
  relocations[0] = {at + offsetof(prof_loader_model, bytes), kRelative,
                    int64_t(offsetof(File, sizes))};
  relocations[1] = {at + offsetof(prof_loader_model, entry), kRelative,
                    int64_t(offsetof(File, code))};
  relocations[2] = {at + offsetof(Data, import), ELF64_R_INFO(1, kGlobal), 0};
  symbols[1].st_name = 1;
}

/// Memory that the loader protects.
struct Memory {
  Memory() {
    memory = static_cast<char *>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  }
  ~Memory() { munmap(memory, kBytes); }

  static int protect(void *context, void *begin, size_t bytes,
                     int permissions) {
    static_cast<std::vector<int> *>(context)->push_back(permissions);
    int flags = (permissions & PROF_LOADER_READ ? PROT_READ : 0) |
                (permissions & PROF_LOADER_WRITE ? PROT_WRITE : 0) |
                (permissions & PROF_LOADER_EXECUTE ? PROT_EXEC : 0);
    __builtin___clear_cache(static_cast<char *>(begin),
                            static_cast<char *>(begin) + bytes);
    return mprotect(begin, bytes, flags);
  }

  static constexpr size_t kBytes = 1 << 20;
  char *memory;
  std::vector<int> permissions;
  prof_loader_import import = {"expf", 0x1234};
  prof_loader_system system = {&import, 1, protect, &permissions};
  const prof_loader_model *model = nullptr;
};

/// Loads `bytes` of a file from memory of exactly that size.
int load(const void *file, size_t bytes, Memory &memory) {
  std::unique_ptr<char[]> exact(new char[bytes]);
  if (bytes)
    memcpy(exact.get(), file, bytes);
  prof_loader_size size;
  int error = prof_loader_measure(exact.get(), bytes, &size);
  if (error == PROF_LOADER_GOOD && size.bytes > Memory::kBytes)
    return PROF_LOADER_BAD_MEMORY;
  int loaded = prof_loader_load(exact.get(), bytes, memory.memory,
                                &memory.system, &memory.model);
  EXPECT_TRUE(error == PROF_LOADER_GOOD || error == loaded);
  return loaded;
}

int loadChanged(const std::function<void(File &)> &change) {
  auto file = std::make_unique<File>();
  change(*file);
  Memory memory;
  return load(file.get(), sizeof *file, memory);
}

} // namespace

TEST(Loader, LoadsAndProtects) {
  auto file = std::make_unique<File>();
  Memory memory;
  ASSERT_EQ(load(file.get(), sizeof *file, memory), PROF_LOADER_GOOD);
  EXPECT_EQ(memory.model->arena_bytes, 64u);
  EXPECT_EQ(memory.model->bytes[2], 16u);
  memory.model->entry(nullptr, nullptr, 0, 0, 0);
  auto *data = reinterpret_cast<const File::Data *>(memory.model);
  EXPECT_EQ(data->import, 0x1234u);
  EXPECT_EQ(memory.permissions,
            (std::vector<int>{PROF_LOADER_READ,
                              PROF_LOADER_READ | PROF_LOADER_EXECUTE,
                              PROF_LOADER_READ | PROF_LOADER_WRITE}));
}

TEST(Loader, RefusesOtherFiles) {
  Memory memory;
  EXPECT_EQ(load("", 0, memory), PROF_LOADER_BAD_FORMAT);
  EXPECT_EQ(loadChanged([](File &file) { file.header.e_ident[0] = 0; }),
            PROF_LOADER_BAD_FORMAT);
  EXPECT_EQ(loadChanged([](File &file) { file.header.e_machine = EM_ARM; }),
            PROF_LOADER_BAD_MACHINE);
  EXPECT_EQ(loadChanged(
                [](File &file) { file.header.e_ident[EI_CLASS] = ELFCLASS32; }),
            PROF_LOADER_BAD_MACHINE);
  EXPECT_EQ(loadChanged([](File &file) { file.header.e_type = ET_EXEC; }),
            PROF_LOADER_BAD_HEADER);
  EXPECT_EQ(loadChanged([](File &file) { file.header.e_phoff = UINT64_MAX; }),
            PROF_LOADER_BAD_HEADER);
}

TEST(Loader, RefusesBadSegments) {
  for (const std::function<void(File &)> &change :
       std::vector<std::function<void(File &)>>{
           [](File &file) { file.segments[2].p_filesz = 1 << 20; },
           [](File &file) { file.segments[2].p_offset = UINT64_MAX; },
           [](File &file) { file.segments[2].p_memsz = UINT64_MAX; },
           [](File &file) { file.segments[2].p_vaddr = UINT64_MAX - 8; },
           [](File &file) { file.segments[2].p_vaddr = kPage; },
           [](File &file) { file.segments[1].p_vaddr = kPage - 16; },
           [](File &file) { file.segments[1].p_align = 48; },
           [](File &file) { file.segments[1].p_align = 1 << 20; },
           [](File &file) { file.segments[3].p_type = PT_INTERP; },
           [](File &file) { file.header.e_phnum = 0; }})
    EXPECT_EQ(loadChanged(change), PROF_LOADER_BAD_SEGMENT);
  EXPECT_EQ(loadChanged([](File &file) { file.segments[1].p_flags |= PF_W; }),
            PROF_LOADER_BAD_PERMISSIONS);
}

TEST(Loader, RefusesBadTables) {
  for (const std::function<void(File &)> &change :
       std::vector<std::function<void(File &)>>{
           [](File &file) { file.dynamic[1].d_un.d_val = 25; },
           [](File &file) { file.dynamic[0].d_un.d_val = UINT64_MAX - 1; },
           [](File &file) { file.dynamic[4].d_un.d_val = 1 << 30; },
           [](File &file) { file.names[5] = 'x'; },
           [](File &file) { file.segments[3].p_vaddr = 1 << 20; },
           [](File &file) { file.dynamic[5].d_tag = DT_NEEDED; },
           [](File &file) { file.dynamic[5].d_tag = DT_INIT; },
           [](File &file) { file.dynamic[5].d_tag = DT_TEXTREL; }})
    EXPECT_EQ(loadChanged(change), PROF_LOADER_BAD_DYNAMIC);
}

TEST(Loader, RefusesBadRelocations) {
  for (const std::function<void(File &)> &change :
       std::vector<std::function<void(File &)>>{
           [](File &file) { file.relocations[0].r_info = 77; },
           [](File &file) { file.dynamic[1].d_un.d_val = 24 << 20; },
           [](File &file) { file.relocations[0].r_offset += 1; },
           [](File &file) { file.relocations[0].r_offset = kPage; },
           [](File &file) { file.relocations[0].r_offset = UINT64_MAX - 7; },
           [](File &file) { file.relocations[0].r_addend = 1 << 30; },
           [](File &file) {
             file.relocations[2].r_info = ELF64_R_INFO(UINT32_MAX, kGlobal);
           },
           [](File &file) { file.symbols[1].st_name = 6; },
           [](File &file) {
             file.symbols[1].st_shndx = 1;
             file.symbols[1].st_value = 1 << 30;
           }})
    EXPECT_EQ(loadChanged(change), PROF_LOADER_BAD_RELOCATION);
  EXPECT_EQ(loadChanged([](File &file) { file.names[1] = 's'; }),
            PROF_LOADER_MISSING_IMPORT);
}

TEST(Loader, RefusesBadModels) {
  for (const std::function<void(File &)> &change :
       std::vector<std::function<void(File &)>>{
           [](File &file) { file.header.e_entry = UINT64_MAX - 7; },
           [](File &file) { file.header.e_entry += 1; },
           [](File &file) { file.data.model.magic = 0; },
           [](File &file) { file.data.model.argument_count = UINT32_MAX; },
           [](File &file) { file.data.model.argument_count = 1000; },
           [](File &file) {
             file.data.model.reset = reinterpret_cast<void (*)(void *)>(1);
           },
           // The entry is not code.
           [](File &file) { file.relocations[1].r_addend = 0; },
           [](File &file) { file.dynamic[1].d_un.d_val = 24; }})
    EXPECT_EQ(loadChanged(change), PROF_LOADER_BAD_MODEL);
}

TEST(Loader, RefusesBadMemory) {
  auto file = std::make_unique<File>();
  Memory memory;
  EXPECT_EQ(prof_loader_load(file.get(), sizeof *file, memory.memory + 16,
                             &memory.system, &memory.model),
            PROF_LOADER_BAD_MEMORY);
  memory.system.protect = [](void *, void *, size_t, int) { return 1; };
  EXPECT_EQ(load(file.get(), sizeof *file, memory), PROF_LOADER_NOT_PROTECTED);
}

TEST(Loader, StaysInsideAfterChanges) {
  auto file = std::make_unique<File>();
  std::string bytes(reinterpret_cast<const char *>(file.get()), sizeof *file);
  Memory memory;
  memory.system.protect = nullptr;
  auto change = [&](size_t begin, size_t size) {
    for (size_t at = begin; at != begin + size; ++at)
      for (int value : {0, 1, 0x7f, 0xff}) {
        char before = bytes[at];
        bytes[at] = char(value);
        load(bytes.data(), bytes.size(), memory);
        bytes[at] = before;
      }
  };
  change(0, offsetof(File, sizes) + sizeof(File::sizes));
  change(offsetof(File, data), sizeof(File::Data));
}

TEST(Loader, RefusesCutOffFiles) {
  auto file = std::make_unique<File>();
  Memory memory;
  for (size_t size = 0; size < offsetof(File, data); size += 61)
    EXPECT_NE(load(file.get(), size, memory), PROF_LOADER_GOOD) << size;
}

/// A file that can stay in place, in pages of its own.
struct FileInPlace {
  FileInPlace() {
    static_assert(sizeof(File) % kPage == 0);
    void *pages = mmap(nullptr, sizeof(File), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    file = new (pages) File;
    file->header.e_ident[EI_OSABI] = ELFOSABI_STANDALONE;
    file->header.e_ident[EI_ABIVERSION] = PROF_LOADER_IN_PLACE;
  }
  ~FileInPlace() { munmap(file, sizeof(File)); }

  int load(Memory &memory) const {
    return prof_loader_load_in_place(file, sizeof *file, memory.memory,
                                     &memory.system, &memory.model);
  }

  File *file;
};

TEST(Loader, LeavesCodeInPlace) {
  FileInPlace place;
  prof_loader_size size;
  ASSERT_EQ(prof_loader_measure(place.file, sizeof(File), &size),
            PROF_LOADER_GOOD);
  EXPECT_EQ(size.in_place_bytes, kPage);
  EXPECT_EQ(size.bytes, sizeof(File));
  Memory memory;
  memset(memory.memory + kPage, 77, kPage);
  ASSERT_EQ(place.load(memory), PROF_LOADER_GOOD);
  EXPECT_EQ(memory.memory[kPage], 77);
  EXPECT_EQ(static_cast<const void *>(memory.model), memory.memory);
  EXPECT_EQ(memory.model->bytes, place.file->sizes);
  memory.model->entry(nullptr, nullptr, 0, 0, 0);
  EXPECT_EQ(reinterpret_cast<const File::Data *>(memory.model)->import,
            0x1234u);
}

TEST(Loader, RefusesToLeaveCodeInPlace) {
  Memory memory;
  for (const std::function<void(File &)> &change :
       std::vector<std::function<void(File &)>>{
           [](File &file) { file.header.e_ident[EI_OSABI] = 0; },
           [](File &file) { file.header.e_ident[EI_ABIVERSION] = 2; },
           [](File &file) { file.segments[1].p_offset = 0; },
           [](File &file) { file.segments[1].p_filesz = 16; },
           [](File &file) { file.segments[0].p_flags |= PF_W; }}) {
    FileInPlace place;
    change(*place.file);
    prof_loader_size size;
    ASSERT_EQ(prof_loader_measure(place.file, sizeof(File), &size),
              PROF_LOADER_GOOD);
    EXPECT_EQ(size.in_place_bytes, 0u);
    EXPECT_EQ(place.load(memory), PROF_LOADER_NOT_IN_PLACE);
  }
  FileInPlace place;
  std::vector<char> moved(sizeof(File) + kPage + 1);
  auto begin = reinterpret_cast<uintptr_t>(moved.data());
  char *odd = moved.data() + (kPage - begin % kPage) + 1;
  memcpy(odd, place.file, sizeof(File) - kPage);
  EXPECT_EQ(prof_loader_load_in_place(odd, sizeof(File), memory.memory,
                                      &memory.system, &memory.model),
            PROF_LOADER_BAD_MEMORY);
}

TEST(Loader, NamesErrors) {
  for (int error = PROF_LOADER_GOOD; error <= PROF_LOADER_NOT_IN_PLACE; ++error)
    EXPECT_STRNE(prof_loader_text(error), "has an unknown error");
  EXPECT_STREQ(prof_loader_text(PROF_LOADER_NOT_IN_PLACE + 1),
               "has an unknown error");
}
