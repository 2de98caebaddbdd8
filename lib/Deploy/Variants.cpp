//===- Variants.cpp - Code for several processors -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Variants.h"
#include "Bitcode.h"
#include "Plan.h"
#include "Processors.h"
#include "mlir-prof/Compile/Backend.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

MLIRPROF_BITCODE(aarch64_variants);
MLIRPROF_BITCODE(x86_64_variants);

std::string deploy::getVariantSymbol(StringRef model, StringRef name) {
  std::string symbol = (model + "_variant_").str();
  for (char letter : name)
    symbol += isAlnum(letter) ? letter : '_';
  return symbol;
}

void deploy::addSharedConstants(ArrayRef<compile::ExternalConstant> constants,
                                DeployedModel &model) {
  for (const compile::ExternalConstant &constant : constants) {
    auto same = find_if(model.constants, [&](const SharedConstant &other) {
      return other.symbol == constant.name;
    });
    if (same != model.constants.end())
      same->alignment = std::max(same->alignment, constant.alignment);
    else
      model.constants.push_back(
          {constant.name, constant.bytes.vec(), constant.alignment});
  }
}

Error deploy::addConstantObject(DeployedModel &model) {
  std::string text;
  for (const SharedConstant &constant : model.constants)
    text += formatv("@{0} = hidden constant {1}, align {2}\n", constant.symbol,
                    writeBytes(constant.bytes), constant.alignment);
  return text.empty() ? Error::success()
                      : addAssembly("constants", text, model);
}

/// The table that runtime/target/Variants.c reads.
static Expected<std::string> writeTable(const DeployedModel &model) {
  std::string text, rows;
  raw_string_ostream os(text);
  os << formatv("%row = type {{ ptr, ptr, [{0} x i32] }\n",
                PROF_PROCESSOR_WORDS);
  for (auto [index, variant] : enumerate(model.variants)) {
    auto needs = getNeeds(variant.target);
    if (!needs)
      return needs.takeError();
    std::string symbol = getVariantSymbol(model.name, variant.name), words;
    for (uint32_t word : *needs)
      words += (words.empty() ? "i32 " : ", i32 ") + utostr(word);
    os << formatv("declare hidden void @{0}(ptr, ptr, i32, i32, i32)\n"
                  "@{1}_name{2} = internal constant [{3} x i8] c\"{4}\\00\"\n",
                  symbol, model.name, index, variant.name.size() + 1,
                  variant.name);
    rows += formatv(
        "{0}%row {{ ptr @{1}_name{2}, ptr @{3}, [{4} x i32] [{5}] }",
        index ? ", " : "", model.name, index, symbol, needs->size(), words);
  }
  os << formatv("@{0}_variants = hidden constant [{1} x %row] [{2}]\n"
                "@{0}_variant_count = hidden constant i32 {1}\n",
                model.name, model.variants.size(), rows);
  return text;
}

static Error addChooser(DeployedModel &model) {
  compile::BackendOptions backend;
  backend.target = model.target;
  backend.hasSections = true;
  const std::string names[] = {
      model.name, model.name + "_variant", model.name + "_use_variant",
      model.name + "_variants", model.name + "_variant_count"};
  auto object = compile::emitBitcode(Triple(model.target.triple).isAArch64()
                                         ? MLIRPROF_BYTES(aarch64_variants)
                                         : MLIRPROF_BYTES(x86_64_variants),
                                     backend,
                                     {{"prof_variant", names[0]},
                                      {"prof_variant_name", names[1]},
                                      {"prof_variant_use", names[2]},
                                      {"prof_variant_table", names[3]},
                                      {"prof_variant_count", names[4]}});
  if (!object)
    return object.takeError();
  model.objects.push_back({"variants", std::move(*object)});
  model.exported.push_back(names[1]);
  model.exported.push_back(names[2]);
  return Error::success();
}

Error deploy::addVariantChoice(DeployedModel &model) {
  auto table = writeTable(model);
  if (!table)
    return table.takeError();
  if (Error error = addAssembly("variant_table", *table, model))
    return error;
  return addChooser(model);
}
