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

/// Which numbers in names say what something is, and which only at what place
/// it stands, so that a layer that came or went changed those of others. A
/// number is of the place where both sides count from the same number without
/// a gap, but not as far. What a compiler leaves out of a layer is no layer
/// that came.
class ScopeNumbers {
public:
  enum class Side : uint8_t { Recorded, Module };
  /// Whether what has a name surely runs, as a product does, or may leave no
  /// trace, as a reshape.
  enum class Trace : uint8_t { Sure, Likely, Unlikely };

  void add(Side side, const ScopeName &name, size_t count,
           Trace trace = Trace::Likely);
  /// The last `count` parts of the name, with the numbers that say what it is.
  std::string getLabel(const ScopeName &name, size_t count) const;

private:
  using Numbers = std::set<std::vector<uint64_t>>;
  /// Whether the number at the end of `text` tells the place, given that for
  /// those before it.
  bool isOfPlace(const std::string &text,
                 const std::vector<bool> &ofPlace) const;
  Numbers project(const std::map<std::string, Numbers> &side,
                  const std::string &text,
                  const std::vector<bool> &ofPlace) const;
  /// Whether all that only the module has may have been left out, and no number
  /// of a product beside it is of a place.
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
