//===- CxxNames.cpp - Printed forms of C++ functions ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A mangled name refers back to parts of itself, so its text can double every
// few bytes, and LLVM's demangler ends the program when memory is exhausted. So
// the size of the text is bounded while the name is parsed: every node prints
// each of its parts once, except for expansions of packs.

#include "CxxNames.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/ItaniumDemangle.h"
#include "llvm/Support/Allocator.h"

#include <cstdlib>
#include <optional>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfscript;
using llvm::StringRef;
namespace itanium = llvm::itanium_demangle;

/// The demangler recurses for nearly each byte of a name.
static constexpr size_t kLongestName = 4096;
static constexpr uint64_t kLongestText = uint64_t(64) << 10;

//===----------------------------------------------------------------------===//
// A bound on the text
//===----------------------------------------------------------------------===//

namespace {

/// Creates the parser's nodes, and bounds the text that each of them prints.
class BoundingAllocator {
public:
  void reset() {}
  void *allocateNodeArray(size_t count) {
    return memory.Allocate(count * sizeof(itanium::Node *),
                           alignof(itanium::Node *));
  }
  template <class T, class... Args>
  itanium::Node *makeNode(Args &&...args) {
    uint64_t size = kOwnText;
    ((size = llvm::SaturatingAdd(size, bound<T>(args))), ...);
    constexpr bool isPackExpanded =
        std::is_same_v<T, itanium::ParameterPackExpansion> ||
        std::is_same_v<T, itanium::SizeofParamPackExpr> ||
        std::is_same_v<T, itanium::FoldExpr>;
    if (isPackExpanded) {
      size = llvm::SaturatingMultiply(size, longestPack);
      hasExpansions = true;
    }
    T *node = new (memory.Allocate(sizeof(T), alignof(T)))
        T(std::forward<Args>(args)...);
    if constexpr (std::is_same_v<T, itanium::ForwardTemplateReference>) {
      size = kForwardText;
      references.push_back(node);
    }
    sizes[node] = size;
    return node;
  }

  /// Maximum number of bytes that `root` prints.
  uint64_t getBound(const itanium::Node *root) const;

private:
  /// Maximum number of bytes that a node itself prints: words, brackets, a
  /// number.
  static constexpr uint64_t kOwnText = 40;
  /// "std::basic_string<char, std::char_traits<char>, ...": two nodes.
  static constexpr uint64_t kLongestWord = 96;
  /// Assumed text of a forward reference to an argument.
  static constexpr uint64_t kForwardText = 4096;

  template <class T, class Arg>
  uint64_t bound(const Arg &arg) {
    if constexpr (std::is_same_v<T, itanium::SpecialSubstitution>)
      return kLongestWord;
    else if constexpr (std::is_convertible_v<Arg, const itanium::Node *>)
      return getSize(arg) +
             (std::is_same_v<T, itanium::ExpandedSpecialSubstitution>
                  ? kLongestWord
                  : 0);
    else if constexpr (std::is_same_v<Arg, itanium::NodeArray>)
      return getSize(arg, std::is_same_v<T, itanium::ParameterPack>);
    else if constexpr (std::is_convertible_v<Arg, std::string_view>)
      return std::string_view(arg).size();
    else
      return 0;
  }
  uint64_t getSize(const itanium::Node *node) const {
    return sizes.lookup(node);
  }
  uint64_t getSize(itanium::NodeArray nodes, bool isPack);

  llvm::BumpPtrAllocator memory;
  llvm::DenseMap<const itanium::Node *, uint64_t> sizes;
  llvm::SmallVector<const itanium::ForwardTemplateReference *, 4> references;
  uint64_t longestPack = 1;
  bool hasExpansions = false;
};

} // namespace

/// Elements of a pack are printed one at a time.
uint64_t BoundingAllocator::getSize(itanium::NodeArray nodes, bool isPack) {
  uint64_t sum = 0, most = 0;
  for (const itanium::Node *node : nodes) {
    constexpr uint64_t kComma = 2;
    uint64_t size = llvm::SaturatingAdd(getSize(node), kComma);
    sum = llvm::SaturatingAdd(sum, size);
    most = std::max(most, size);
  }
  if (isPack)
    longestPack = std::max(longestPack, uint64_t(nodes.size()));
  return isPack ? most : sum;
}

uint64_t BoundingAllocator::getBound(const itanium::Node *root) const {
  constexpr uint64_t kUnbounded = std::numeric_limits<uint64_t>::max();
  // A forward reference to a pack has an unknown expansion.
  if (!references.empty() && hasExpansions)
    return kUnbounded;
  // References may refer to each other: the bound holds for all if each is as
  // short as was assumed, and a cycle does not print anything.
  for (const itanium::ForwardTemplateReference *reference : references)
    if (reference->Ref && getSize(reference->Ref) > kForwardText)
      return kUnbounded;
  return getSize(root);
}

//===----------------------------------------------------------------------===//
// The text
//===----------------------------------------------------------------------===//

static std::string print(const itanium::Node *node) {
  itanium::OutputBuffer buffer;
  node->print(buffer);
  std::string text{std::string_view(buffer)};
  std::free(buffer.getBuffer());
  return text;
}

/// " [clone .constprop.0] [clone .cold]" of ".constprop.0.cold", parts that an
/// optimizer made of a function: a word each, with numbers after it. None if it
/// has another form: then libiberty prints the linker's name.
static std::optional<std::string> printClones(StringRef suffix) {
  auto isDigit = [](char c) { return llvm::isDigit(c); };
  auto isWord = [](char c) {
    return llvm::isLower(c) || llvm::isDigit(c) || c == '_';
  };
  std::string text;
  while (!suffix.empty()) {
    StringRef rest = suffix;
    if (!rest.consume_front(".") || rest.empty() || !isWord(rest.front()))
      return std::nullopt;
    rest = rest.drop_while(isWord);
    while (rest.size() > 1 && rest[0] == '.' && isDigit(rest[1]))
      rest = rest.drop_front().drop_while(isDigit);
    text += (" [clone " + suffix.drop_back(rest.size()) + "]").str();
    suffix = rest;
  }
  return text;
}

bool perfscript::addCxxSpellings(StringRef name, MemoryBudget &budget,
                                 llvm::SmallVectorImpl<std::string> &found) {
  if (!name.starts_with("_Z"))
    return true;
  if (name.size() > kLongestName)
    return false;
  StringRef base = name.take_front(name.find('.'));
  itanium::ManglingParser<BoundingAllocator> parser(base.begin(), base.end());
  const itanium::Node *root = parser.parse();
  if (!root)
    return true;
  std::optional<std::string> clones = printClones(name.drop_front(base.size()));
  uint64_t bound = llvm::SaturatingAdd(parser.ASTAllocator.getBound(root),
                                       uint64_t(clones ? clones->size() : 0));
  if (bound > kLongestText || !budget.charge(bound))
    return false;
  if (clones)
    found.push_back(print(root) + *clones);
  // "ns::f<int>" of "_ZN2ns1fIiEEvT_", and of all of its clones, as perf prints
  // them unless it is asked for more (-v).
  if (root->getKind() == itanium::Node::KFunctionEncoding)
    found.push_back(
        print(static_cast<const itanium::FunctionEncoding *>(root)->getName()));
  return true;
}
