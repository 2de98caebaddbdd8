//===- FakeMachine.cpp - A machine that is not there ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeMachine.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Support/Error.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::module;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::test;
using namespace mlirprof::tuning;

static constexpr llvm::StringLiteral kTechnique = "faked", kIndex = "index",
                                     kForSize = "for_size";
/// Ops are told apart by their rows, of which the first has these.
static constexpr int64_t kRows = 4;
static constexpr Noise kDisturbed = {0.5, 0, 0, 0};

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

struct FakeMachine::Model {
  Model(size_t ops, Likeness likeness);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ModelSites sites;
};

/// Which of the model's ops it is.
static std::optional<size_t> getIndex(mlir::Operation *op) {
  auto generic = llvm::dyn_cast<mlir::linalg::GenericOp>(op);
  if (!generic)
    return std::nullopt;
  auto type = llvm::cast<mlir::ShapedType>(generic.getResult(0).getType());
  return size_t(type.getDimSize(0) - kRows);
}

/// Adds a number to each element, similar ops the same one. Other sizes are
/// other neighbors, too.
static std::string makeText(size_t ops, Likeness likeness) {
  std::string text = "#map = affine_map<(i) -> (i)>\n"
                     "func.func @main() {\n";
  for (size_t i = 0; i != ops; ++i) {
    bool isSimilar = likeness == Likeness::Similar;
    text += llvm::formatv(R"(
  %a{0} = tensor.empty() : tensor<{1}xf32>
  %b{0} = linalg.generic {{indexing_maps = [#map, #map],
      iterator_types = ["parallel"]}
      ins(%a{0} : tensor<{1}xf32>) outs(%a{0} : tensor<{1}xf32>) {{
    ^bb0(%x: f32, %y: f32):
      %c = arith.constant {2}.0 : f32
      %z = arith.addf %x, %c : f32
      linalg.yield %z : f32
    } -> tensor<{1}xf32>
)",
                          i, kRows + int64_t(i), isSimilar ? 0 : i)
                .str();
  }
  return text + "  return\n}\n";
}

FakeMachine::Model::Model(size_t ops, Likeness likeness) {
  prepareContext(context);
  module = mlir::parseSourceString<mlir::ModuleOp>(makeText(ops, likeness),
                                                   &context);
  if (!module) {
    ADD_FAILURE() << "does not parse";
    return;
  }
  SiteInput known;
  known.canonical = *module;
  sites = collectSites(known);
  // All ops take as long.
  sites.hasProfile = true;
  sites.seconds = 1;
  for (OpSite &site : sites.sites)
    if (getIndex(site.ops.front()))
      site.seconds = 1.0 / double(ops);
}

static std::vector<Proposal> propose(const ModelSites &model) {
  std::vector<Proposal> proposals;
  for (auto [number, site] : llvm::enumerate(model.sites))
    if (std::optional<size_t> index = getIndex(site.ops.front())) {
      Proposal &proposal = proposals.emplace_back();
      proposal.choices = {{number, {{kIndex.str(), std::to_string(*index)}}}};
      proposal.isKeptWhenEqual = site.ops.front()->hasAttr(kForSize);
    }
  return proposals;
}

//===----------------------------------------------------------------------===//
// Servers
//===----------------------------------------------------------------------===//

class FakeMachine::Server final : public ModelServer {
public:
  Server(FakeMachine &machine, ChoiceSet choices,
         llvm::ArrayRef<Arguments> arguments, const ServerOptions &options,
         bool isUnoptimized);

  llvm::Expected<double> run(uint64_t iterations, uint64_t warmUp) override;
  llvm::Expected<std::vector<std::vector<HostTensor>>> getResults() override;
  llvm::Expected<std::unique_ptr<ModelServer>>
  startAgain(llvm::ArrayRef<Arguments> arguments,
             const ServerOptions &how) override;
  const ServedModel &getModel() const override { return model; }
  size_t getRequestCount() const override { return requests; }

private:
  /// As a child that has ended, or is about to.
  llvm::Error checkAlive();
  bool has(Fault fault) const;

  FakeMachine &machine;
  ChoiceSet choices;
  size_t requests;
  /// Number of the only request, if it is one of FakeMachine::unseen.
  std::optional<int64_t> unseen;
  ServerOptions options;
  /// Seconds of one run, without noise and before the gains of choices.
  double seconds;
  bool isDead = false;
  ServedModel model;
};

FakeMachine::Server::Server(FakeMachine &machine, ChoiceSet choices,
                            llvm::ArrayRef<Arguments> arguments,
                            const ServerOptions &options, bool isUnoptimized)
    : machine(machine), choices(std::move(choices)), requests(arguments.size()),
      options(options),
      seconds(isUnoptimized ? 4 * machine.runSeconds : machine.runSeconds) {
  for (int64_t size : machine.unseen)
    if (requests == 1 && arguments.front().size() == 1 &&
        arguments.front().front().shape == std::vector<int64_t>{size})
      unseen = size;
  seconds *= machine.noise.nextProcess();
  double size = machine.getSize(this->choices);
  model.buildSeconds = machine.buildSeconds * size;
  model.textBytes = uint64_t(1000 * size);
  for (size_t choice : this->choices)
    model.fingerprint += std::to_string(choice) + " ";
}

bool FakeMachine::Server::has(Fault fault) const {
  return llvm::any_of(choices, [&](size_t choice) {
    return machine.choices[choice].fault == fault;
  });
}

llvm::Error FakeMachine::Server::checkAlive() {
  ++machine.runs;
  if (isDead)
    return inputError("running the model", "its process ended earlier");
  isDead = true;
  if (has(Fault::RunCrash) || (unseen && unseen == machine.crashing))
    return inputError("running the model", "killed by SIGSEGV");
  if (has(Fault::Hang)) {
    machine.time += options.runSeconds;
    return inputError("running the model", "took longer than its limit");
  }
  if (machine.doomed && machine.doomed->first == choices &&
      machine.doomed->second-- == 0) {
    machine.doomed.reset();
    return inputError("running the model", "killed by SIGKILL");
  }
  isDead = false;
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<ModelServer>>
FakeMachine::Server::startAgain(llvm::ArrayRef<Arguments> arguments,
                                const ServerOptions &how) {
  if (llvm::Error error = checkAlive())
    return std::move(error);
  bool isUnoptimized = seconds > 2 * machine.runSeconds;
  if (machine.onStart && !isUnoptimized)
    machine.onStart(choices);
  machine.time += machine.startSeconds;
  return std::make_unique<Server>(machine, choices, arguments, how,
                                  isUnoptimized);
}

llvm::Expected<double> FakeMachine::Server::run(uint64_t iterations,
                                                uint64_t warmUp) {
  if (llvm::Error error = checkAlive())
    return std::move(error);
  double each = seconds * machine.slowness * machine.noise.next();
  if (machine.isDisturbed)
    each *= machine.disturbance.next();
  for (size_t choice : choices)
    each *= 1 - machine.gainFactor * machine.choices[choice].gain;
  for (size_t choice : choices)
    each *= unseen ? 1 + machine.choices[choice].unseenLoss : 1;
  machine.time += each * double(iterations + warmUp);
  return each * double(iterations);
}

llvm::Expected<std::vector<std::vector<HostTensor>>>
FakeMachine::Server::getResults() {
  if (llvm::Error error = checkAlive())
    return std::move(error);
  HostTensor tensor;
  tensor.elementType = "f32";
  tensor.shape = {1};
  tensor.bytes.resize(sizeof(float));
  if (machine.isUnoptimizedSlowOnOthers && requests != 1 &&
      seconds > 2 * machine.runSeconds)
    return inputError("running the model", "took longer than its limit");
  bool isWrong =
      has(Fault::WrongResults) || (requests != 1 && has(Fault::WrongOnOthers));
  for (size_t choice : choices)
    isWrong |= unseen && machine.choices[choice].isWrongOnUnseen;
  float value = isWrong ? 1.5f : 1;
  std::memcpy(tensor.bytes.data(), &value, sizeof value);
  return std::vector<std::vector<HostTensor>>(requests, {tensor});
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

FakeMachine::FakeMachine(std::vector<FakeChoice> choices, uint64_t seed,
                         const Noise &noise, Likeness likeness)
    : choices(std::move(choices)),
      model(std::make_unique<Model>(this->choices.size(), likeness)),
      noise(seed, noise), disturbance(seed, kDisturbed) {
  for (OpSite &site : model->sites.sites)
    if (std::optional<size_t> index = getIndex(site.ops.front()))
      if (this->choices[*index].smaller > 0)
        site.ops.front()->setAttr(
            kForSize, mlir::UnitAttr::get(site.ops.front()->getContext()));
}
FakeMachine::~FakeMachine() = default;

ModelSites &FakeMachine::getSites() { return model->sites; }

mlir::ModuleOp FakeMachine::getModule() const { return *model->module; }

void FakeMachine::setConstant(float first) {
  auto function = *model->module->getOps<mlir::func::FuncOp>().begin();
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(&function.front());
  std::vector<float> values(20, 1);
  values.front() = first;
  auto value = mlir::DenseElementsAttr::get(
      mlir::RankedTensorType::get({20}, builder.getF32Type()),
      llvm::ArrayRef<float>(values));
  if (auto old =
          llvm::dyn_cast<mlir::arith::ConstantOp>(function.front().front()))
    old.setValueAttr(value);
  else
    mlir::arith::ConstantOp::create(builder, function.getLoc(), value);
}

ChoiceSet FakeMachine::readChoices(const CompileOptions &compile) const {
  ChoiceSet set;
  if (!compile.choose)
    return set;
  mlir::OwningOpRef<mlir::ModuleOp> canonical = model->module->clone();
  llvm::cantFail(compile.choose(*canonical));
  canonical->walk([&](mlir::Operation *op) {
    if (auto index = codegen::getNumberChoice(op, kTechnique, kIndex, 1000))
      set.insert(size_t(*index));
  });
  return set;
}

double FakeMachine::getSize(const ChoiceSet &set) const {
  double size = 1;
  for (size_t choice : set)
    size *= 1 - choices[choice].smaller;
  return size;
}

llvm::Expected<std::unique_ptr<ModelServer>>
FakeMachine::serve(const CompileOptions &compile,
                   llvm::ArrayRef<Arguments> requests,
                   const ServerOptions &options) {
  ChoiceSet set = readChoices(compile);
  bool isUnoptimized = compile.pipeline == "naive";
  if (onStart && !isUnoptimized)
    onStart(set);
  if (isUnoptimized)
    ++unoptimizedBuilds;
  else
    builds.push_back(set);
  time += buildSeconds * getSize(set);
  for (size_t choice : set)
    if (choices[choice].fault == Fault::BuildCrash)
      return inputError("building the model", "killed by SIGSEGV");
  return std::make_unique<Server>(*this, std::move(set), requests, options,
                                  isUnoptimized);
}

SearchTools FakeMachine::getTools() {
  static const Technique technique = {kTechnique, "", DecisionScope::Op,
                                      /*isTrusted=*/false, propose};
  SearchTools tools;
  tools.serve = [this](mlir::ModuleOp, const CompileOptions &compile,
                       llvm::ArrayRef<Arguments> requests,
                       const ServerOptions &server) {
    return serve(compile, requests, server);
  };
  tools.clock = [this] { return time; };
  tools.techniques = technique;
  return tools;
}

OptimizerResult
FakeMachine::search(DecisionDatabase &database,
                    llvm::function_ref<void(OptimizerOptions &)> tune) {
  SearchTools tools = getTools();
  OptimizerOptions options;
  options.requests.resize(1);
  options.budgetSeconds = 1000;
  for (int64_t size : unseen) {
    HostTensor tensor;
    tensor.shape = {size};
    options.unseenRequests.push_back({tensor});
  }
  if (tune)
    tune(options);
  auto result =
      optimizeModel(*model->module, model->sites, database, options, tools);
  if (result)
    return std::move(*result);
  ADD_FAILURE() << llvm::toString(result.takeError());
  return OptimizerResult();
}

ChoiceSet FakeMachine::getChoices(const OptimizerResult &result) const {
  CompileOptions compile;
  compile.choose = chooseBy(result.choices);
  return readChoices(compile);
}

const Receipt *FakeMachine::findTrial(const OptimizerResult &result,
                                      size_t choice) {
  Choice wanted = {{kIndex.str(), std::to_string(choice)}};
  for (const Receipt &receipt : result.receipts)
    if (receipt.origin == ReceiptOrigin::Search && receipt.choice == wanted)
      return &receipt;
  return nullptr;
}
