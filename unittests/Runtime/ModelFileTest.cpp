//===- ModelFileTest.cpp - Reading compiled models ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../runtime/src/ModelFile.h"
#include "gtest/gtest.h"

#include <elf.h>
#include <string>
#include <vector>

namespace {
/// Bytes of fields, one after the other.
struct Bytes {
  std::string data;

  Bytes &put(uint64_t value) {
    data.append(reinterpret_cast<const char *>(&value), sizeof value);
    return *this;
  }
  Bytes &put(const std::string &text) {
    put(text.size());
    data += text;
    return *this;
  }
  template <typename T>
  Bytes &append(const T &value) {
    data.append(reinterpret_cast<const char *>(&value), sizeof value);
    return *this;
  }
};

#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
#else
constexpr uint16_t kMachine = EM_AARCH64;
#endif

/// An interface with an argument "x", f32[?, 3], and a result of type f64.
std::string makeInterface(uint64_t machine = kMachine, uint64_t features = 0) {
  Bytes bytes;
  bytes.put(machine).put(2).put(PROF_MODEL_USES_EXECUTOR).put(features);
  bytes.put(/*state bytes*/ 64).put(uint64_t(-16)).put(/*text end*/ 100);
  bytes.put("name");
  bytes.put(1).put("x").put("f32").put(4).put(0).put(1).put(2);
  bytes.put(uint64_t(PROF_MODEL_ANY_SIZE)).put(3);
  bytes.put(1).put("y").put("f64").put(8).put(1).put(0).put(0);
  return bytes.data;
}

/// Code from 0 on is of "add", or in dispatch 7 of "sub", and from 32 on of no
/// op.
std::string makePlaces() {
  Bytes bytes;
  bytes.append(prof_model_places{3, 2});
  bytes.append(prof_model_place{0, 7, 1});
  bytes.append(prof_model_place{0, UINT32_MAX, 0});
  bytes.append(prof_model_place{32, UINT32_MAX, UINT32_MAX});
  bytes.append(uint32_t(3)).append(uint32_t(6));
  return bytes.data + "addsub";
}

/// A file with right hashes, whatever its sections are.
std::string makeFile(const std::string &interface, const std::string &places) {
  Elf64_Ehdr header = {};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_type = ET_DYN;
  header.e_machine = kMachine;
  Bytes file;
  file.append(header);
  prof_model_footer footer = {};
  footer.library_bytes = file.data.size();
  footer.library_hash = prof_model_hash_more(
      prof_model_hash(nullptr, 0), file.data.data(), file.data.size());
  Bytes directory;
  for (const auto &[kind, content] :
       {std::pair(PROF_MODEL_INTERFACE_SECTION, &interface),
        std::pair(PROF_MODEL_PLACES_SECTION, &places)}) {
    directory.append(
        prof_model_section{uint64_t(kind), file.data.size(), content->size(),
                           prof_model_hash(content->data(), content->size())});
    file.data += *content;
    file.data.resize((file.data.size() + 7) / 8 * 8);
  }
  footer.directory_offset = file.data.size();
  footer.sections = 2;
  footer.hash = prof_model_hash_more(
      prof_model_hash(directory.data.data(), directory.data.size()), &footer,
      offsetof(prof_model_footer, hash));
  memcpy(footer.magic, PROF_MODEL_MAGIC, sizeof footer.magic);
  file.data += directory.data;
  return file.append(footer).data;
}

/// Parses `bytes` from memory of exactly their size. "" if they are whole, else
/// the error.
std::string parse(const std::string &bytes) {
  std::vector<char> exact(bytes.begin(), bytes.end());
  char error[PROF_MODEL_TEXT] = "";
  pmd_file file;
  if (pmd_parse_file(exact.data(), exact.size(), "model", &file, error))
    pmd_free_file(&file);
  return error;
}
} // namespace

TEST(ModelFileTest, ReadsInterface) {
  std::string bytes = makeFile(makeInterface(), makePlaces());
  char error[PROF_MODEL_TEXT] = "";
  pmd_file file;
  ASSERT_TRUE(pmd_parse_file(bytes.data(), bytes.size(), "model", &file, error))
      << error;
  EXPECT_EQ(file.threads, 2u);
  EXPECT_EQ(file.state_bytes, 64u);
  EXPECT_EQ(file.text_begin, -16);
  ASSERT_EQ(file.argument_count, 1u);
  EXPECT_STREQ(file.arguments[0].name, "x");
  ASSERT_EQ(file.arguments[0].rank, 2u);
  EXPECT_EQ(file.arguments[0].dims[0], PROF_MODEL_ANY_SIZE);
  EXPECT_EQ(file.arguments[0].dims[1], 3);
  ASSERT_EQ(file.result_count, 1u);
  EXPECT_STREQ(file.results[0].type, "f64");
  EXPECT_TRUE(file.results[0].is_scalar);
  pmd_free_file(&file);
}

TEST(ModelFileTest, FindsPlacesByDispatch) {
  std::string bytes = makeFile(makeInterface(), makePlaces());
  char error[PROF_MODEL_TEXT];
  pmd_file file;
  ASSERT_TRUE(
      pmd_parse_file(bytes.data(), bytes.size(), "model", &file, error));
  auto find = [&](uint64_t offset, uint32_t instance) {
    uint32_t size = 0;
    const char *text = pmd_find_place(&file, offset, instance, &size);
    return text ? std::string(text, size) : "none";
  };
  EXPECT_EQ(find(0, UINT32_MAX), "add");
  EXPECT_EQ(find(31, 6), "add");
  EXPECT_EQ(find(31, 7), "sub");
  EXPECT_EQ(find(32, 7), "none");
  EXPECT_EQ(find(1000, 7), "none");
  pmd_free_file(&file);
}

TEST(ModelFileTest, RefusesEveryPart) {
  std::string whole = makeFile(makeInterface(), makePlaces());
  EXPECT_EQ(parse(whole), "");
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(parse(whole.substr(0, size)), "") << size;
}

TEST(ModelFileTest, RefusesEveryChange) {
  std::string whole = makeFile(makeInterface(), makePlaces());
  std::string padding;
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = char(changed[at] ^ 4);
    if (parse(changed).empty())
      padding += whole[at];
  }
  // Zeros between sections are not read.
  EXPECT_LT(padding.size(), 16u);
  EXPECT_EQ(padding.find_first_not_of('\0'), std::string::npos);
}

TEST(ModelFileTest, RefusesWrongSizesWithRightHashes) {
  std::string interface = makeInterface(), places = makePlaces();
  for (size_t at = 0; at + 8 <= interface.size(); at += 4)
    for (uint64_t value : {UINT64_MAX, UINT64_MAX / 8, uint64_t(1) << 32}) {
      std::string changed = interface;
      memcpy(&changed[at], &value, sizeof value);
      // It need not be refused, but must not be followed.
      parse(makeFile(changed, places));
    }
  for (size_t size = 0; size < interface.size(); ++size)
    EXPECT_NE(parse(makeFile(interface.substr(0, size), places)), "") << size;
  for (size_t at = 0; at < 2 * sizeof(uint32_t); at += 4) {
    std::string changed = places;
    memset(&changed[at], 0xff, 4);
    EXPECT_NE(parse(makeFile(interface, changed)), "") << at;
  }
}

TEST(ModelFileTest, RefusesOtherProcessors) {
  EXPECT_NE(parse(makeFile(makeInterface(EM_RISCV), makePlaces()))
                .find("another kind of processor"),
            std::string::npos);
  EXPECT_NE(
      parse(makeFile(makeInterface(kMachine, uint64_t(1) << 63), makePlaces()))
          .find("is for a processor with"),
      std::string::npos);
}
