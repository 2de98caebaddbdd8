//===- Opts.td - Options of mlir-prof's verbs ------------------*- tablegen -*-//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A verb is a SubCommand here, its name in the lists of the options that it takes, a
// file NAME.cpp, and a line in Verbs.def.
//
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

def record : SubCommand<"record",
  "Build and run an MLIR model, and write its profile.",
  "mlir-prof record MODEL -o FILE [options]">;
def compile : SubCommand<"compile",
  "Build an MLIR model, and write it as a file that programs load (*.mprof).",
  "mlir-prof compile MODEL -o FILE [options]">;
def deploy : SubCommand<"deploy",
  "Package an MLIR model for a server, a phone or a microcontroller.",
  "mlir-prof deploy MODEL [--target=NAME] -o FOLDER [options]">;
def audit : SubCommand<"audit",
  "Report which passes lose the identity of ops, and how much time that "
  "affects.",
  "mlir-prof audit MODEL [--pipeline=PIPELINE] [--profile=PROFILE] [options]">;
def optimize : SubCommand<"optimize",
  "Tune a model with its profile, and verify the speedup by measurement.",
  "mlir-prof optimize MODEL [--profile=PROFILE] [--budget=TIME] -o FILE "
  "[options]">;
def import : SubCommand<"import",
  "Read recordings, and write one profile (*.mlprof).",
  "mlir-prof import TRACE... -o FILE [options]">;
def report : SubCommand<"report",
  "Print where the time went.",
  "mlir-prof report PROFILE [--model=FILE] [--by=GROUP] [options]">;
def annotate : SubCommand<"annotate",
  "Write a module with measured times on its ops.",
  "mlir-prof annotate MODEL --profile=PROFILE -o FILE [options]\\n"
  "       mlir-prof annotate PROFILE --level=LEVEL -o FILE [options]">;
def graph : SubCommand<"graph",
  "Draw ops as a graph, colored by time.",
  "mlir-prof graph PROFILE [--model=FILE] --format=FORMAT -o FILE [options]">;
def export : SubCommand<"export",
  "Write a profile in another tool's format.",
  "mlir-prof export PROFILE [--model=FILE] --format=FORMAT -o FILE [options]">;
def merge : SubCommand<"merge",
  "Merge profiles. A recording that several of them hold counts once, and the "
  "order does not matter. FILE may be one of them.",
  "mlir-prof merge PROFILE... -o FILE [options]">;
def compact : SubCommand<"compact",
  "Fold the recordings of a profile into one to make it smaller.",
  "mlir-prof compact PROFILE [--top=K] -o FILE [options]">;
def diff : SubCommand<"diff",
  "Compare two profiles, and report statistically significant changes.",
  "mlir-prof diff BEFORE AFTER [--model=FILE] [--fail-on-regression=3%] "
  "[options]">;
def query : SubCommand<"query",
  "Run an SQL query over the tables of a profile.",
  "mlir-prof query PROFILE 'SELECT ...' [--model=FILE] [options]\\n"
  "       mlir-prof query --tables">;
def advise : SubCommand<"advise",
  "Suggest what to change, with the evidence from the profile.",
  "mlir-prof advise PROFILE [--model=FILE] [--rule=NAME] [options]">;
def serve : SubCommand<"serve",
  "Serve a folder of profiles: a page and an API for programs.",
  "mlir-prof serve FOLDER [--port=N] [options]">;
def control : SubCommand<"control",
  "Start or stop the recording of a program that runs and has a "
  "mlir_prof.Capture.",
  "mlir-prof control PID start|stop|status [options]">;
def info : SubCommand<"info",
  "Print versions, supported formats, and a description of this machine.",
  "mlir-prof info [options]">;

// Verbs by the options that they share.
defvar WritingVerbs = [record, compile, deploy, audit, optimize, import, report, annotate, graph,
                       export, merge, compact, diff, query, advise, control];
defvar AllVerbs = !listconcat(WritingVerbs, [serve, info]);
// Those that open a profile and its module, and match them.
defvar MatchingVerbs = [report, annotate, graph, export, diff, query, advise];
defvar ImportingVerbs = !listconcat([import], MatchingVerbs);
// Those that open a profile.
defvar OpeningVerbs = !listconcat(ImportingVerbs,
                                  [audit, optimize, merge, compact]);

// What happens to the file that an option names: see OptionFileFlag.
def ReadsFile : OptionFlag;
// optimize writes it, other verbs do not.
def OptimizeWritesFile : OptionFlag;
def DeployWritesFolder : OptionFlag;
def WritesFile : OptionFlag;
def ReadsFolder : OptionFlag;
def WritesFolder : OptionFlag;
def ReadsArray : OptionFlag;
def ReadsSchedule : OptionFlag;

// An option with a value, written --name=value or --name value. In its help,
// {verb,verb: text} is for these verbs only, and {formats} and others (Formats.h)
// list registered names.
multiclass Value<string name, list<SubCommand> verbs, string metavar,
                 string help> {
  def NAME#_EQ : Joined<["--"], name#"=", verbs>, MetaVarName<metavar>,
                 HelpText<help>;
  def NAME : Separate<["--"], name, verbs>, Alias<!cast<Option>(NAME#"_EQ")>;
}

def help : Flag<["--"], "help", AllVerbs>,
           HelpText<"Print this help.">;
def help_short : Flag<["-"], "h", AllVerbs>,
                 Alias<help>;
def version : Flag<["--"], "version">, HelpText<"Print the version.">;

def output : JoinedOrSeparate<["-"], "o", WritingVerbs>,
             MetaVarName<"FILE">, Flags<[WritesFile, DeployWritesFolder]>,
             HelpText<"Write to FILE instead of standard output (-).">;
// As other tools have it; a file whose name begins so is ./=FILE.
def output_EQ : Joined<["-"], "o=", WritingVerbs>, Flags<[WritesFile]>, Alias<output>;

defm self_profile : Value<"self-profile", AllVerbs, "FILE",
  "Profile mlir-prof itself: write its phases as scopes. FILE is a profile, or "
  "their stream if its name ends in .scopes. May stand before the verb.">,
  Flags<[WritesFile]>;

//===-- Reading ----------------------------------------------------------===//

defm input_format : Value<"input-format", OpeningVerbs,
  "NAME", "Read recordings in format NAME (see mlir-prof info). Default: "
  "detect the format from the content.">;
defm max_inflation : Value<"max-inflation", OpeningVerbs,
  "N", "Accept a gzipped recording that inflates to N times its size (default "
  "128). Up to 512 MiB is always accepted.">;
defm model : Value<"model", [import, report, graph, export, diff, query, advise, serve], "FILE",
  "MLIR module that was run, as text or bytecode. Not needed when the profile "
  "holds it.">,
  Flags<[ReadsFile]>;
defm onnx : Value<"onnx", ImportingVerbs, "FILE",
  "ONNX Runtime profiles: the model passed to ONNX Runtime. Only names of "
  "nodes and values are read. Not needed when the profile was imported with "
  "it.">,
  Flags<[ReadsFile]>;
defm onnx_optimized : Value<"onnx-optimized", ImportingVerbs, "FILE",
  "ONNX Runtime profiles: the optimized model that ONNX Runtime wrote "
  "(optimized_model_filepath). It tells which nodes were fused.">,
  Flags<[ReadsFile]>;
defm objects : Value<"objects", ImportingVerbs, "FOLDER",
  "perf script recordings: folder to search for binaries, jit-PID.dump and "
  "perf-PID.map files that are not at their recorded paths, and for debug "
  "files, by file name or as .build-id/xx/yyyy.debug. Records of light-weight "
  "profiling: folder with the program that ran.">,
  Flags<[ReadsFolder]>;
defm load_address : Value<"load-address", ImportingVerbs, "ADDRESS",
  "Records of light-weight profiling: address in memory of the first byte of the "
  "program in --objects, if that is not its own.">;
defm sample_period : Value<"sample-period", ImportingVerbs, "TIME",
  "Time that one sample represents, such as 1ms, for recordings of samples "
  "without times, such as folded stacks. Use 1ps for stacks that mlir-prof "
  "wrote.">;
defm iree_stream : Value<"iree-stream", ImportingVerbs, "FILE",
  "IREE profiles: the module after iree-compile's stream phase "
  "(--dump-compilation-phases-to, with --mlir-print-debuginfo). It tells which "
  "ops each dispatch computes. Not needed when the profile was imported with "
  "it.">,
  Flags<[ReadsFile]>;
defm profile : Value<"profile", [annotate, audit, optimize], "FILE",
  "Recording or *.mlprof file.">,
  Flags<[ReadsFile]>;
defm match : Value<"match", ImportingVerbs, "best|reference",
  "Evidence for matching measured ops with MLIR ops: all tiers (best, the "
  "default), or names, frames, opcodes and shapes only (reference).">;
defm level : Value<"level", MatchingVerbs,
  "LEVEL",
  "Level of the lowering to show, for recordings made by mlir-prof record: "
  "input (default), linalg and dispatch (pipelines with kernels), tiled "
  "(own rules), custom (own passes or schedules), bufferized, loops{report:, "
  "llvm, or asm (machine code)}"
  "{annotate,graph,export,diff,query,advise:, or llvm}. An unknown level is an "
  "error that lists the levels of the recording.">;
def allow_unmatched
  : Flag<["--"], "allow-unmatched", ImportingVerbs>,
    HelpText<"Continue when the module does not belong to the profile.">;

//===-- record -----------------------------------------------------------===//

defm entry : Value<"entry", [record, compile, deploy, audit, optimize], "FUNCTION",
  "Function to run. Default: the only public function, else main.">;
defm input : Value<"input", [record, optimize], "[NAME=]VALUE",
  "Value of an argument: random, random:SEED, random:SEED:LOW:HIGH, zeros or "
  "FILE.npy. NAME is the argument's name (x for %x) or position; without NAME, "
  "the value is for the next argument. Default: random.">,
  Flags<[ReadsArray]>;
defm shape : Value<"shape", [record, deploy, optimize], "[NAME=]DIMxDIM[,...]",
  "Shape of an argument that has dynamic dimensions. {record,optimize:Several "
  "shapes are used in turn.}{deploy:A range, as in x=1..8x49, lets calls choose "
  "the size; memory is planned for the largest. A first dimension without a "
  "shape is 1.}">;
defm save_results : Value<"save-results", [record], "FOLDER",
  "Write each result of the last iteration to FOLDER/NAME.npy.">,
  Flags<[WritesFolder]>;
defm compare : Value<"compare", [record], "[NAME=]FILE",
  "Compare a result with FILE.npy, and exit with 3 when it differs.">,
  Flags<[ReadsArray]>;
defm rtol : Value<"rtol", [record], "X",
  "Tolerance relative to each element (default 1e-5).">;
defm atol : Value<"atol", [record], "X",
  "Absolute tolerance (default: 1e-5 of the largest element).">;
defm pipeline : Value<"pipeline", [record, compile, audit], "PIPELINE",
  "Lowering: {pipelines}a pass pipeline, or a FILE.mlir with a schedule of the transform dialect.">,
  Flags<[ReadsSchedule]>;
defm device : Value<"device", [record, compile], "cpu|cuda[:N]",
  "Device for which the model is compiled: cpu (default), or cuda, a GPU of "
  "NVIDIA's{record:, the first one or number N}. "
  "{record:A program that compile --device=cuda wrote is run as it is.}"
  "{compile:The file is a program that record and mlir-prof-gpu run.}">;
defm device_target : Value<"device-target", [record, compile], "sm_NN",
  "Architecture of the GPU with --device=cuda, such as sm_90 (default: "
  "{record:that of the device}{compile:one that all supported GPUs have}).">;
defm device_run : Value<"device-run", [record], "FILE",
  "Make the profile of a run on another machine, which mlir-prof-gpu "
  "--times=FILE wrote there for the same program.">,
  Flags<[ReadsFile]>;
defm load_pass_plugin : Value<"load-pass-plugin", [record, compile, audit, optimize], "FILE",
  "Shared library with passes{record,compile,audit: for --pipeline}. May be "
  "repeated.">,
  Flags<[ReadsFile]>;
defm max_error : Value<"max-error", [record, compile, deploy, audit, optimize], "X",
  "Largest error that a faster algorithm (such as Winograd convolution) may "
  "introduce, relative to the op's largest result (default 2e-6). 0 disables "
  "these algorithms.">;
defm math : Value<"math", [record, compile, deploy, audit, optimize], "polynomial|libm",
  "Implementation of exp, tanh and similar functions: vectorized polynomials "
  "(default) or calls of the C library.">;
defm cpu : Value<"cpu", [record, compile, deploy, audit, optimize], "NAME",
  "Processor for which the code is tuned and to whose instructions it is held, "
  "by LLVM's name for it, such as x86-64-v3 for AVX2 (default: "
  "{record,compile,audit,optimize:this one}{deploy:that of the target}).">;
defm target : Value<"target", [record, deploy], "NAME[,...]",
  "{record:Count the instructions of the model on another machine, which --on "
  "runs}{deploy:Machine to package for; several ones get a folder each (default: "
  "x86-64)}: {targets}, or a triple of LLVM.">;
defm on : Value<"on", [record], "qemu|COMMAND",
  "The machine for --target: qemu, the emulator, which counts instructions; or "
  "a command of the shell that runs a program with probes, whose path is its last "
  "word, or in place of {image}, and writes what that prints.">;
defm package : Value<"package", [record], "FOLDER",
  "Write the model with probes as a library and a header of C, for a program of "
  "your own, which the command of --on builds and runs.">,
  Flags<[WritesFolder]>;
defm counter : Value<"counter", [record], "NAME",
  "Counter that probes of a program for --target read (default: cycles, or a "
  "clock).">;
defm console : Value<"console", [record], "NAME",
  "Where a program for --target prints: semihosting, uart or stdout.">;
defm counter_unit : Value<"counter-unit", [record], "NAME",
  "Unit of the counter of --target, a plural, if its name does not say that.">;
defm features : Value<"features", [record, deploy], "[+-]NAME[,...]",
  "Features that the processor {record:of --target }has or lacks, by LLVM's "
  "names.">;
defm abi : Value<"abi", [record, deploy], "NAME",
  "How functions pass arguments, by LLVM's names, such as aapcs-vfp or ilp32.">;
defm container : Value<"container", [deploy], "NAME[,...]",
  "Form of the code: {containers}.">;
defm variants : Value<"variants", [deploy], "NAME[,...]",
  "Processors for which the package has code of its own, the best last: levels "
  "of x86-64 (v2,v3,v4), processors by LLVM's names, or features (dotprod, "
  "sve2+i8mm). Programs choose the last one that they can run.">;
def bitcode : Flag<["--"], "bitcode", [deploy]>,
  HelpText<"Add LLVM's bitcode to the objects of static libraries, for link-time "
           "optimization with lld's --fat-lto-objects.">;
defm checks : Value<"checks", [deploy], "on|off",
  "Whether the function that runs the model checks addresses and the size of "
  "the arena first (default: on if the target has an operating system). A "
  "program can choose otherwise with the macro NAME_CHECKS.">;
defm table : Value<"table", [deploy], "FORMAT",
  "Print the sizes and the memory of all packages side by side: {tables}. "
  "Without -o, nothing else is written.">;
defm host_control : Value<"control", [deploy], "NAME",
  "Form of the host side, which calls the kernels: {controls}.">;
def yield : Flag<["--"], "yield", [deploy]>,
  HelpText<"Let requests that are more urgent run between the dispatches of the "
           "model (prof_request.h), with --control=none, c or bytecode.">;
defm emit : Value<"emit", [deploy], "c",
  "Write the host side as C to read; the same as --control=c.">;
defm optimize_for : Value<"optimize", [deploy], "speed|balanced|size",
  "The aim of the code (default: speed). balanced makes the kernels with most "
  "of the work fast, and the others small.">;
defm max_flash : Value<"max-flash", [deploy], "BYTES",
  "Most bytes of code and constants. Code that is too large is made smaller: "
  "balanced, then size. It is an error if that is too large.">;
defm max_ram : Value<"max-ram", [deploy], "BYTES",
  "Most bytes of memory for buffers and variables, without the stack, arguments "
  "and results; it is an error if the model needs more.">;
defm name : Value<"name", [record, deploy], "NAME",
  "Begin of the names of files and functions{record: of --package}, an identifier of C (default: "
  "model).">;
def contained : Flag<["--"], "contained", [record, compile, audit, optimize]>,
  HelpText<"Refuse a model that can reach memory or functions other than its "
  "own: one with pointers, or with functions of other libraries.">;
defm threads : Value<"threads", [record, compile, audit, optimize], "N", "Number of "
  "threads (default 1).">;
defm seconds : Value<"seconds", [record], "X",
  "Run for X seconds (default 2, without --iterations).">;
defm iterations : Value<"iterations", [record], "N", "Run N times.">;
defm warm_up : Value<"warm-up", [record], "N",
  "Iterations before measuring (default 3). With 0, the first measured "
  "iteration is cold.">;
defm reset_every : Value<"reset-every", [record], "N",
  "Reset the variables of a model that has them after each N iterations.">;
defm result_call : Value<"result-call", [record], "N",
  "Save and compare the results of call N after a reset (default 1), if the "
  "model has variables. These calls are not measured.">;
defm timeout : Value<"timeout", [record], "X",
  "Stop the model after X seconds, and keep the measurements so far.">;
defm max_memory : Value<"max-memory", [record], "MIB",
  "Memory limit of the model.">;
defm mode : Value<"mode", [record], "sample|instrument|time",
  "Recording mode. sample (default): interrupt the model --rate times a "
  "second. instrument: count and time each execution exactly. time: only time "
  "the iterations.">;
defm rate : Value<"rate", [record], "HZ",
  "Samples per second on each thread (default 1000).">;
defm sampler : Value<"sampler", [record], "auto|timer|perf",
  "Source of samples (default auto: perf_event where it can sample the kernel, "
  "else a timer).">;
defm instrument : Value<"instrument", [record], "SCOPE",
  "Ops that get probes: op (default), siblings, depth:N, height:N or all.">;
def no_functions : Flag<["--"], "no-functions", [record]>,
  HelpText<"Do not put probes around functions.">;
defm probe : Value<"probe", [record], "inline|call",
  "Form of probes: inline counters (default) or calls of a handler.">;
defm instances : Value<"instances", [record], "N",
  "Keep the first N executions of each probe as single records.">;
def no_values : Flag<["--"], "no-values", [record]>,
  HelpText<"Do not record dimensions, trip counts and branches.">;
def no_peak : Flag<["--"], "no-peak", [record]>,
  HelpText<"Do not measure the peak of this machine.">;
def no_identities : Flag<["--"], "no-identities", [record]>,
  HelpText<"Compile without identities, for --mode=time.">;
def scopes : Flag<["--"], "scopes", [record]>,
  HelpText<"Record the scopes of the model's process too: each call of the model "
           "is one, in which reports show its ops.">;
defm times : Value<"times", [record], "FILE",
  "Write the time of each iteration as JSON.">,
  Flags<[WritesFile]>;
def perf_map : Flag<["--"], "perf-map", [record]>,
  HelpText<"Write /tmp/perf-PID.map, from which perf takes op names.">;
defm jitdump : Value<"jitdump", [record], "FOLDER",
  "Write FOLDER/jit-PID.dump for perf inject --jit.">,
  Flags<[WritesFolder]>;
defm save_object : Value<"save-object", [record], "FILE",
  "Write the machine code as an ELF object.">,
  Flags<[WritesFile]>;

//===-- optimize ---------------------------------------------------------===//

defm decisions : Value<"decisions", [record, compile, optimize, advise], "FILE",
  "Decisions file.{record,compile: The model is built with its decisions.}"
  "{optimize: The search starts from it, and adds new results.}"
  "{advise: Advice that a search tried and rejected is set aside; a file of "
  "--receipts serves as well.}">,
  Flags<[ReadsFile, OptimizeWritesFile]>;
defm budget : Value<"budget", [optimize], "TIME",
  "Time limit of the search, builds included (default 120s). 0 applies known "
  "decisions without measuring.">;
defm progress : Value<"progress", [optimize], "auto|json|none",
  "Progress on standard error: auto (default: one line, on a terminal), json (a "
  "line of JSON at each change, for programs), or none.">;
defm script : Value<"script", [optimize], "FILE",
  "Write the schedules of the result as a transform-dialect script.">,
  Flags<[WritesFile]>;
defm receipts : Value<"receipts", [optimize], "FILE",
  "Write each trial with its gain and the reason for keeping or rejecting it, "
  "as JSON.">,
  Flags<[WritesFile]>;
defm technique : Value<"technique", [optimize], "NAME[,...]",
  "Try only these techniques: {techniques}. Default: all.">;
defm tolerance : Value<"tolerance", [optimize], "X",
  "Largest error of the results against the unoptimized model, relative to the "
  "largest element (default: 1e-5 or twice the error of the default pipeline, "
  "whichever is larger).">;
defm effort : Value<"effort", [optimize], "hot|all",
  "Candidates to try. hot (default): those with a measurable expected gain. "
  "all: every technique on every op.">;
defm trials : Value<"trials", [optimize], "local|whole",
  "How candidates are tried. local (default): choices within kernels one by one "
  "in a running model. whole: all as builds of the whole model.">;
defm max_build : Value<"max-build", [optimize], "MIB",
  "Memory limit for building and running one candidate (default 8192).">;
def again : Flag<["--"], "again", [optimize]>,
  HelpText<"Retry candidates that the decisions file has results for.">;

//===-- import -----------------------------------------------------------===//

def keep_events : Flag<["--"], "keep-events", [record, import, query, graph]>,
  HelpText<"Keep{record: the samples and the phases of the run}"
  "{import,query,graph: single events}, for timelines.">;
def keep_events_EQ : CommaJoined<["--"], "keep-events=", [import]>,
  MetaVarName<"STEP,...">, HelpText<"Keep the events of these steps only.">;

//===-- report -----------------------------------------------------------===//

defm by : Value<"by", [report], "GROUP",
  "Grouping of rows: {groups}. Default: op with a module, else measured-op, else "
  "event. See docs/reporting.md.">;
defm sort : Value<"sort", [report, diff], "COLUMN[,...]",
  "Sort by columns. -COLUMN, COLUMN:asc and COLUMN:desc set the direction.">;
defm filter : Value<"filter", [report, diff], "COND",
  "Keep rows that satisfy COLUMN=VALUE, or !=, ~ (substring), ~~ (ignoring case), "
  "!~, !~~, <, <=, >, >=. COLUMN=VALUE|VALUE takes several. Times take units: "
  "'{report:total_ps}{diff:before_ps}>2ms'. May be repeated.">;
defm group : Value<"group", [report], "COLUMN[,...]",
  "Add up the rows that are alike in these columns.">;
defm top : Value<"top", [report, compact, diff], "N",
  "{report,diff:Print at most N rows.}{compact:Keep the N ops and the N event "
  "names with the most time, and add up the rest.}">;
defm page : Value<"page", [report, diff], "K", "Print the K-th page of --top "
  "rows.">;
defm offset : Value<"offset", [report, diff], "N", "Leave out the first N rows.">;
defm after : Value<"after", [report, diff], "ROW",
  "Print the rows after one: the number 'next' of the JSON of the page before.">;
defm first_op : Value<"first-op", [report], "NAME",
  "With --by=step-trace: part of the name of the op with which the forward pass "
  "begins. Where the recording does not mark steps, each begins with it. "
  "Default: the first op that is not the optimizer's.">;
defm last_op : Value<"last-op", [report], "NAME",
  "With --by=step-trace: part of the name of the op with which the backward pass "
  "ends. Default: the last op of the backward pass.">;
defm style : Value<"style", [report], "STYLE",
  "Print scopes (--by=scope) in another layout: {styles}. --sort then takes the "
  "names of that layout. See docs/scopes.md.">;
defm unit : Value<"unit", [report], "s|ms|us|ns|min",
  "Unit of times of --style. Default: that of the layout.">;
def view_EQ : CommaJoined<["--"], "view=", [report]>, MetaVarName<"VIEW,...">,
  HelpText<"Parts of --style=paddle-summary to print: {views}. Default: all.">;
defm place : Value<"place", [deploy, report], "PLACE",
  "{deploy:PATTERN=DEVICE: run the dispatches that the pattern matches on a device "
  "other than the host. The pattern, with * and ?, is for a kernel, a name in a "
  "location, or a line FILE:LINE. May be repeated; the first that matches counts.}"
  "{report:Times of --style=paddle-report: those of the host (CPU, default), of "
  "devices (GPU), or both (All).}">;
defm separator : Value<"separator", [report], "TEXT",
  "Split names of scopes at TEXT, and print the parts as a tree "
  "(--style=tree).">;
def separate_threads : Flag<["--"], "separate-threads", [report]>,
  HelpText<"Print the scopes of each thread apart, with --style.">;
def merge_threads : Flag<["--"], "merge-threads", [report]>,
  HelpText<"Print the scopes of all threads together, with --style "
  "(paddle-report prints both by default).">;
def no_op_detail : Flag<["--"], "no-op-detail", [report]>,
  HelpText<"Omit the parts of ops in --style=paddle-summary.">;
def all : Flag<["--"], "all", [report]>,
  HelpText<"Include rows without time.">;
defm explain : Value<"explain", [report, optimize], "OP",
  "{report:Explain why OP has its time, or why it does not have any; OP is the "
  "index or location of an MLIR op, or the name of a measured op.}"
  "{optimize:Explain the choices for OP; OP is a part of its kind or "
  "location.}">;
defm color : Value<"color", [report, diff, query, info], "auto|always|never",
  "Color the output (default auto: on a terminal, unless NO_COLOR is set).">;

//===-- annotate ---------------------------------------------------------===//

defm carrier : Value<"carrier", [annotate],
  "attribute|location|compat-profiler-data",
  "Carrier of the times: the attribute prof.data (default), locations, which "
  "survive lowering, or prof.data with profiler_data = {ts, dur}.">;
def compat_profiler_data : Flag<["--"], "compat-profiler-data", [annotate]>,
  HelpText<"Also write profiler_data = {ts, dur}, with any carrier.">;
def emit_bytecode : Flag<["--"], "emit-bytecode", [annotate]>,
  HelpText<"Write MLIR bytecode.">;
def no_store : Flag<["--"], "no-store", [annotate]>,
  HelpText<"Do not store the module in the *.mlprof file; later commands then "
  "need --model.">;

//===-- graph ------------------------------------------------------------===//

defm kind : Value<"kind", [graph], "dataflow|hlo|overlap|calls",
  "dataflow (default): ops of the module. hlo: instructions that XLA ran. "
  "overlap: events that overlap in time, which does not imply dependence. "
  "calls: events nested in time on each thread, as a call tree.">;
defm events : Value<"events", [graph], "ops|python|all",
  "Events that --kind=overlap and --kind=calls show: events that measured an "
  "op (default of overlap), Python functions (default of calls), or all.">;
defm hlo_module : Value<"hlo-module", [graph], "NAME",
  "HLO module to draw: NAME or NAME(PROGRAM). Default: the one with the most "
  "time.">;
defm step : Value<"step", [graph], "N",
  "Draw only step N (overlap, calls).">;
defm max_nodes : Value<"max-nodes", [graph], "N",
  "Draw at most N boxes in SVG, and collapse the rest. Default: 300, or as "
  "many as fit on a few screens.">;
def unfold : Flag<["--"], "unfold", [graph]>,
  HelpText<"Draw every repetition of repeated parts, such as layers. Default: "
  "SVG draws the first one for all.">;
defm palette : Value<"palette", [graph], "NAME",
  "Colors: {palettes}. The default is heat, whose hottest color is red; viridis "
  "is safe for color blindness.">;
defm scale : Value<"scale", [graph], "linear|log",
  "Color scale: linear (default) or log, which separates short times.">;

//===-- export -----------------------------------------------------------===//

defm stacks : Value<"stacks", [export], "module|source|level|loop|scope",
  "Frames of the stacks: parts of the op's path (module, the default), calls "
  "in the user's program (source), the op at each level of the lowering "
  "(level), loops and functions around the op (loop), or the scopes around a "
  "scope (scope, the default for recordings of scopes). speedscope shows "
  "single events by default where the profile keeps them.">;

//===-- merge ------------------------------------------------------------===//

def mix_machines : Flag<["--"], "mix-machines", [import, merge, diff]>,
  HelpText<"Continue when recordings come from different machines.">;

//===-- diff -------------------------------------------------------------===//

defm model_a : Value<"model-a", [diff], "FILE", "The module of BEFORE.">,
  Flags<[ReadsFile]>;
defm model_b : Value<"model-b", [diff], "FILE", "The module of AFTER.">,
  Flags<[ReadsFile]>;
defm fail_on_regression : Value<"fail-on-regression", [diff], "P%",
  "Exit with 3 if the total, the wall time or an op is significantly slower by "
  "P % or more. A note says if the recordings are too few to decide.">;
defm alpha : Value<"alpha", [diff], "P%",
  "Family-wise error rate: probability of at least one wrong \"slower\" or "
  "\"faster\" (default 1%).">;
defm min_share : Value<"min-share", [diff], "P%",
  "Skip ops that take less than P % of the time on both sides (default 0.1%).">;

//===-- query ------------------------------------------------------------===//

def tables : Flag<["--"], "tables", [query]>,
  HelpText<"List the tables and their columns.">;
defm max_steps : Value<"max-steps", [query], "N",
  "Stop a query after N steps of SQLite's virtual machine (default "
  "10000000000: a minute or two).">;

//===-- advise -----------------------------------------------------------===//

defm rule : Value<"rule", [advise], "NAME",
  "Apply only this rule: {rules}. May be repeated. Default: all.">;

defm max_size : Value<"max-size", [report], "MB",
  "With --format=html: leave out data beyond so many megabytes (default 20). The "
  "page names it.">;

//===-- serve ------------------------------------------------------------===//

defm host : Value<"host", [serve], "ADDRESS",
  "Address to listen at (default 127.0.0.1). Others than those of this machine "
  "need --token-file.">;
defm port : Value<"port", [serve], "N",
  "Port to listen at. Default: any that is free.">;
defm token_file : Value<"token-file", [serve], "FILE",
  "Answer only requests that show the token in the first line of FILE "
  "(Authorization: Bearer TOKEN).">,
  Flags<[ReadsFile]>;
defm allow_host : Value<"allow-host", [serve], "NAME",
  "Further name by which browsers may call the service. Addresses and names of "
  "this machine are allowed. May be repeated.">;
defm cache : Value<"cache", [serve], "MB",
  "Keep open profiles in up to so many megabytes of memory (default 1074).">;
defm max_upload : Value<"max-upload", [serve], "MB",
  "Refuse larger uploads (default 4295).">;
defm prepare : Value<"prepare", [serve], "NEW_FOLDER",
  "Instead of serving, read one recording (with --model) and write what a store "
  "keeps of it. Uploads are read by this in a process of their own.">;

//===-- info -------------------------------------------------------------===//

def measure : Flag<["--"], "measure", [info]>,
  HelpText<"Measure the peak of this machine as well: floating-point "
  "operations and bytes of memory per second. Takes about half a second.">;

//===-- Formats ----------------------------------------------------------===//

defm format : Value<"format",
  [record, compile, audit, import, report, graph, export, merge, compact, diff,
   query, advise, control, info],
  "FORMAT", "Output format: {formats}.">;
