//===- Prof.cpp - The prof dialect and its attributes ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/Prof.h"

#include "ProfBytecode.h"
#include "mlir-prof/Dialect/Prof/ProfInterfaces.h"
#include "mlir-prof/Trace/Time.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlirprof::prof;
using namespace mlirprof::trace;

#include "mlir-prof/Dialect/Prof/ProfDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "mlir-prof/Dialect/Prof/ProfAttributes.cpp.inc"

void ProfDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mlir-prof/Dialect/Prof/ProfAttributes.cpp.inc"
      >();
  registerProbes();
  addBytecodeInterface(*this);
  // For contexts that load the dialect without registerProfDialect (a pass that
  // only depends on it): covers the ops registered so far.
  attachProfiledOpInterface(getContext()->getRegisteredOperations());
}

LogicalResult ProfDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  auto wrong = [&](StringRef expected) {
    return op->emitOpError() << "attribute '" << attribute.getName().getValue()
                             << "' must be " << expected;
  };
  if (attribute.getName() == getDataAttrName()) {
    if (!isa<DataAttr>(attribute.getValue()))
      return wrong("a #prof.data");
    return success();
  }
  if (attribute.getName() == getCoverageAttrName()) {
    if (!isa<CoverageAttr>(attribute.getValue()))
      return wrong("a #prof.coverage");
    return success();
  }
  // Its content is checked where it is read.
  if (attribute.getName() == getProgramAttrName()) {
    if (!isa<DictionaryAttr>(attribute.getValue()))
      return wrong("a dictionary");
    return success();
  }
  if (attribute.getName() == getPartsAttrName()) {
    if (!isa<DictionaryAttr>(attribute.getValue()))
      return wrong("a dictionary");
    return success();
  }
  return op->emitOpError()
         << "attribute '" << attribute.getName().getValue()
         << "' is not an attribute of the prof dialect, which has 'prof.data', "
            "'prof.coverage', 'prof.program' and 'prof.parts'";
}

/// Fails if one of `times` is negative.
static LogicalResult
verifyTimes(llvm::function_ref<InFlightDiagnostic()> emitError,
            ArrayRef<std::pair<StringRef, int64_t>> times) {
  for (auto [name, time] : times)
    if (time < 0)
      return emitError() << "'" << name << "' must not be negative, is "
                         << time;
  return success();
}

LogicalResult
DataAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 uint64_t count, int64_t solePs, int64_t sharedPs,
                 int64_t estimatedPs, int64_t firstBeginPs) {
  return verifyTimes(emitError, {{"sole_ps", solePs},
                                 {"shared_ps", sharedPs},
                                 {"estimated_ps", estimatedPs}});
}

LogicalResult
CoverageAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     int64_t opTimePs, int64_t ownedPs, int64_t uniquePs,
                     int64_t ambiguousPs, int64_t fusedPs, int64_t partialPs,
                     int64_t unmatchedPs, int64_t meanFusedMembersPpm) {
  return verifyTimes(emitError,
                     {{"op_time_ps", opTimePs},
                      {"owned_ps", ownedPs},
                      {"unique_ps", uniquePs},
                      {"ambiguous_ps", ambiguousPs},
                      {"fused_ps", fusedPs},
                      {"partial_ps", partialPs},
                      {"unmatched_ps", unmatchedPs},
                      {"mean_fused_members_ppm", meanFusedMembersPpm}});
}

int64_t DataAttr::getTotalPs() const {
  return saturatingAdd(getSolePs(), getEstimatedPs());
}

namespace {
/// Runs for every dialect that is loaded, since it does not require a
/// particular one.
struct AttachToEveryDialect : DialectExtensionBase {
  AttachToEveryDialect() : DialectExtensionBase({}) {}

  void apply(MLIRContext *context,
             MutableArrayRef<Dialect *> dialects) const override {
    // getRegisteredOperationsByDialect would be the natural choice, but finds
    // nothing for most dialects of MLIR 22.
    for (RegisteredOperationName op : context->getRegisteredOperations())
      if (llvm::is_contained(dialects, &op.getDialect()))
        attachProfiledOpInterface(op);
  }
  std::unique_ptr<DialectExtensionBase> clone() const override {
    return std::make_unique<AttachToEveryDialect>(*this);
  }
};
} // namespace

void mlirprof::prof::registerProfDialect(DialectRegistry &registry) {
  registry.insert<ProfDialect>();
  registry.addExtension(TypeID::get<AttachToEveryDialect>(),
                        std::make_unique<AttachToEveryDialect>());
}
