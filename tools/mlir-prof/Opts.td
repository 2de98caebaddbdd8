//===- Opts.td - Options of mlir-prof's verbs ------------------*- tablegen -*-//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A verb is a SubCommand here, a file beside this one, and a line in Verbs.cpp.
//
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

def record : SubCommand<"record",
  "Build a model in MLIR, run it, and write a profile of it.",
  "mlir-prof record MODEL -o FILE [options]">;
def audit : SubCommand<"audit",
  "Tell which passes lose track of ops, and of how much time.",
  "mlir-prof audit MODEL [--pipeline=PIPELINE] [--profile=PROFILE] [options]">;
def optimize : SubCommand<"optimize",
  "Make a model faster by what a profile says, and measure that it is.",
  "mlir-prof optimize MODEL [--profile=PROFILE] [--budget=TIME] -o FILE "
  "[options]">;
def import : SubCommand<"import",
  "Read recordings and write a profile (*.mlprof).",
  "mlir-prof import TRACE... -o FILE [options]">;
def report : SubCommand<"report",
  "Print where the time went, as a table.",
  "mlir-prof report PROFILE [--model=FILE] [--by=GROUP] [options]">;
def annotate : SubCommand<"annotate",
  "Write a module with the measured times on its ops.",
  "mlir-prof annotate MODEL --profile=PROFILE -o FILE [options]\\n"
  "       mlir-prof annotate PROFILE --level=LEVEL -o FILE [options]">;
def graph : SubCommand<"graph",
  "Draw the ops, colored by their time.",
  "mlir-prof graph PROFILE [--model=FILE] --format=FORMAT -o FILE [options]">;
def export : SubCommand<"export",
  "Write a profile in another tool's format.",
  "mlir-prof export PROFILE [--model=FILE] --format=FORMAT -o FILE [options]">;
def merge : SubCommand<"merge",
  "Unite profiles: every recording once, whatever the order. FILE may be one of "
  "them.",
  "mlir-prof merge PROFILE... -o FILE [options]">;
def compact : SubCommand<"compact",
  "Fold the recordings of a profile into one, to make it small.",
  "mlir-prof compact PROFILE [--top=K] -o FILE [options]">;
def diff : SubCommand<"diff",
  "Tell what changed between two profiles, and what of it is no chance.",
  "mlir-prof diff BEFORE AFTER [--model=FILE] [--fail-on-regression=3%] "
  "[options]">;
def query : SubCommand<"query",
  "Run a query in SQL over the tables of a profile.",
  "mlir-prof query PROFILE 'SELECT ...' [--model=FILE] [options]\\n"
  "       mlir-prof query --tables">;
def advise : SubCommand<"advise",
  "Tell what to do about a profile, with the figures that say so.",
  "mlir-prof advise PROFILE [--model=FILE] [--rule=NAME] [options]">;
def info : SubCommand<"info",
  "Print versions, the formats read and written, and this machine.",
  "mlir-prof info [options]">;

// What happens to the file that an option names: see OptionFileFlag.
def ReadsFile : OptionFlag;
// optimize writes it, other verbs do not.
def OptimizeWritesFile : OptionFlag;
def WritesFile : OptionFlag;
def ReadsFolder : OptionFlag;
def WritesFolder : OptionFlag;
def ReadsArray : OptionFlag;
def ReadsSchedule : OptionFlag;

// An option with a value, written --name=value or --name value.
multiclass Value<string name, list<SubCommand> verbs, string metavar,
                 string help> {
  def NAME#_EQ : Joined<["--"], name#"=", verbs>, MetaVarName<metavar>,
                 HelpText<help>;
  def NAME : Separate<["--"], name, verbs>, Alias<!cast<Option>(NAME#"_EQ")>;
}

def help : Flag<["--"], "help",
  [record, audit, optimize, import, report, annotate, graph, export, merge,
   compact, diff, query, advise, info]>,
           HelpText<"Print this help.">;
def help_short : Flag<["-"], "h",
  [record, audit, optimize, import, report, annotate, graph, export, merge,
   compact, diff, query, advise, info]>,
                 Alias<help>;
def version : Flag<["--"], "version">, HelpText<"Print the version.">;

def output : JoinedOrSeparate<["-"], "o",
  [record, audit, optimize, import, report, annotate, graph, export, merge,
   compact, diff, query, advise]>,
             MetaVarName<"FILE">, Flags<[WritesFile]>,
             HelpText<"Write to FILE instead of standard output (-).">;
// As other tools have it; a file whose name begins so is ./=FILE.
def output_EQ : Joined<["-"], "o=",
  [record, audit, optimize, import, report, annotate, graph, export, merge,
   compact, diff, query, advise]>, Flags<[WritesFile]>, Alias<output>;

//===-- Reading ----------------------------------------------------------===//

defm input_format : Value<"input-format",
  [import, report, annotate, graph, export, audit, optimize, merge, compact,
   diff, query, advise],
  "NAME", "Read recordings as NAME instead of detecting their format from the "
  "content (see mlir-prof info).">;
defm max_inflation : Value<"max-inflation",
  [import, report, annotate, graph, export, audit, optimize, merge, compact,
   diff, query, advise],
  "N", "Read a gzipped recording that holds up to N times its size (default 128; "
  "512 MiB are read in any case).">;
defm model : Value<"model", [import, report, graph, export, diff, query, advise], "FILE",
  "The module that was run: MLIR text or bytecode. Not needed when the profile "
  "holds it.">,
  Flags<[ReadsFile]>;
defm onnx : Value<"onnx",
  [import, report, annotate, graph, export, diff, query, advise], "FILE",
  "For profiles of ONNX Runtime: the model that it was given. Of this and the "
  "next only the names of nodes and values are read. Not needed when the profile "
  "was imported with them.">,
  Flags<[ReadsFile]>;
defm onnx_optimized : Value<"onnx-optimized",
  [import, report, annotate, graph, export, diff, query, advise], "FILE",
  "The model that ONNX Runtime made of it (optimized_model_filepath), to know "
  "what its nodes were fused from.">,
  Flags<[ReadsFile]>;
defm objects : Value<"objects",
  [import, report, annotate, graph, export, diff, query, advise], "FOLDER",
  "For text of perf script: where the objects that it names lie, by their names "
  "without folders, and jit-PID.dump and perf-PID.map files, when they are not "
  "where they were; and files with their debug information, by name or as "
  ".build-id/xx/yyyy.debug.">,
  Flags<[ReadsFolder]>;
defm sample_period : Value<"sample-period",
  [import, report, annotate, graph, export, diff, query, advise], "TIME",
  "For recordings with samples and no time, such as folded stacks: the time that "
  "one sample stands for, such as 1ms; 1ps for stacks that mlir-prof wrote.">;
defm iree_stream : Value<"iree-stream",
  [import, report, annotate, graph, export, diff, query, advise], "FILE",
  "For profiles of IREE: the module that iree-compile had after its stream phase "
  "(--dump-compilation-phases-to, with --mlir-print-debuginfo). It says which "
  "ops each dispatch does the work of. Not needed when the profile was imported "
  "with it.">,
  Flags<[ReadsFile]>;
defm profile : Value<"profile", [annotate, audit, optimize], "FILE",
  "The profile: a recording or a *.mlprof file.">,
  Flags<[ReadsFile]>;
defm match : Value<"match", [import, report, annotate, graph, export, diff, query, advise], "best|reference",
  "How measured ops find their MLIR ops: with all tiers (best, the default) or "
  "with names, frames, opcodes and shapes only.">;
defm level : Value<"level", [report, annotate, graph, export, diff, query, advise],
  "LEVEL",
  "Which level of the lowering to show, of a recording that mlir-prof record "
  "made: input (default); of the pipeline default tiled, of passes and schedules "
  "of your own custom; bufferized, loops, llvm; asm, the machine code, for report "
  "only. A level that the recording lacks is an error that lists those it has.">;
def allow_unmatched
  : Flag<["--"], "allow-unmatched", [import, report, annotate, graph, export, diff, query, advise]>,
    HelpText<"Go on when the module does not belong to the profile.">;

//===-- record -----------------------------------------------------------===//

defm entry : Value<"entry", [record, audit, optimize], "FUNCTION",
  "The function to run. Default: the only public one, else main.">;
defm input : Value<"input", [record, optimize], "[NAME=]VALUE",
  "An argument: random, random:SEED, random:SEED:LOW:HIGH, zeros or FILE.npy. "
  "NAME is its name (x for %x) or position; without it, the next one. Default: "
  "random.">,
  Flags<[ReadsArray]>;
defm shape : Value<"shape", [record, optimize], "[NAME=]DIMxDIM[,...]",
  "All dimensions of an argument with dynamic ones; several shapes take turns.">;
defm save_results : Value<"save-results", [record], "FOLDER",
  "Write the results of the last iteration to FOLDER/NAME.npy.">,
  Flags<[WritesFolder]>;
defm compare : Value<"compare", [record], "[NAME=]FILE",
  "Compare a result with FILE.npy; exit with 3 when it differs.">,
  Flags<[ReadsArray]>;
defm rtol : Value<"rtol", [record], "X",
  "Accepted error relative to each element (default 1e-5).">;
defm atol : Value<"atol", [record], "X",
  "Accepted absolute error (default: 1e-5 of the largest element).">;
defm pipeline : Value<"pipeline", [record, audit], "PIPELINE",
  "default (tiled, fused, vectorized), naive (plain loops), a pass pipeline, or "
  "a FILE.mlir with a transform-dialect schedule.">,
  Flags<[ReadsSchedule]>;
defm load_pass_plugin : Value<"load-pass-plugin", [record, audit, optimize], "FILE",
  "A shared library with passes for --pipeline; may be repeated.">,
  Flags<[ReadsFile]>;
defm max_error : Value<"max-error", [record, audit, optimize], "X",
  "Error that an op may make by a faster algorithm, as part of its largest "
  "result (default 2e-6; 0 turns these off).">;
defm math : Value<"math", [record, audit, optimize], "polynomial|libm",
  "exp, tanh and the like as polynomials in vectors (default) or by calls.">;
defm threads : Value<"threads", [record, audit, optimize], "N", "Threads (default 1).">;
defm seconds : Value<"seconds", [record], "X",
  "Run for X seconds (default 2, without --iterations).">;
defm iterations : Value<"iterations", [record], "N", "Run N times.">;
defm warm_up : Value<"warm-up", [record], "N",
  "Iterations before measuring (default 3; 0: the first one measured is cold).">;
defm timeout : Value<"timeout", [record], "X",
  "Stop the model after X seconds, and keep what was measured.">;
defm max_memory : Value<"max-memory", [record], "MIB",
  "Memory that the model may use.">;
defm mode : Value<"mode", [record], "sample|instrument|time",
  "sample (default): interrupt the model --rate times a second; instrument: "
  "count and time exactly; time: only measure iterations.">;
defm rate : Value<"rate", [record], "HZ",
  "Samples a second on each thread (default 1000).">;
defm sampler : Value<"sampler", [record], "auto|timer|perf",
  "How samples are taken (default auto: perf_event where it sees the kernel).">;
defm instrument : Value<"instrument", [record], "SCOPE",
  "Where probes go: op (default), siblings, depth:N, height:N or all.">;
def no_functions : Flag<["--"], "no-functions", [record]>,
  HelpText<"No probes around functions.">;
defm probe : Value<"probe", [record], "inline|call",
  "Probes as inline counters (default) or calls of a handler.">;
defm instances : Value<"instances", [record], "N",
  "Keep the first N single records of each probe.">;
def no_values : Flag<["--"], "no-values", [record]>,
  HelpText<"Do not record dimensions, trip counts and branches.">;
def no_peak : Flag<["--"], "no-peak", [record]>,
  HelpText<"Do not measure what this machine can do at most.">;
def no_identities : Flag<["--"], "no-identities", [record]>,
  HelpText<"Compile without identities: the plain build, for --mode=time.">;
defm times : Value<"times", [record], "FILE",
  "Write the times of the iterations as JSON.">,
  Flags<[WritesFile]>;
def perf_map : Flag<["--"], "perf-map", [record]>,
  HelpText<"Write /tmp/perf-PID.map, so that perf shows op names.">;
defm jitdump : Value<"jitdump", [record], "FOLDER",
  "Write FOLDER/jit-PID.dump for perf inject --jit.">,
  Flags<[WritesFolder]>;
defm save_object : Value<"save-object", [record], "FILE",
  "Write the machine code as an ELF object.">,
  Flags<[WritesFile]>;

//===-- optimize ---------------------------------------------------------===//

defm decisions : Value<"decisions", [record, optimize, advise], "FILE",
  "record: build with what was decided before; optimize: begin with that, and "
  "add what is learned; advise: set aside what was tried and not kept.">,
  Flags<[ReadsFile, OptimizeWritesFile]>;
defm budget : Value<"budget", [optimize], "TIME",
  "Time for all that is measured (default 120s; 0: nothing is measured, known "
  "decisions are taken).">;
defm script : Value<"script", [optimize], "FILE",
  "Write the schedules of the result as a script of the transform dialect.">,
  Flags<[WritesFile]>;
defm receipts : Value<"receipts", [optimize], "FILE",
  "Write what was tried, what it gained, and why it was kept or not, as JSON.">,
  Flags<[WritesFile]>;
defm technique : Value<"technique", [optimize], "NAME[,...]",
  "Use only these techniques (see mlir-prof info). Default: all.">;
defm tolerance : Value<"tolerance", [optimize], "X",
  "Largest error of the results, against the unoptimized model, as part of the "
  "largest element (default 1e-5, or twice what the default pipeline makes).">;
defm effort : Value<"effort", [optimize], "hot|all",
  "Try what may gain a part of the model's time that can be measured (default), "
  "or everything on all ops.">;
defm max_build : Value<"max-build", [optimize], "MIB",
  "Memory that building and running one candidate may take (default 8192).">;
def again : Flag<["--"], "again", [optimize]>,
  HelpText<"Try again what the decisions say was tried.">;

//===-- import -----------------------------------------------------------===//

def keep_events : Flag<["--"], "keep-events", [record, import, query, graph]>,
  HelpText<"Keep the single events, for views of time; record: the samples, and "
  "the parts of the run.">;
def keep_events_EQ : CommaJoined<["--"], "keep-events=", [import]>,
  MetaVarName<"STEP,...">, HelpText<"Keep the events of these steps only.">;

//===-- report -----------------------------------------------------------===//

defm by : Value<"by", [report], "GROUP",
  "What a row stands for: op, op-type, location, module-path, source, "
  "measured-op, measured-op-type, hlo-module, event or step; in a recording made "
  "by mlir-prof also loop, chain, call-tree, value, roofline, split or thread. "
  "Default: op with a module, else measured-op, else event. See "
  "docs/reporting.md.">;
defm sort : Value<"sort", [report, diff], "COLUMN[,...]",
  "Sort by columns; -COLUMN or COLUMN:asc, COLUMN:desc turn the order.">;
defm filter : Value<"filter", [report, diff], "COND",
  "Keep rows that fulfill COLUMN=VALUE, also !=, ~ (substring), <, <=, >, >=; "
  "may be repeated. Times take units: 'self_ps>2ms'.">;
defm top : Value<"top", [report, compact, diff], "N",
  "report, diff: print at most N rows. compact: keep the N ops, and the N names of "
  "events, with most time, and add up the others.">;
defm page : Value<"page", [report, diff], "K", "Print the K-th page of N rows.">;
def all : Flag<["--"], "all", [report]>,
  HelpText<"Also rows without any time.">;
defm explain : Value<"explain", [report, optimize], "OP",
  "report: tell why OP has its time, or why it has none; the index or location "
  "of an MLIR op, or the name of a measured op. optimize: tell what was chosen "
  "for OP, and why; a part of its kind or location.">;
defm color : Value<"color", [report, diff, query, info], "auto|always|never",
  "Color the text (default: on a terminal, unless NO_COLOR is set).">;

//===-- annotate ---------------------------------------------------------===//

defm carrier : Value<"carrier", [annotate],
  "attribute|location|compat-profiler-data",
  "Where the times go: the attribute prof.data (default), locations, which "
  "survive lowering, or prof.data and profiler_data = {ts, dur}.">;
def compat_profiler_data : Flag<["--"], "compat-profiler-data", [annotate]>,
  HelpText<"Also write profiler_data = {ts, dur}, whatever the carrier.">;
def emit_bytecode : Flag<["--"], "emit-bytecode", [annotate]>,
  HelpText<"Write MLIR bytecode.">;
def no_store : Flag<["--"], "no-store", [annotate]>,
  HelpText<"Do not put the module into the *.mlprof file. Without this, later "
  "verbs need no --model.">;

//===-- graph ------------------------------------------------------------===//

defm kind : Value<"kind", [graph], "dataflow|hlo|overlap|calls",
  "dataflow: the module's ops (default); hlo: the instructions that XLA ran; "
  "overlap: events by overlap in time, a picture of time and not of "
  "dependence; calls: events by nesting in time on each thread, as a tree of "
  "calls.">;
defm events : Value<"events", [graph], "ops|python|all",
  "Which events kinds overlap and calls show: those that measured an op "
  "(default of overlap), functions of Python (default of calls), or all.">;
defm hlo_module : Value<"hlo-module", [graph], "NAME",
  "Which HLO module to draw: NAME or NAME(PROGRAM). Default: the one with the "
  "most time.">;
defm step : Value<"step", [graph], "N",
  "Draw one step only (overlap, calls).">;
defm max_nodes : Value<"max-nodes", [graph], "N",
  "Draw at most N boxes in SVG, however large the picture becomes; what does not "
  "fit is collapsed. Default: 300, or as many as a few screens hold.">;
def unfold : Flag<["--"], "unfold", [graph]>,
  HelpText<"Draw each of the parts that repeat one after another, as the layers "
  "of a stack do. Default: in SVG the first stands for all.">;
defm palette : Value<"palette", [graph], "heat|viridis",
  "Colors: heat (default, hot is red) or viridis (safe for color blindness).">;
defm scale : Value<"scale", [graph], "linear|log",
  "How times become colors: in proportion (linear, default), or by the "
  "logarithm, which tells short times apart.">;

//===-- export -----------------------------------------------------------===//

defm stacks : Value<"stacks", [export], "module|source|level|loop",
  "What stacks go by: the parts of an op's path, the calls in the user's "
  "program, what an op became level by level, or the loops and functions around "
  "it. Default: module, but for speedscope the single events, where the profile "
  "keeps them.">;

//===-- merge ------------------------------------------------------------===//

def mix_machines : Flag<["--"], "mix-machines", [import, merge, diff]>,
  HelpText<"Go on when recordings are of different machines.">;

//===-- diff -------------------------------------------------------------===//

defm model_a : Value<"model-a", [diff], "FILE", "The module of BEFORE.">,
  Flags<[ReadsFile]>;
defm model_b : Value<"model-b", [diff], "FILE", "The module of AFTER.">,
  Flags<[ReadsFile]>;
defm fail_on_regression : Value<"fail-on-regression", [diff], "P%",
  "Exit with 3 when the whole or an op is slower by P % or more, and that is "
  "significant. A note says so when the recordings are too few to tell.">;
defm alpha : Value<"alpha", [diff], "P%",
  "The chance that anything is called slower or faster and is not (default 1%).">;
defm min_share : Value<"min-share", [diff], "P%",
  "Do not test ops that take less of the time on both sides (default 0.1%).">;

//===-- query ------------------------------------------------------------===//

def tables : Flag<["--"], "tables", [query]>,
  HelpText<"List the tables and their columns.">;
defm max_steps : Value<"max-steps", [query], "N",
  "Let a query take up to N steps of SQLite's virtual machine (default "
  "10000000000: a minute or two).">;

//===-- advise -----------------------------------------------------------===//

defm rule : Value<"rule", [advise], "NAME",
  "Ask only this rule (see mlir-prof info); may be repeated. Default: all.">;

//===-- info -------------------------------------------------------------===//

def measure : Flag<["--"], "measure", [info]>,
  HelpText<"Also measure the peak of this machine: floating point operations "
  "and bytes of memory a second, which takes about half a second.">;

//===-- Formats ----------------------------------------------------------===//

defm format : Value<"format",
  [record, audit, import, report, graph, export, merge, compact, diff,
   query, advise, info],
  "FORMAT", "How the output is written: {formats}.">;
