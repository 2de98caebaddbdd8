//===- mlir-prof.cpp - The command line tool ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "FileOptions.h"
#include "Options.h"
#include "SelfProfile.h"
#include "Stop.h"
#include "Suggestions.h"
#include "Verbs.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Printable.h"
#include "mlir-prof/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

using namespace mlirprof;

llvm::ArrayRef<Verb> mlirprof::getVerbs() {
  static const Verb verbs[] = {
#define MLIRPROF_VERB(NAME) verb::NAME(),
#include "Verbs.def"
  };
  return verbs;
}

const Verb *mlirprof::findVerb(llvm::StringRef name) {
  const Verb *verb = llvm::find_if(
      getVerbs(), [&](const Verb &verb) { return verb.name == name; });
  return verb == getVerbs().end() ? nullptr : verb;
}

static int fail(llvm::StringRef verb, llvm::Error error) {
  int code = 1;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    // A reader that closed the pipe does not want more output, nor a message.
    if (info.isA<ClosedPipeError>())
      return;
    llvm::WithColor::error(llvm::errs(), "mlir-prof")
        << printableLines(info.message()) << '\n';
    if (info.isA<GateError>())
      code = 3;
    if (info.isA<StopError>())
      code = 130;
    if (info.isA<UsageError>()) {
      code = 2;
      // Errors about values come with their own hints.
      if (!llvm::StringRef(info.message()).contains("hint:"))
        llvm::errs() << "  hint: See 'mlir-prof" << (verb.empty() ? "" : " ")
                     << verb << " --help'.\n";
    }
  });
  return code;
}

/// The verb, whose phases are scopes if the option asks for it.
static llvm::Error runVerb(const Verb &verb,
                           const llvm::opt::InputArgList &parsed) {
  std::vector<std::string> paths = parsed.getAllArgValues(OPT_self_profile_EQ);
  if (paths.size() > 1)
    return usageError("give --self-profile once, not " +
                      llvm::Twine(paths.size()) + " times");
  llvm::StringRef path = parsed.getLastArgValue(OPT_self_profile_EQ);
  if (path.empty())
    return verb.run(parsed);
  auto profile = SelfProfile::start(path);
  if (!profile)
    return profile.takeError();
  scope::Scope scope(verb.name);
  llvm::Error error = verb.run(parsed);
  scope.end();
  return llvm::joinErrors(std::move(error), (*profile)->finish());
}

/// `arguments` with options that stand before the verb behind it.
static std::vector<const char *>
putVerbFirst(llvm::ArrayRef<const char *> arguments) {
  constexpr llvm::StringLiteral kOption = "--self-profile";
  size_t verb = 0;
  for (; verb < arguments.size(); ++verb) {
    llvm::StringRef argument = arguments[verb];
    if (argument == kOption)
      ++verb;
    else if (!argument.consume_front(kOption) || !argument.starts_with("="))
      break;
  }
  if (verb >= arguments.size())
    return arguments;
  std::vector<const char *> ordered = {arguments[verb]};
  ordered.insert(ordered.end(), arguments.begin(), arguments.begin() + verb);
  ordered.insert(ordered.end(), arguments.begin() + verb + 1, arguments.end());
  return ordered;
}

static int run(llvm::ArrayRef<const char *> arguments) {
  if (arguments.empty()) {
    printHelp("", llvm::errs());
    return 2;
  }
  llvm::StringRef name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    printHelp("", llvm::outs());
    return 0;
  }
  if (name == "--version") {
    llvm::outs() << "mlir-prof " << getVersion() << '\n';
    return 0;
  }
  const Verb *verb = findVerb(name);
  if (!verb)
    return fail("", unknownVerb(name));

  auto parsed = parseOptions(name, arguments.drop_front());
  if (!parsed)
    return fail(name, parsed.takeError());
  if (parsed->hasArg(OPT_help)) {
    printHelp(name, llvm::outs());
    return 0;
  }
  if (llvm::Error error = checkFileUses(getFileUses(*verb, *parsed)))
    return fail(name, std::move(error));
  // Checked here, since not every path through a verb reaches matching.
  if (auto rule = getChoice(*parsed, OPT_match_EQ, kMatchRules); !rule)
    return fail(name, rule.takeError());
  if (llvm::Error error = runVerb(*verb, *parsed))
    return fail(name, std::move(error));
  return 0;
}

/// Help, versions and summaries are printed without writeOutput(): a closed
/// stream must not abort, and neither must the stream of messages, which were
/// not requested.
static int finish(int code) {
  llvm::outs().flush();
  if (std::error_code error = llvm::outs().error()) {
    llvm::outs().clear_error();
    code = code ? code : 1;
    if (error != std::errc::broken_pipe)
      llvm::WithColor::error(llvm::errs(), "mlir-prof")
          << "standard output: cannot be written: " << error.message() << '\n';
  }
  llvm::errs().clear_error();
  return code;
}

int main(int argc, char **argv) {
  openStandardStreams();
  // Some programs start others with this signal ignored, which would hide how a
  // child ended.
  std::signal(SIGCHLD, SIG_DFL);
  llvm::InitLLVM init(argc, argv, /*InstallPipeSignalExitHandler=*/false);
  installFaultHandlers();
  return finish(
      run(putVerbFirst(llvm::ArrayRef<const char *>(argv, argc).drop_front())));
}
