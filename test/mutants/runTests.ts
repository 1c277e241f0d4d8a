import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { groupTimeMs } from "./groupTimeMs.ts";

/** A failed test file and its first failed test. */
export interface Failure {
  readonly file: string;
  readonly title: string;
}

export interface RunTestsOptions {
  /** The copy of the tree. */
  readonly path: string;
  /** Paths relative to `test`, in the order in which they run. */
  readonly files: readonly string[];
  onPassed?(file: string): void;
}

/**
 * Runs test files of a tree until a file fails, and returns the failure; undefined if all files pass. The failure's
 * `file` is `""` if no file started.
 */
export type RunTests = (options: RunTestsOptions) => Promise<Failure | undefined>;

/**
 * If a run uses this much processor time, in milliseconds, without printing a line, it is treated as an endless loop.
 * No file needs this much, however busy the machine is. A test that waits forever is stopped by its own time limit, but
 * a busy loop prevents that.
 */
const loopMs = 90_000;
/**
 * If a run prints nothing for this many milliseconds, it is treated as hung. Used on systems that do not report
 * processor time.
 */
const silentMs = 900_000;
const lookMs = 2_000;

/**
 * Returns a function that runs `npm test -- --bail` in the copy. A run that hangs is killed together with all processes
 * that it started. Aborting `stop` kills the current run in the same way.
 * @throws {Error} the reason of `stop`
 */
export function createRunTests(stop: AbortSignal): RunTests {
  return (options) => runTests(options, stop);
}

async function runTests(
  { path, files, onPassed }: RunTestsOptions,
  stop: AbortSignal,
): Promise<Failure | undefined> {
  stop.throwIfAborted();
  if (files.length === 0) return undefined;
  const patterns = files.map((file) => `^${RegExp.escape(file)}$`);
  const child = spawn(
    process.execPath,
    ["--conditions=manifold-source", "test/run/main.ts", "--bail", ...patterns],
    {
      cwd: path,
      // The run gets its own process group.
      detached: true,
      env: { ...process.env, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const reading = createReading(onPassed);
  let hung = false;
  const endGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid ?? 0), signal);
    } catch {
      // All processes of the group have ended.
    }
  };
  let lineAt = performance.now();
  let lineTimeMs = 0;
  const timer = setInterval(() => {
    if (hung || stop.aborted) return endGroup("SIGKILL");
    const timeMs = groupTimeMs(child.pid ?? 0);
    // The sum of processor times decreases when a process of the group ends.
    lineTimeMs = Math.min(lineTimeMs, timeMs);
    hung = timeMs - lineTimeMs > loopMs || performance.now() - lineAt > silentMs;
    // On SIGTERM, the runner removes its temporary folder before it exits.
    if (hung) child.kill("SIGTERM");
  }, lookMs);
  const onStop = () => child.kill("SIGTERM");
  stop.addEventListener("abort", onStop);
  const errors: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
  createInterface(child.stdout).on("line", (line) => {
    lineAt = performance.now();
    lineTimeMs = groupTimeMs(child.pid ?? 0);
    reading.add(line);
  });
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.on("close", (status) => resolve(status));
  const status = await ended;
  clearInterval(timer);
  stop.removeEventListener("abort", onStop);
  endGroup("SIGKILL");
  stop.throwIfAborted();
  if (hung) return { file: reading.running, title: "it hung" };
  if (status === 0 || reading.failure) return reading.failure;
  // If no test file started, the runner itself failed to start.
  const title = reading.running === "" ? errors.join("").slice(0, 400) : "the process exited early";
  return { file: reading.running, title };
}

/** Parses the output of a run. */
export interface Reading {
  readonly failure: Failure | undefined;
  /** The file that was started last. */
  readonly running: string;
  add(line: string): void;
}

export function createReading(onPassed?: (file: string) => void): Reading {
  let failedFile: string | undefined;
  let title: string | undefined;
  let running = "";
  return {
    get failure() {
      return failedFile === undefined
        ? undefined
        : { file: failedFile, title: title ?? "no test was named" };
    },
    get running() {
      return running;
    },
    add(text) {
      const line = stripVTControlCharacters(text);
      const [, mark, file] = /^([… ✘]) (\S+\.test\.ts)(?:$| )/.exec(line) ?? [];
      if (file !== undefined && mark === "…") running = file;
      else if (file !== undefined && mark === "✘") failedFile ??= file;
      else if (file !== undefined) onPassed?.(file);
      if (failedFile !== undefined) title ??= /^\s+FAIL\s+(.*)$/.exec(line)?.[1]?.trim();
    },
  };
}
