//===- ProfBytecode.cpp - Bytecode of the prof dialect --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfBytecode.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlirprof::prof;

namespace {

/// First number of every attribute. It is written to files: never renumber.
enum class Code : uint64_t { Data = 0, Coverage = 1 };

struct ProfBytecodeInterface : BytecodeDialectInterface {
  explicit ProfBytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  LogicalResult writeAttribute(Attribute attribute,
                               DialectBytecodeWriter &writer) const override {
    return llvm::TypeSwitch<Attribute, LogicalResult>(attribute)
        .Case([&](DataAttr data) {
          writer.writeVarInt(uint64_t(Code::Data));
          writer.writeVarInt(data.getCount());
          for (int64_t number : {data.getSolePs(), data.getSharedPs(),
                                 data.getEstimatedPs(), data.getFirstBeginPs()})
            writer.writeSignedVarInt(number);
          return success();
        })
        .Case([&](CoverageAttr coverage) {
          writer.writeVarInt(uint64_t(Code::Coverage));
          for (int64_t number :
               {coverage.getOpTimePs(), coverage.getOwnedPs(),
                coverage.getUniquePs(), coverage.getAmbiguousPs(),
                coverage.getFusedPs(), coverage.getPartialPs(),
                coverage.getUnmatchedPs(), coverage.getMeanFusedMembersPpm()})
            writer.writeSignedVarInt(number);
          return success();
        })
        .Default([](Attribute) { return failure(); });
  }

  Attribute readAttribute(DialectBytecodeReader &reader) const override {
    uint64_t code;
    if (failed(reader.readVarInt(code)))
      return {};
    switch (code) {
    case uint64_t(Code::Data):
      return readData(reader);
    case uint64_t(Code::Coverage):
      return readCoverage(reader);
    default:
      reader.emitError() << "unknown attribute " << code
                         << " of dialect prof; a newer mlir-prof wrote it";
      return {};
    }
  }

private:
  static Attribute readData(DialectBytecodeReader &reader) {
    uint64_t count;
    int64_t numbers[4];
    if (failed(reader.readVarInt(count)) || failed(readAll(reader, numbers)))
      return {};
    return DataAttr::getChecked([&] { return reader.emitError(); },
                                reader.getContext(), count, numbers[0],
                                numbers[1], numbers[2], numbers[3]);
  }
  static Attribute readCoverage(DialectBytecodeReader &reader) {
    int64_t numbers[8];
    if (failed(readAll(reader, numbers)))
      return {};
    return CoverageAttr::getChecked([&] { return reader.emitError(); },
                                    reader.getContext(), numbers[0], numbers[1],
                                    numbers[2], numbers[3], numbers[4],
                                    numbers[5], numbers[6], numbers[7]);
  }
  static LogicalResult readAll(DialectBytecodeReader &reader,
                               MutableArrayRef<int64_t> numbers) {
    for (int64_t &number : numbers)
      if (failed(reader.readSignedVarInt(number)))
        return failure();
    return success();
  }
};

} // namespace

void mlirprof::prof::addBytecodeInterface(ProfDialect &dialect) {
  dialect.addInterfaces<ProfBytecodeInterface>();
}
