//===- Programs.cpp - Programs of the host side ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "mlir-prof/Compile/Backend.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;

std::vector<HostProgram> compile::takePrograms(ModuleOp module) {
  std::vector<HostProgram> programs;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    auto words = global->getAttrOfType<DenseI32ArrayAttr>(kTableWords);
    auto kernels = global->getAttrOfType<ArrayAttr>(kTableKernels);
    if (!words || !kernels)
      continue;
    std::vector<uint32_t> table(words.asArrayRef().begin(),
                                words.asArrayRef().end());
    global->removeAttr(kTableWords);
    global->removeAttr(kTableKernels);
    StringRef symbol = global.getSymName();
    StringRef number = symbol.drop_front(kTablePrefix.size());
    HostProgram program;
    program.tableSymbol = symbol.str();
    program.workspaceSymbol = (kWorkspacePrefix + number).str();
    program.table = decodeTable(table).value_or(DispatchTable());
    for (auto kernel : kernels.getAsValueRange<StringAttr>())
      program.kernels.push_back(kernel.str());
    programs.push_back(std::move(program));
  }
  return programs;
}

namespace {
/// Divides the dispatches of a program into phases.
class PhaseDivider {
public:
  PhaseDivider(const HostProgram &program,
               const llvm::StringMap<const KernelPhases *> &kernels)
      : program(program), kernels(kernels) {}

  PhasedProgram divide();

private:
  const KernelPhases *getPhases(size_t index) const;
  void addPhases(size_t index);
  std::optional<unsigned> placeWorkspace(const KernelPhases &phases);

  const HostProgram &program;
  const llvm::StringMap<const KernelPhases *> &kernels;
  PhasedProgram divided;
  /// The last phase of each dispatch.
  std::vector<uint32_t> lastPhases;
  /// The workspace has some equal parts, which dispatches use in turn. One that
  /// uses a part waits for the one that used it before.
  static constexpr unsigned kParts = 4;
  uint64_t partBytes = 0;
  unsigned nextPart = 0;
  std::array<std::optional<uint32_t>, kParts> users;
};
} // namespace

/// Null for one call.
const KernelPhases *PhaseDivider::getPhases(size_t index) const {
  const KernelPhases *known = kernels.lookup(program.kernels[index]);
  return known && !known->phases.empty() ? known : nullptr;
}

void PhaseDivider::addPhases(size_t index) {
  std::vector<TableDispatch> &dispatches = divided.table.dispatches;
  TableDispatch whole = program.table.dispatches[index];
  for (uint32_t &before : whole.dependencies)
    before = lastPhases[before];
  const KernelPhases *kernel = getPhases(index);
  if (!kernel) {
    lastPhases.push_back(uint32_t(dispatches.size()));
    dispatches.push_back(std::move(whole));
    divided.origins.push_back(uint32_t(index));
    return;
  }
  unsigned part = nextPart;
  if (kernel->workspaceBytes) {
    nextPart = (nextPart + 1) % kParts;
    whole.bindings.push_back(
        {divided.table.addresses - 1, int64_t(part * partBytes)});
    if (users[part] && !llvm::is_contained(whole.dependencies, *users[part]))
      whole.dependencies.push_back(*users[part]);
  }
  for (auto [number, phase] : llvm::enumerate(kernel->phases)) {
    TableDispatch dispatch = whole;
    dispatch.grid = phase.grid;
    dispatch.costNs = phase.costNs;
    if (kernel->phases.size() > 1)
      dispatch.arguments.push_back({TableValue::kNoBase, int64_t(number)});
    if (number != 0)
      dispatch.dependencies = {uint32_t(dispatches.size() - 1)};
    dispatches.push_back(std::move(dispatch));
    divided.origins.push_back(uint32_t(index));
  }
  auto last = uint32_t(dispatches.size() - 1);
  lastPhases.push_back(last);
  if (kernel->workspaceBytes)
    users[part] = last;
}

PhasedProgram PhaseDivider::divide() {
  divided.table.kernels = program.table.kernels;
  divided.table.addresses = program.table.addresses;
  divided.table.parameters = program.table.parameters;
  unsigned parts = 0;
  for (size_t i = 0, e = program.table.dispatches.size(); i != e; ++i) {
    const KernelPhases *kernel = getPhases(i);
    uint64_t bytes = kernel ? kernel->workspaceBytes : 0;
    partBytes = std::max(partBytes, llvm::alignTo(bytes, 64));
    parts += bytes != 0;
  }
  divided.workspaceBytes = partBytes * std::min(parts, kParts);
  for (size_t i = 0, e = program.table.dispatches.size(); i != e; ++i)
    addPhases(i);
  return std::move(divided);
}

PhasedProgram
compile::dividePhases(const HostProgram &program,
                      const llvm::StringMap<const KernelPhases *> &kernels) {
  return PhaseDivider(program, kernels).divide();
}

llvm::Expected<std::string> compile::emitTables(
    llvm::ArrayRef<HostProgram> programs, llvm::ArrayRef<TakenKernel> taken,
    llvm::ArrayRef<CompiledKernel> kernels, const CompileOptions &options) {
  if (programs.empty())
    return std::string();
  PROF_SCOPE("tables");
  llvm::StringMap<const KernelPhases *> phases;
  for (auto [source, kernel] : llvm::zip_equal(taken, kernels))
    phases[source.source.symbol] = &kernel.phases;
  std::vector<DataSymbol> data;
  for (const HostProgram &program : programs) {
    PhasedProgram divided = dividePhases(program, phases);
    data.push_back({program.tableSymbol, encodeTable(divided.table)});
    data.push_back({program.workspaceSymbol,
                    {uint32_t(divided.workspaceBytes),
                     uint32_t(divided.workspaceBytes >> 32)}});
  }
  BackendOptions backend;
  backend.target = options.target;
  return emitData(data, backend);
}
