//===- AlignmentRules.cpp - Small modules to test rules of alignments -----===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlignmentRules.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::test;

namespace {

/// Writes a module in MLIR.
class Writer {
public:
  /// Adds the op or argument of a line.
  void add(llvm::StringRef line) {
    auto [tag, rest] = line.trim().split(" = ");
    auto [head, tail] = rest.split('(');
    auto [operands, name] = tail.split(')');
    auto [kind, size] = head.split(':');
    Value value = {("%" + tag).str()};
    if (!size.empty())
      value.type = llvm::formatv("tensor<{0}xf32>", size);
    if (kind == "argument") {
      addArgument(value, name.trim());
    } else {
      auto [used, types] = useAll(operands, ", ");
      body += llvm::formatv("{0} = \"x.{1}\"({2}) : ({3}) -> {4} "
                            "loc(\"{5}|{6}\")\n",
                            value.name, kind, used, types, value.type,
                            name.trim(), tag);
    }
    values[tag] = value;
  }

  /// The function that returns `results`.
  std::string finish(llvm::StringRef results) {
    auto [used, types] = useAll(results, " ");
    return llvm::formatv(
        "func.func @main({0}) -> ({1}) {{\n{2}return {3} : {1}\n}\n", arguments,
        types, body, used);
  }

private:
  struct Value {
    std::string name;
    std::string type = "tensor<2xf32>";
  };

  void addArgument(const Value &value, llvm::StringRef name) {
    arguments +=
        llvm::formatv("{0}{1}: {2} loc(\"{3}\")", arguments.empty() ? "" : ", ",
                      value.name, value.type, name);
  }

  Value addConstant(char kind, llvm::StringRef number) {
    Value value = {llvm::formatv("%constant{0}", count++).str()};
    std::string values =
        kind == '?'
            ? llvm::formatv("dense_resource<r{0}> : tensor<2xf32>", number)
        : kind == '@'
            ? llvm::formatv("dense<[{0}, {0}1]> : tensor<2xi64>", number)
            : llvm::formatv("dense<[{0}.0, {0}.01]> : tensor<2xf32>", number);
    body += llvm::formatv(
        "{0} = \"x.constant\"() {{value = {1}} : () -> {2} loc(unknown)\n",
        value.name, values, value.type);
    return value;
  }

  Value use(llvm::StringRef name) {
    if (llvm::StringRef("#@?").contains(name.front()))
      return addConstant(name.front(), name.drop_front());
    Value &value = values[name];
    if (value.name.empty()) {
      value.name = ("%" + name).str();
      addArgument(value, "");
    }
    return value;
  }

  /// The values of a list, and their types.
  std::pair<std::string, std::string> useAll(llvm::StringRef list,
                                             llvm::StringRef separator) {
    llvm::SmallVector<llvm::StringRef> names;
    list.split(names, separator, -1, /*KeepEmpty=*/false);
    std::vector<std::string> used, types;
    for (llvm::StringRef name : names) {
      Value value = use(name);
      used.push_back(value.name);
      types.push_back(value.type);
    }
    return {llvm::join(used, ", "), llvm::join(types, ", ")};
  }

  llvm::StringMap<Value> values;
  std::string arguments, body;
  unsigned count = 0;
};

} // namespace

AlignmentRules::AlignmentRules() : context(MLIRContext::Threading::DISABLED) {
  prepareContext(context);
}

AlignmentRules::Tagged AlignmentRules::make(llvm::StringRef lines,
                                            llvm::StringRef results) {
  Writer writer;
  llvm::SmallVector<llvm::StringRef> all;
  lines.split(all, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : all)
    writer.add(line);
  auto parsed = parseModule(
      llvm::MemoryBuffer::getMemBufferCopy(writer.finish(results), "generated"),
      context);
  if (!parsed)
    ADD_FAILURE() << llvm::toString(parsed.takeError());
  Tagged result;
  result.module = llvm::cast<ModuleOp>(parsed->release());
  result.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::string tag;
    if (auto location = dyn_cast<NameLoc>(op->getLoc())) {
      auto [name, own] = location.getName().getValue().split('|');
      tag = own.str();
      op->setLoc(name.empty() ? Location(UnknownLoc::get(&context))
                              : NameLoc::get(StringAttr::get(&context, name)));
    }
    result.tags.push_back(tag);
  });
  return result;
}

std::string AlignmentRules::align(llvm::StringRef before,
                                  llvm::StringRef resultsBefore,
                                  llvm::StringRef after,
                                  llvm::StringRef resultsAfter) {
  Tagged old = make(before, resultsBefore), now = make(after, resultsAfter);
  Alignment alignment = alignModules(*old.module, *now.module);
  std::vector<std::string> all;
  for (auto [tag, found] : llvm::zip_equal(old.tags, alignment.ops)) {
    if (tag.empty())
      continue;
    std::vector<std::string> ops;
    for (uint32_t op : found.ops)
      ops.push_back(now.tags[op]);
    all.push_back(tag + ":" + llvm::join(ops, ","));
    evidence[tag] = found.evidence;
  }
  return llvm::join(all, " ");
}

std::string test::makeLayers(
    llvm::ArrayRef<int> layers,
    llvm::function_ref<std::string(int layer, int place, std::string from)>
        write) {
  std::string text, from = "x";
  for (auto [place, layer] : llvm::enumerate(layers)) {
    text += write(layer, int(place), from);
    from = "s" + std::to_string(layer);
  }
  return text;
}

std::string test::writeSum(int layer, int place, std::string from,
                           llvm::StringRef name) {
  std::string full = name.str();
  if (size_t at = full.find('%'); at != std::string::npos)
    full.replace(at, 1, std::to_string(place));
  return llvm::formatv("a{0} = abs({1}) {2}a\nd{0} = dot(a{0}, w{0}) {2}d\n"
                       "s{0} = add({1}, d{0}) {2}s\n",
                       layer, from, full);
}

std::string test::writeWeighted(int layer, int, std::string from) {
  return llvm::formatv("a{0} = abs({1})\nd{0} = dot(a{0}, #{0})\n"
                       "s{0} = add({1}, d{0})\n",
                       layer, from);
}
