//===- Search.h - One search ------------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCH_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCH_H

#include "mlir-prof/Optimize/Optimizer.h"
#include "mlir-prof/Optimize/ServerStopwatch.h"
#include "mlir-prof/Record/ModelServer.h"

#include <memory>

namespace mlirprof::optimize {

/// The technique of observations about a model as a whole.
inline constexpr llvm::StringLiteral kModelTechnique = "model";
/// A choice that is kept for its size alone may cost this much of the time.
inline constexpr double kEqual = 0.01;

/// Choices that are tried together, and where their story is written.
struct PlannedProposal {
  const Technique *technique = nullptr;
  Proposal proposal;
};

/// Rounds in which most comparisons are decided.
inline constexpr unsigned kEnoughRounds = 20;

/// What tells that a search would be the same as one before, apart from the
/// model, the options and the choices.
enum class MarkerBasis : uint8_t {
  /// The values that a profile saw, whatever the requests hold.
  Values,
  /// What the requests hold: then values that were seen in them need not be
  /// known.
  Requests,
};
inline constexpr MarkerBasis kMarkerBases[] = {MarkerBasis::Values,
                                               MarkerBasis::Requests};

/// One call of optimizeModel.
class Search {
public:
  Search(mlir::ModuleOp input, const ModelSites &sites,
         tuning::DecisionDatabase &database, const OptimizerOptions &options,
         const SearchTools &tools);

  llvm::Expected<OptimizerResult> run();
  /// Whether run() would find that there is nothing to search.
  bool isKnown();

private:
  using Server = std::unique_ptr<record::ModelServer>;
  using Results = std::vector<std::vector<HostTensor>>;

  //===--------------------------------------------------------------------===//
  // Search.cpp: the course of it
  //===--------------------------------------------------------------------===//

  bool isUsed(const Technique &technique) const;
  /// The technique called `name`, or null.
  const Technique *findTechnique(llvm::StringRef name) const;
  void collectProposals();
  llvm::Error measure();
  llvm::Error runTrials();
  llvm::Error runRest();
  /// Of the model that trials are made of, as it is now.
  double getBuildSeconds() const;
  bool isSlowToBuild() const;
  void noteShortBudget(double cost);
  /// Makes one trial and notes its outcome.
  llvm::Error make(const PlannedProposal &planned, Receipt &receipt);
  /// Whether the result has all choices of `planned`.
  bool isApplied(const PlannedProposal &planned) const;

  //===--------------------------------------------------------------------===//
  // SearchFinish.cpp: whether the result holds as a whole
  //===--------------------------------------------------------------------===//

  llvm::Error checkWhole();
  /// Whether two equal models differ by as much as `measured`, by a control
  /// that is measured once more before it says so.
  llvm::Expected<bool> isWithinControl(const tuning::Comparison &measured);
  /// Compares the result with the model as it was, in new processes, as many as
  /// `test` has the time for, and at most one for each round.
  llvm::Expected<tuning::Comparison>
  compareWhole(tuning::ComparisonOptions test);
  /// Compares `built`, which has `choices`, with the model as it was.
  /// `stopwatch` has a process of each with `requests`, and `beforeSeconds` is
  /// as for compareInPeace.
  llvm::Expected<tuning::Comparison>
  compareInNewProcesses(ServerStopwatch stopwatch, record::ModelServer &built,
                        const ChoiceMap &choices,
                        llvm::ArrayRef<Arguments> requests,
                        double beforeSeconds, tuning::ComparisonOptions test);
  llvm::Expected<Results> computeResults(record::ModelServer &built,
                                         const ChoiceMap &choices,
                                         llvm::ArrayRef<Arguments> requests);
  /// Compares the result with the unoptimized model on other requests.
  llvm::Error checkOtherRequests();
  /// Takes all choices back; where they are `wrong` or slower, also from the
  /// database.
  void returnPrevious(const llvm::Twine &why, bool isWrong);
  /// What a comparison over so many rounds takes for this model.
  double getComparisonSeconds(unsigned rounds) const;
  /// What is kept for comparing the result with the model as it was, in
  /// proportion to the budget: so much that the test can tell, and no more than
  /// it takes.
  double getCheckSeconds() const;

  //===--------------------------------------------------------------------===//
  // SearchStart.cpp: what candidates are compared with
  //===--------------------------------------------------------------------===//

  /// Takes the results of the model as its ops define them: op after op, by
  /// upstream's lowerings alone. Where that cannot be built or takes too long,
  /// those of the default pipeline without polynomials and faster algorithms,
  /// for size.
  llvm::Error startReference();
  /// Takes the results of the unoptimized model as `compile` builds it, and
  /// notes how long it took.
  llvm::Error takeReference(const compile::CompileOptions &compile,
                            double runSeconds, double buildSeconds);
  llvm::Error startBaseline();
  /// Compares the baseline with another process of it.
  llvm::Expected<tuning::Comparison> compareControl();
  llvm::Error measureControl();

  //===--------------------------------------------------------------------===//
  // SearchKnown.cpp: what the database knows already
  //===--------------------------------------------------------------------===//

  /// Takes what the database knows, and whether that is all there is.
  void findKnown();
  /// Takes out what techniques decided that are not used now.
  void dropUnused();
  void dropUnchecked();
  llvm::Error adoptKnown();
  /// Measures the known choices against the baseline.
  llvm::Error timeKnown();
  /// What is wrong with known choices.
  struct KnownFault {
    /// Empty: nothing.
    std::string why;
    /// Whether they compute something else, or are slower; not a limit that was
    /// reached.
    bool isTheirs = true;
  };
  llvm::Expected<KnownFault> serveKnown();
  bool dismissKnown(bool isSimilarOnly, const KnownFault &fault);

  //===--------------------------------------------------------------------===//
  // Trial.cpp, TrialTimes.cpp: one candidate
  //===--------------------------------------------------------------------===//

  llvm::Expected<Server> serve(const ChoiceMap &choices);
  llvm::Expected<Server> serve(const ChoiceMap &choices,
                               llvm::ArrayRef<Arguments> requests);
  llvm::Expected<Server> serve(mlir::ModuleOp module,
                               const compile::CompileOptions &compile,
                               llvm::ArrayRef<Arguments> requests,
                               double runSeconds, double buildSeconds = 0);
  /// Another process with the model that `built` has, which has `choices`;
  /// built anew only where it cannot be had from there.
  llvm::Expected<Server> serveAgain(record::ModelServer &built,
                                    const ChoiceMap &choices,
                                    llvm::ArrayRef<Arguments> requests);
  llvm::Expected<Server> serveAgain(record::ModelServer &built,
                                    const compile::CompileOptions &compile,
                                    llvm::ArrayRef<Arguments> requests,
                                    double runSeconds, double buildSeconds = 0);
  record::ServerOptions getServerOptions(const compile::CompileOptions &compile,
                                         double runSeconds,
                                         double buildSeconds = 0);
  /// The longest that a call with all requests may take.
  double getRunSeconds(size_t requests) const;
  llvm::Expected<ServerStopwatch>
  makeStopwatch(record::ModelServer &before,
                record::ModelServer &candidate) const {
    return ServerStopwatch::create(before, candidate, ServerStopwatch::kSeconds,
                                   tools.clock);
  }
  /// The outcome of `planned` against the incumbent; keeps it when it is
  /// better. An error ends the search.
  llvm::Error tryOut(const PlannedProposal &planned, Receipt &receipt);
  /// Compares in peace what `receipt` is about, and notes how it ended; none
  /// where a measurement failed.
  llvm::Expected<std::optional<tuning::Comparison>>
  measureTrial(record::ModelServer &before, record::ModelServer &candidate,
               tuning::ComparisonOptions test, Receipt &receipt);
  llvm::Error compareWithIncumbent(const PlannedProposal &planned,
                                   record::ModelServer &candidate,
                                   Receipt &receipt);
  /// Whether what was kept is faster once more, in new processes: memory that
  /// happens to lie well in one is no gain. The new candidate takes its place.
  llvm::Error confirm(Server &candidate, const ChoiceMap &choices,
                      Receipt &receipt);
  /// The error of the op itself with a choice; none where it cannot stand
  /// alone.
  llvm::Expected<std::optional<double>>
  measureOpError(const OpSite &site, const Technique &by,
                 const tuning::Choice &choice);
  void adopt(const PlannedProposal &planned, Server candidate,
             ChoiceMap choices, const Receipt &receipt);
  /// As fail, for an error of a measurement: where it is the incumbent that
  /// ended, that is started again and nothing is said of the candidate.
  llvm::Error failMeasuring(llvm::Error error, Receipt &receipt);
  /// Notes that `error` ended a candidate; what ends the search comes back.
  llvm::Error fail(llvm::Error error, Receipt &receipt);

  //===--------------------------------------------------------------------===//
  // SearchUnseen.cpp: shapes that were not recorded
  //===--------------------------------------------------------------------===//

  /// One of OptimizerOptions::unseenRequests that the model runs on.
  struct UnseenShape {
    const Arguments *request = nullptr;
    /// What the unoptimized model computes for it, and how far results may be
    /// off.
    Results reference;
    double tolerance = 0;
  };
  /// Fills `unseen` with what `built`, the unoptimized model, computes.
  llvm::Error takeUnseenReference(record::ModelServer &built,
                                  const compile::CompileOptions &compile,
                                  double runSeconds, double buildSeconds);
  /// Leaves out what the model as it is does not compute right.
  llvm::Error checkUnseenBaseline();
  /// `attempt`: 0, and 1 with more patience where the first found a fault.
  llvm::Expected<UnseenResult> measureUnseen(const UnseenShape &shape,
                                             record::ModelServer &candidate,
                                             const ChoiceMap &choices,
                                             unsigned attempt);
  /// Why `candidate`, which has `choices`, is not to be kept: for a shape it
  /// computes something else, or is slower than the model as it was. Empty: it
  /// is as good for all, and OptimizerResult::unseen says how good.
  llvm::Expected<std::string> checkUnseen(record::ModelServer &candidate,
                                          const ChoiceMap &choices);
  llvm::Error refuseWhereUnseenLoses(record::ModelServer &candidate,
                                     const ChoiceMap &choices,
                                     Receipt &receipt);
  /// What checkUnseen takes, about.
  double getUnseenSeconds() const;

  //===--------------------------------------------------------------------===//
  // SearchRecords.cpp: what is written down
  //===--------------------------------------------------------------------===//

  tuning::DecisionKey getKey(const OpSite &site,
                             llvm::StringRef technique) const;
  /// Of what is decided about the model as a whole.
  tuning::DecisionKey getModelKey(llvm::StringRef technique) const;
  tuning::DecisionKey getKey(const PlannedProposal &planned) const;
  /// What an observation of the proposal is filed under.
  tuning::Choice getFiledChoice(const PlannedProposal &planned) const;
  bool wasTried(const PlannedProposal &planned) const;
  void record(const PlannedProposal &planned, Receipt &receipt);
  void decide(const Receipt &receipt, const tuning::Choice *choice);
  void add(tuning::Decision decision);
  /// Of what the sites of a proposal are measured on.
  tuning::MeasuredSizes getSizes(const PlannedProposal &planned) const;
  tuning::Choice getMarker(MarkerBasis basis);
  /// Whether a search that would be the same has come to its end.
  bool isMarked();
  /// Decides on what ops have in the result, or on nothing, where they would be
  /// given what similar ones have by then: all that may help was tried, and the
  /// next build is to be the same.
  void settle();
  /// Notes that all was tried.
  void markComplete();
  void save();

  double getUsed() const;
  double getLeft() const { return options.budgetSeconds - getUsed(); }
  bool isInterrupted() const;
  void report(llvm::StringRef phase, const llvm::Twine &what);

  mlir::ModuleOp input;
  const ModelSites &sites;
  tuning::DecisionDatabase &database;
  const OptimizerOptions &options;
  const SearchTools &tools;
  std::string machine;
  /// What getMarker has hashed; empty: not yet.
  std::string constants;
  double begin;

  std::vector<PlannedProposal> proposals;
  /// What the unoptimized model computes for OptimizerOptions::requests, and
  /// for checkRequests.
  Results reference, checkReference;
  std::vector<UnseenShape> unseen;
  /// Why there is no `checkReference`.
  std::string whyNoCheck;
  Server baseline, incumbent;
  /// Null while the incumbent is the baseline.
  record::ModelServer &getIncumbent() {
    return incumbent ? *incumbent : *baseline;
  }
  double baselineSeconds = 0, incumbentSeconds = 0;
  bool isShortNoted = false;
  tuning::ComparisonOptions comparison;
  unsigned trials = 0, kept = 0;
  /// Whether every choice that is applied was kept for its size alone.
  bool isForSizeOnly = true;
  OptimizerResult result;
};

/// Notes how a candidate ended that is not kept.
void refuse(Receipt &receipt, tuning::Outcome outcome,
            const llvm::Twine &reason);
/// Whether the incumbent took so much longer than it had before that something
/// else was at work: then the two are compared by how they stand that.
bool isDisturbed(const tuning::Comparison &comparison, double incumbentSeconds);
/// compare(), up to three times as long as it is disturbed.
llvm::Expected<tuning::Comparison>
compareInPeace(tuning::Stopwatch &stopwatch, tuning::ComparisonOptions test,
               double incumbentSeconds);

/// "6x50, 50x10": of the arguments that are no scalars.
std::string describeShapes(const Arguments &request);

/// Milliseconds since the epoch.
int64_t getNowMs();
/// All choices as text, for comparing and hashing.
std::string describe(const ChoiceMap &choices);
std::string describe(const tuning::Choice &choice);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCH_H
