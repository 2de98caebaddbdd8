//===- ScopeNames.h - Names apart from their numbers ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_SCOPENAMES_H
#define MLIR_PROF_LIB_MATCH_SCOPENAMES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace mlirprof::match {

/// "enc/layer_10/dot" is the parts enc, layer and dot with 0, 10 and 0.
struct ScopeName {
  explicit ScopeName(llvm::StringRef name);

  /// The last `count` parts, without numbers.
  std::string getText(size_t count) const;

  std::vector<std::string> parts;
  std::vector<uint64_t> numbers;
};

/// Tells numbers in names that identify a layer from those that only give its
/// position, which change when a layer before it is added or removed. A number
/// is a position if both sides count from the same number without a gap, but
/// not equally far. Ops that a compiler may have removed do not count as an
/// added layer. Recorded names are not in the order of the model: numbers in
/// names of two modules, which are, are judged by it
/// (module::align::TellingNames).
class ScopeNumbers {
public:
  enum class Side : uint8_t { Recorded, Module };
  /// Whether an op with a name surely runs, as a matrix product does, or may be
  /// optimized away, as a reshape.
  enum class Trace : uint8_t { Sure, Likely, Unlikely };

  void add(Side side, const ScopeName &name, size_t count,
           Trace trace = Trace::Likely);
  /// The last `count` parts of the name, with the numbers that identify it.
  std::string getLabel(const ScopeName &name, size_t count) const;

private:
  using Numbers = std::set<std::vector<uint64_t>>;
  /// Whether the number at the end of `text` is a position, given in `ofPlace`
  /// which numbers before it are.
  bool isOfPlace(const std::string &text,
                 const std::vector<bool> &ofPlace) const;
  Numbers project(const std::map<std::string, Numbers> &side,
                  const std::string &text,
                  const std::vector<bool> &ofPlace) const;
  /// Whether the compiler may have removed everything that only the module has,
  /// and no number of a product with the same prefix is a position.
  bool mayBeLeftOut(const Numbers &recorded, const Numbers &module,
                    const std::string &text,
                    const std::vector<bool> &ofPlace) const;

  /// Numbers seen up to a part, by the text up to it.
  std::map<std::string, Numbers> seen[2];
  /// Those of the module that are seen on something that leaves a trace.
  std::map<std::string, Numbers> traced;
  /// Texts up to a part of names of products.
  std::set<std::string> ofProducts;
  mutable std::map<std::string, bool> decided;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_SCOPENAMES_H
