//===- Dispatch.cpp - The dispatch dialect --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Dispatch/Dispatch.h"

#include "Bufferization.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::dispatch;

#include "mlir-prof/Dialect/Dispatch/DispatchDialect.cpp.inc"

#define GET_OP_CLASSES
#include "mlir-prof/Dialect/Dispatch/DispatchOps.cpp.inc"

void DispatchDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "mlir-prof/Dialect/Dispatch/DispatchOps.cpp.inc"
      >();
}

void dispatch::registerDispatchDialect(DialectRegistry &registry) {
  registry.insert<DispatchDialect>();
  registerBufferization(registry);
}

bool dispatch::isKernel(Operation *op) {
  return op->hasAttr(DispatchDialect::getKernelAttrName());
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Checks that `kernel` returns its destinations.
static LogicalResult verifyResults(func::FuncOp kernel) {
  ArrayRef<Type> arguments = kernel.getArgumentTypes();
  ArrayRef<Type> results = kernel.getResultTypes();
  if (results.size() > arguments.size() ||
      arguments.take_back(results.size()) != results)
    return kernel.emitOpError(
        "is a kernel, so its results must have the types of its last "
        "arguments, the destinations");
  return success();
}

LogicalResult
DispatchDialect::verifyOperationAttribute(Operation *op,
                                          NamedAttribute attribute) {
  if (attribute.getName() != getKernelAttrName())
    return op->emitOpError() << "attribute '" << attribute.getName().getValue()
                             << "' is not an attribute of the dispatch "
                                "dialect, which has 'dispatch.kernel'";
  if (!isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError() << "attribute '" << getKernelAttrName()
                             << "' must be a unit attribute";
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function || !function.isPrivate())
    return op->emitOpError() << "attribute '" << getKernelAttrName()
                             << "' is for private functions only";
  return verifyResults(function);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

bool RunOp::isUpdated(int64_t index) {
  std::optional<ArrayRef<int64_t>> updated = getUpdates();
  return updated && llvm::is_contained(*updated, index);
}

func::FuncOp RunOp::lookUpKernel() {
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(getOperation(),
                                                            getKernelAttr());
}

void RunOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  SideEffects::DefaultResource *memory = SideEffects::DefaultResource::get();
  for (OpOperand &input : getInputsMutable())
    if (isa<MemRefType>(input.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &input, memory);
  for (auto [i, output] : llvm::enumerate(getOutputsMutable())) {
    if (!isa<MemRefType>(output.get().getType()))
      continue;
    if (isUpdated(i))
      effects.emplace_back(MemoryEffects::Read::get(), &output, memory);
    effects.emplace_back(MemoryEffects::Write::get(), &output, memory);
  }
}

/// Devices are named in headers of C and by options: "npu", "cuda:1".
static LogicalResult verifyDevice(Operation *op, StringRef device) {
  bool isName = !device.empty() && llvm::all_of(device, [](char character) {
    return llvm::isAlnum(character) || StringRef("_-:.").contains(character);
  });
  if (!isName)
    return op->emitOpError() << "device '" << device
                             << "' must have a name of letters, digits and "
                                "_-:. characters";
  if (device == DispatchDialect::getHostName())
    return op->emitOpError() << "device '" << device
                             << "' is where dispatches without a device run";
  return success();
}

LogicalResult RunOp::verify() {
  if (getDevice() && failed(verifyDevice(*this, *getDevice())))
    return failure();
  auto isBuffer = [](Type type) { return isa<MemRefType>(type); };
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (llvm::any_of(getOperandTypes(), isBuffer) &&
      llvm::any_of(getOperandTypes(), isTensor))
    return emitOpError("operands must be tensors or buffers, not both");
  ArrayRef<int64_t> updated = getUpdates().value_or(ArrayRef<int64_t>());
  int64_t last = -1;
  for (int64_t index : updated) {
    if (index <= last || index >= int64_t(getOutputs().size()))
      return emitOpError() << "'updates' must list positions in 'outs' (0 to "
                           << int64_t(getOutputs().size()) - 1
                           << ") in ascending order";
    last = index;
  }
  return success();
}

/// Whether a shape `given` is one of those that `expected` allows.
static bool isOneOf(ArrayRef<int64_t> given, ArrayRef<int64_t> expected) {
  return given.size() == expected.size() &&
         llvm::all_of(llvm::zip_equal(given, expected), [](auto sizes) {
           auto [size, allowed] = sizes;
           return size == allowed || ShapedType::isDynamic(allowed);
         });
}

/// Whether an operand of type `given` can be an argument of type `expected`: a
/// tensor of a size that the kernel does not know, too. Bufferization rewrites
/// the host side and the kernels one after the other, so a tensor stands for a
/// buffer of its shape.
static bool isArgument(Type given, Type expected) {
  if (given == expected)
    return true;
  auto from = dyn_cast<ShapedType>(given), to = dyn_cast<ShapedType>(expected);
  if (!from || !to || from.getElementType() != to.getElementType())
    return false;
  bool areTensors = isa<TensorType>(given) && isa<TensorType>(expected);
  bool areMixed = isa<MemRefType>(given) != isa<MemRefType>(expected);
  return (areTensors || areMixed) && isOneOf(from.getShape(), to.getShape());
}

/// Checks that `run` has an operand of the right type for each argument of
/// `kernel`, and a result for each result.
static LogicalResult verifySignature(RunOp run, func::FuncOp kernel) {
  auto refuse = [&]() -> InFlightDiagnostic {
    InFlightDiagnostic error = run.emitOpError();
    error.attachNote(kernel.getLoc()) << "the kernel is here";
    return error;
  };
  ArrayRef<Type> arguments = kernel.getArgumentTypes();
  if (run.getNumOperands() != arguments.size())
    return refuse() << "has " << run.getNumOperands() << " operands, kernel '"
                    << kernel.getSymName() << "' takes " << arguments.size();
  for (auto [i, operand] : llvm::enumerate(run.getOperandTypes()))
    if (!isArgument(operand, arguments[i]))
      return refuse() << "operand " << i << " is of type " << operand
                      << ", kernel '" << kernel.getSymName() << "' takes "
                      << arguments[i];
  // A kernel on buffers returns nothing, or the destinations themselves.
  size_t results = kernel.getNumResults();
  bool isOnTensors =
      llvm::any_of(arguments, [](Type type) { return isa<TensorType>(type); });
  if (results != run.getOutputs().size() && (isOnTensors || results != 0))
    return refuse() << "has " << run.getOutputs().size()
                    << " destinations, kernel '" << kernel.getSymName()
                    << "' returns " << results << " results";
  return success();
}

LogicalResult RunOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<func::FuncOp>(getOperation(),
                                                              getKernelAttr());
  if (!kernel)
    return emitOpError() << "kernel '" << getKernel()
                         << "' is not a function of the module";
  if (!isKernel(kernel))
    return emitOpError() << "function '" << getKernel()
                         << "' is not a kernel: it lacks the attribute '"
                         << DispatchDialect::getKernelAttrName() << "'";
  return verifySignature(*this, kernel);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// The copy on the other side is memory that nothing else names.
void TransferOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  SideEffects::DefaultResource *memory = SideEffects::DefaultResource::get();
  effects.emplace_back(MemoryEffects::Read::get(), &getBufferMutable(), memory);
  effects.emplace_back(MemoryEffects::Write::get(), &getBufferMutable(),
                       memory);
}

LogicalResult TransferOp::verify() {
  if (getFrom().has_value() == getTo().has_value())
    return emitOpError("must have either 'from' or 'to'; the other side is the "
                       "host");
  if (std::optional<ArrayRef<int64_t>> range = getRange())
    if (range->size() != 2 || range->front() < 0 || range->back() <= 0)
      return emitOpError("'range' must be the first byte of a part, and how "
                         "many bytes it has");
  return verifyDevice(*this, getDevice());
}

LogicalResult WaitOp::verify() { return verifyDevice(*this, getDevice()); }

//===----------------------------------------------------------------------===//
// Workgroups
//===----------------------------------------------------------------------===//

static LogicalResult verifyInKernel(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  if (!function || !isKernel(function))
    return op->emitOpError() << "must be in a kernel, a function with the "
                                "attribute '"
                             << DispatchDialect::getKernelAttrName() << "'";
  return success();
}

LogicalResult WorkgroupIdOp::verify() { return verifyInKernel(*this); }
LogicalResult WorkgroupCountOp::verify() { return verifyInKernel(*this); }
