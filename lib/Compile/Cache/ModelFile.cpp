//===- ModelFile.cpp - Compiled models as bytes --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelFile.h"
#include "mlir-prof/Compile/Bytes.h"
#include "mlir-prof/Compile/ModelCache.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;

// A file is the header (magic, then the length and the hash of each of the four
// parts that follow), a table, the program, a profile with all levels, the
// object, and the constants at the offsets that the table names.
static constexpr uint64_t kHeaderBytes = kModelMagic.size() + 4 * 16;
/// Constants begin at least at multiples of it.
static constexpr uint64_t kConstantAlignment = 64;

std::string compile::writeLevels(const CompiledModel &model) {
  Profile holder;
  holder.irModules = model.irModules;
  for (const KernelLevels &kernel : model.kernels)
    append_range(holder.irModules, kernel.levels);
  std::string bytes;
  raw_string_ostream os(bytes);
  cantFail(writeProfile(holder, os));
  return bytes;
}

std::string compile::writeTable(const CompiledModel &model,
                                const BuildWarnings &warnings,
                                PlaceConstant place) {
  // Fails to compile when a member is added, which the file would lack.
  const auto &[signature, object, entrySymbol, resetSymbol, stateBytes,
               firstState, constants, storage, program, irModules, kernels,
               kernelCode, programs, arenaBytes, hostGraph, deviceProgram,
               usesOpenMP, usesExecutor, losses] = model;
  std::string bytes;
  ByteWriter table(bytes);
  table.put(entrySymbol);
  table.put(resetSymbol);
  table.put(uint64_t(stateBytes));
  table.put(uint64_t(usesOpenMP));
  table.put(uint64_t(usesExecutor));
  table.put(uint64_t(warnings.size()));
  for (const std::string &warning : warnings)
    table.put(warning);
  table.put(signature);
  table.put(uint64_t(irModules.size()));
  table.put(uint64_t(kernels.size()));
  for (const KernelLevels &kernel : kernels) {
    table.put(kernel.symbol);
    table.put(uint64_t(kernel.levels.size()));
  }
  table.put(uint64_t(constants.size()));
  for (const ExternalConstant &constant : constants) {
    table.put(constant.name);
    table.put(place(constant));
    table.put(uint64_t(constant.bytes.size()));
    table.put(uint64_t(constant.alignment));
    table.put(constant.hash ? *constant.hash
                            : xxh3_64bits(StringRef(constant.bytes.data(),
                                                    constant.bytes.size())));
  }
  return bytes;
}

/// The begin of `constant` in a file if the bytes before it end at `end`.
static uint64_t place(const ExternalConstant &constant, uint64_t end) {
  return alignTo(
      end, std::clamp(constant.alignment, kConstantAlignment, kFileAlignment));
}

void compile::writeModel(const CompiledModel &model,
                         const BuildWarnings &warnings, raw_ostream &os) {
  // Constants are placed as if the file had only them.
  uint64_t placed = 0;
  std::string table =
      writeTable(model, warnings, [&](const ExternalConstant &constant) {
        uint64_t begin = place(constant, placed);
        placed = begin + constant.bytes.size();
        return begin;
      });
  std::string program = serializeProgram(model.program),
              levels = writeLevels(model);
  std::string header = kModelMagic.str();
  ByteWriter fields(header);
  StringRef parts[] = {table, program, levels, model.object};
  for (StringRef part : parts) {
    fields.put(uint64_t(part.size()));
    fields.put(xxh3_64bits(part));
  }
  os << header;
  uint64_t written = header.size();
  for (StringRef part : parts) {
    os << part;
    written += part.size();
  }
  uint64_t base = alignTo(written, kFileAlignment), end = 0;
  os.write_zeros(unsigned(base - written));
  for (const ExternalConstant &constant : model.constants) {
    uint64_t begin = place(constant, end);
    os.write_zeros(unsigned(begin - end));
    os.write(constant.bytes.data(), constant.bytes.size());
    end = begin + constant.bytes.size();
  }
}

namespace {
/// Reads a model from its parts.
class ModelParser {
public:
  explicit ModelParser(const ModelParts &parts) : parts(parts) {}
  std::optional<CompiledModel> run();

  BuildWarnings warnings;

private:
  bool readTable();
  bool readConstants(ByteReader &reader);
  bool readProgram();
  bool readLevels();

  const ModelParts &parts;
  CompiledModel model;
  uint64_t hostLevels = 0;
  /// The number of levels of each kernel.
  std::vector<uint64_t> kernelLevels;
};
} // namespace

bool ModelParser::readConstants(ByteReader &reader) {
  for (uint64_t count = reader.getInteger(); reader.isGood() && count != 0;
       --count) {
    ExternalConstant constant;
    constant.name = reader.getText();
    uint64_t begin = reader.getInteger(), size = reader.getInteger();
    constant.alignment = reader.getInteger();
    uint64_t hash = reader.getInteger();
    if (begin > parts.constants.size() ||
        size > parts.constants.size() - begin ||
        !isPowerOf2_64(constant.alignment) ||
        constant.alignment > kMostAlignment)
      return false;
    StringRef content = parts.constants.substr(begin, size);
    if (hash != xxh3_64bits(content))
      return false;
    constant.bytes = {content.data(), content.size()};
    model.constants.push_back(std::move(constant));
  }
  return true;
}

bool ModelParser::readTable() {
  ByteReader reader(parts.table);
  model.entrySymbol = reader.getText();
  model.resetSymbol = reader.getText();
  model.stateBytes = reader.getInteger();
  model.usesOpenMP = reader.getInteger() != 0;
  model.usesExecutor = reader.getInteger() != 0;
  for (uint64_t count = reader.getInteger(); reader.isGood() && count != 0;
       --count)
    warnings.push_back(reader.getText());
  model.signature = reader.getSignature();
  hostLevels = reader.getInteger();
  for (uint64_t count = reader.getInteger(); reader.isGood() && count != 0;
       --count) {
    model.kernels.push_back({reader.getText(), {}});
    kernelLevels.push_back(reader.getInteger());
  }
  return readConstants(reader) && reader.isDone();
}

bool ModelParser::readProgram() {
  Expected<Program> parsed = parseProgram(parts.program);
  if (!parsed) {
    consumeError(parsed.takeError());
    return false;
  }
  model.program = std::move(*parsed);
  return true;
}

bool ModelParser::readLevels() {
  Expected<Profile> holder = readProfile(parts.levels, "a compiled model");
  if (!holder) {
    consumeError(holder.takeError());
    return false;
  }
  MutableArrayRef<IrModule> rest = holder->irModules;
  auto take = [&](uint64_t count, std::vector<IrModule> &to) {
    if (count > rest.size())
      return false;
    for (IrModule &level : rest.take_front(count))
      to.push_back(std::move(level));
    rest = rest.drop_front(count);
    return true;
  };
  if (!take(hostLevels, model.irModules))
    return false;
  for (auto [count, kernel] : zip_equal(kernelLevels, model.kernels))
    if (!take(count, kernel.levels))
      return false;
  return rest.empty();
}

std::optional<CompiledModel> ModelParser::run() {
  if (!readTable() || !readProgram() || !readLevels())
    return std::nullopt;
  model.object = parts.object.str();
  return std::move(model);
}

std::optional<CompiledModel> compile::parseParts(const ModelParts &parts,
                                                 BuildWarnings &warnings) {
  ModelParser parser(parts);
  std::optional<CompiledModel> model = parser.run();
  if (model)
    warnings = std::move(parser.warnings);
  return model;
}

/// The parts of a file; none if it is damaged.
static std::optional<ModelParts> splitFile(StringRef bytes) {
  if (bytes.size() < kHeaderBytes || !bytes.starts_with(kModelMagic))
    return std::nullopt;
  ByteReader header(
      bytes.substr(kModelMagic.size(), kHeaderBytes - kModelMagic.size()));
  StringRef rest = bytes.drop_front(kHeaderBytes);
  ModelParts parts;
  for (StringRef *part :
       {&parts.table, &parts.program, &parts.levels, &parts.object}) {
    uint64_t length = header.getInteger();
    if (length > rest.size())
      return std::nullopt;
    *part = rest.take_front(length);
    rest = rest.drop_front(length);
    if (header.getInteger() != xxh3_64bits(*part))
      return std::nullopt;
  }
  uint64_t end = bytes.size() - rest.size();
  uint64_t base = alignTo(end, kFileAlignment);
  if (base > bytes.size() ||
      bytes.slice(end, base).find_first_not_of('\0') != StringRef::npos)
    return std::nullopt;
  parts.constants = bytes.drop_front(base);
  return parts;
}

/// Whether nothing but constants and what aligns them is in `bytes`.
static bool isPacked(const CompiledModel &model, StringRef bytes) {
  uint64_t end = 0;
  for (const ExternalConstant &constant : model.constants) {
    uint64_t begin = uint64_t(constant.bytes.data() - bytes.data());
    if (begin != place(constant, end) ||
        bytes.slice(end, begin).find_first_not_of('\0') != StringRef::npos)
      return false;
    end = begin + constant.bytes.size();
  }
  return end == bytes.size();
}

std::optional<CompiledModel> compile::parseModel(StringRef bytes,
                                                 BuildWarnings &warnings) {
  std::optional<ModelParts> parts = splitFile(bytes);
  if (!parts)
    return std::nullopt;
  BuildWarnings read;
  std::optional<CompiledModel> model = parseParts(*parts, read);
  if (!model || !isPacked(*model, parts->constants))
    return std::nullopt;
  warnings = std::move(read);
  return model;
}
