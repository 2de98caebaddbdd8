//===- Npy.cpp - Arrays in NumPy's file format ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Npy.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>
#include <optional>

using namespace mlirprof;

static constexpr llvm::StringLiteral kMagic = "\x93NUMPY";
/// NumPy's own limit.
static constexpr size_t kMaxRank = 64;

namespace {
/// One kind of element: NumPy's name without the byte order, and MLIR's.
struct ElementKind {
  llvm::StringLiteral numpy;
  llvm::StringLiteral mlir;
  unsigned bytes;
  /// Size of the words that the byte order affects.
  unsigned word;
};

/// The content of a file's header.
struct Header {
  const ElementKind *kind = nullptr;
  bool bigEndian = false;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
  llvm::StringRef data;
};
} // namespace

static constexpr ElementKind kKinds[] = {{"f4", "f32", 4, 4},
                                         {"f8", "f64", 8, 8},
                                         {"f2", "f16", 2, 2},
                                         {"V2", "bf16", 2, 2},
                                         {"i1", "i8", 1, 1},
                                         {"i2", "i16", 2, 2},
                                         {"i4", "i32", 4, 4},
                                         {"i8", "i64", 8, 8},
                                         {"u1", "ui8", 1, 1},
                                         {"u2", "ui16", 2, 2},
                                         {"u4", "ui32", 4, 4},
                                         {"u8", "ui64", 8, 8},
                                         {"b1", "i1", 1, 1},
                                         {"c8", "complex<f32>", 8, 4},
                                         {"c16", "complex<f64>", 16, 8}};

/// The text after `key:` in the header's dictionary, trimmed on the left.
static std::optional<llvm::StringRef> findValue(llvm::StringRef dictionary,
                                                llvm::StringRef key) {
  for (llvm::StringRef quote : {"'", "\""}) {
    std::string quoted = (quote + key + quote).str();
    size_t at = dictionary.find(quoted);
    if (at == llvm::StringRef::npos)
      continue;
    llvm::StringRef rest = dictionary.drop_front(at + quoted.size()).ltrim();
    if (rest.consume_front(":"))
      return rest.ltrim();
  }
  return std::nullopt;
}

static llvm::Error readElementKind(llvm::StringRef value, llvm::StringRef where,
                                   Header &header) {
  char quote = value.empty() ? 0 : value.front();
  llvm::StringRef name = value.drop_front(quote != 0);
  size_t end = name.find(quote);
  if ((quote != '\'' && quote != '"') || end == llvm::StringRef::npos)
    return inputError(where, "the element type in its header is not a text",
                      "Arrays of records cannot be arguments of a model.");
  name = name.take_front(end);
  header.bigEndian = name.consume_front(">");
  if (!header.bigEndian)
    (void)(name.consume_front("<") || name.consume_front("|") ||
           name.consume_front("="));
  header.kind = llvm::find_if(
      kKinds, [&](const ElementKind &kind) { return kind.numpy == name; });
  if (header.kind == std::end(kKinds))
    return inputError(where, "has elements of type '" + name + "'",
                      "Save it as an array of floats, integers or booleans.");
  return llvm::Error::success();
}

static llvm::Error readShape(llvm::StringRef value, llvm::StringRef where,
                             Header &header) {
  size_t end = value.find(')');
  if (!value.consume_front("(") || end == llvm::StringRef::npos)
    return inputError(where, "its header does not have a shape");
  llvm::SmallVector<llvm::StringRef> parts;
  value.take_front(end - 1).split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    int64_t dimension = 0;
    if (part.trim().empty())
      continue;
    if (part.trim().getAsInteger(10, dimension) || dimension < 0)
      return inputError(where, "its shape has the dimension '" + part + "'");
    header.shape.push_back(dimension);
  }
  if (header.shape.size() > kMaxRank)
    return inputError(where, "has " + llvm::Twine(header.shape.size()) +
                                 " dimensions");
  return llvm::Error::success();
}

static llvm::Expected<Header> readHeader(llvm::StringRef bytes,
                                         llvm::StringRef where) {
  llvm::StringRef rest = bytes;
  if (!rest.consume_front(kMagic) || rest.size() < 4)
    return inputError(where, "is not a *.npy file",
                      "Write it with numpy.save.");
  unsigned major = uint8_t(rest[0]);
  rest = rest.drop_front(2);
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (major < 1 || major > 3 || rest.size() < lengthBytes)
    return inputError(where, "is a *.npy file of version " +
                                 llvm::Twine(major) + ", or cut short");
  uint64_t length = major == 1 ? llvm::support::endian::read16le(rest.data())
                               : llvm::support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (length > rest.size())
    return inputError(where, "ends within its header");
  llvm::StringRef dictionary = rest.take_front(length);

  Header header;
  header.data = rest.drop_front(length);
  auto type = findValue(dictionary, "descr");
  auto order = findValue(dictionary, "fortran_order");
  auto shape = findValue(dictionary, "shape");
  if (!type || !order || !shape)
    return inputError(where, "its header lacks descr, fortran_order or shape");
  header.fortranOrder = order->consume_front("True");
  bool isKnown = header.fortranOrder || order->consume_front("False");
  if (!isKnown || order->ltrim().find_first_of(",}") != 0)
    return inputError(where, "its fortran_order is neither True nor False");
  if (llvm::Error error = readElementKind(*type, where, header))
    return std::move(error);
  if (llvm::Error error = readShape(*shape, where, header))
    return std::move(error);
  return std::move(header);
}

/// Copies from column-major to row-major order.
static void toRowMajor(llvm::StringRef data, HostTensor &tensor) {
  size_t rank = tensor.shape.size();
  size_t width = tensor.bytesPerElement;
  llvm::SmallVector<uint64_t> strides(rank, 1);
  for (size_t d = 1; d < rank; ++d)
    strides[d] = strides[d - 1] * uint64_t(tensor.shape[d - 1]);
  llvm::SmallVector<int64_t> index(rank, 0);
  uint64_t source = 0;
  for (size_t i = 0, e = tensor.size(); i < e; ++i) {
    std::memcpy(tensor.bytes.data() + i * width, data.data() + source * width,
                width);
    for (size_t d = rank; d-- > 0;) {
      source += strides[d];
      if (++index[d] < tensor.shape[d])
        break;
      source -= strides[d] * uint64_t(index[d]);
      index[d] = 0;
    }
  }
}

llvm::Expected<HostTensor> mlirprof::readNpy(llvm::StringRef bytes,
                                             llvm::StringRef where) {
  auto header = readHeader(bytes, where);
  if (!header)
    return header.takeError();
  uint64_t size = header->kind->bytes;
  bool overflow = false;
  for (int64_t dimension : header->shape) {
    bool here = false;
    size = llvm::SaturatingMultiply(size, uint64_t(dimension), &here);
    overflow |= here;
  }
  if (overflow || size != header->data.size())
    return inputError(where,
                      "holds " + llvm::Twine(header->data.size()) +
                          " bytes of elements where its shape needs " +
                          (overflow ? llvm::Twine("more than there can be")
                                    : llvm::Twine(size)));
  HostTensor tensor;
  tensor.elementType = header->kind->mlir.str();
  tensor.bytesPerElement = header->kind->bytes;
  tensor.shape = std::move(header->shape);
  tensor.bytes.resize(size);
  if (header->fortranOrder && tensor.shape.size() > 1)
    toRowMajor(header->data, tensor);
  else
    llvm::copy(header->data, tensor.bytes.begin());
  if (header->bigEndian)
    for (size_t at = 0; at < size; at += header->kind->word)
      std::reverse(tensor.bytes.begin() + at,
                   tensor.bytes.begin() + at + header->kind->word);
  return std::move(tensor);
}

void mlirprof::writeNpy(const HostTensor &tensor, llvm::raw_ostream &os) {
  const ElementKind *kind = llvm::find_if(kKinds, [&](const ElementKind &kind) {
    return kind.mlir == tensor.elementType;
  });
  // MLIR's `index` has 64 bits; types that NumPy lacks are written raw.
  std::string type = kind != std::end(kKinds) ? kind->numpy.str()
                     : tensor.elementType == "index"
                         ? "i8"
                         : "V" + std::to_string(tensor.bytesPerElement);
  std::string dictionary;
  llvm::raw_string_ostream text(dictionary);
  text << "{'descr': '" << (tensor.bytesPerElement == 1 ? '|' : '<') << type
       << "', 'fortran_order': False, 'shape': (";
  for (int64_t dimension : tensor.shape)
    text << dimension << ", ";
  text << "), }";
  // NumPy requires the data to be aligned to 64 bytes.
  size_t before = kMagic.size() + 2 + 4;
  size_t total = llvm::alignTo(before + dictionary.size() + 1, 64);
  dictionary.resize(total - before - 1, ' ');
  dictionary.push_back('\n');
  char length[4];
  llvm::support::endian::write32le(length, uint32_t(dictionary.size()));
  os << kMagic << '\2' << '\0' << llvm::StringRef(length, 4) << dictionary
     << llvm::StringRef(tensor.bytes.data(), tensor.bytes.size());
}
