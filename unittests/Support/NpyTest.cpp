//===- NpyTest.cpp - NumPy's file format ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Npy.h"
#include "mlir-prof/Support/File.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace mlirprof;

// The files were written by NumPy.
static HostTensor load(llvm::StringRef name) {
  std::string path = (MLIRPROF_TEST_DIR "/data/fuzz/npy/" + name).str();
  auto buffer = llvm::cantFail(openInput(path));
  return llvm::cantFail(readNpy(buffer->getBuffer(), path));
}

template <typename T>
static std::vector<T> values(const HostTensor &tensor) {
  std::vector<T> result(tensor.bytes.size() / sizeof(T));
  std::memcpy(result.data(), tensor.bytes.data(), tensor.bytes.size());
  return result;
}

TEST(Npy, ReadsWhatNumPyWrote) {
  HostTensor floats = load("f32.npy");
  EXPECT_EQ(floats.elementType, "f32");
  EXPECT_EQ(floats.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(values<float>(floats), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  HostTensor scalar = load("scalar.npy");
  EXPECT_EQ(scalar.elementType, "i1");
  EXPECT_TRUE(scalar.shape.empty());
  EXPECT_EQ(values<char>(scalar), std::vector<char>{1});
  HostTensor complex = load("complex.npy");
  EXPECT_EQ(complex.elementType, "complex<f32>");
  EXPECT_EQ(values<float>(complex), (std::vector<float>{1, 2, 3, -4}));
  EXPECT_EQ(load("empty.npy").shape, (std::vector<int64_t>{0, 5}));
}

TEST(Npy, TurnsOrdersAround) {
  std::vector<int16_t> rising(24);
  for (size_t i = 0; i < rising.size(); ++i)
    rising[i] = int16_t(i);
  EXPECT_EQ(values<int16_t>(load("fortran.npy")), rising);
  EXPECT_EQ(values<double>(load("big-endian.npy")),
            (std::vector<double>{0, 1, 2, 3}));
}

TEST(Npy, ReadsOrderAsPythonWouldSayIt) {
  auto read = [](llvm::StringRef order) {
    std::string bytes("\x93NUMPY\1\0", 8);
    std::string header =
        ("{'descr': '|i1', 'fortran_order': " + order + "'shape': (2, 2), }\n")
            .str();
    bytes += char(header.size());
    bytes += '\0';
    bytes += header + "abcd";
    auto tensor = readNpy(bytes, "a.npy");
    return tensor ? std::string(tensor->bytes.begin(), tensor->bytes.end())
                  : llvm::toString(tensor.takeError());
  };
  EXPECT_EQ(read("False, "), "abcd");
  EXPECT_EQ(read("True, "), "acbd");
  EXPECT_EQ(read("True ,"), "acbd");
  for (llvm::StringRef wrong :
       {"Maybe, ", "Trueish, ", "'True', ", "false, ", "0, ", ", ", "True "})
    EXPECT_EQ(read(wrong), "a.npy: its fortran_order is neither True nor False")
        << wrong.str();
}

TEST(Npy, WritesWhatItReads) {
  for (llvm::StringRef name :
       {"f32.npy", "fortran.npy", "big-endian.npy", "scalar.npy"}) {
    HostTensor tensor = load(name);
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    writeNpy(tensor, os);
    HostTensor again = llvm::cantFail(readNpy(bytes, "again"));
    EXPECT_EQ(again.shape, tensor.shape);
    EXPECT_EQ(again.elementType, tensor.elementType);
    EXPECT_EQ(again.bytes, tensor.bytes);
    // NumPy requires aligned data.
    EXPECT_EQ((bytes.size() - tensor.bytes.size()) % 64, 0u);
  }
}

static std::string refuse(llvm::StringRef bytes) {
  auto tensor = readNpy(bytes, "file");
  return tensor ? "" : llvm::toString(tensor.takeError());
}

static std::string withHeader(llvm::StringRef dictionary) {
  std::string bytes = "\x93NUMPY";
  bytes += {1, 0, char(dictionary.size()), 0};
  return bytes + dictionary.str();
}

TEST(Npy, RefusesBrokenFiles) {
  EXPECT_NE(refuse("hello").find("not a *.npy file"), std::string::npos);
  EXPECT_NE(refuse(withHeader("{'descr': 'O', 'fortran_order': False, "
                              "'shape': (1,)}"))
                .find("elements of type 'O'"),
            std::string::npos);
  EXPECT_NE(refuse(withHeader("{'descr': '<f4', 'fortran_order': False, "
                              "'shape': (3,)}"))
                .find("holds 0 bytes of elements where its shape needs 12"),
            std::string::npos);
  EXPECT_NE(refuse(withHeader("{'descr': '<f4', 'fortran_order': False, "
                              "'shape': (9223372036854775807,9)}"))
                .find("more than there can be"),
            std::string::npos);
  EXPECT_NE(refuse(withHeader("{'descr': '<f4', 'fortran_order': False, "
                              "'shape': (-1,)}"))
                .find("dimension '-1'"),
            std::string::npos);
  std::string cut = withHeader("{'descr'");
  cut[8] = 100;
  EXPECT_NE(refuse(cut).find("ends within its header"), std::string::npos);
}
