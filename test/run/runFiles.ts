import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { PackageSetName } from "../packages/packageSets.ts";
import { findPackages } from "../support/findPackages.ts";
import type { SharedServers } from "../support/sharedServer.ts";

/** The result of a test file. */
export interface FileResult {
  readonly file: string;
  readonly totalCount: number;
  readonly passedCount: number;
  readonly skippedCount: number;
  readonly durationMs: number;
  /** Processor time of the file's process and of its children that have ended, without the shared server's. */
  readonly processorMs: number;
  /** Tests that ran, or would run, in the deep layer only. */
  readonly deepTitles: readonly string[];
  /** A program that is not installed; the tests that need it are skipped. */
  readonly missing: readonly string[];
  /** Everything that the file wrote. */
  readonly output: string;
}

export interface RunOptions {
  /** Folder to which the files are relative. */
  readonly root: string;
  /** In the order in which they are begun. */
  readonly files: readonly string[];
  readonly processCount: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Finds a server that files share; it is asked for at most once a process. */
  findServer?(name: keyof SharedServers): Promise<SharedServers[keyof SharedServers]>;
  /** Once it is aborted no other file is begun. */
  readonly signal?: AbortSignal;
  /** Called when a process begins a file. */
  onBegin?(file: string): void;
  /** Called when a file first finds a server, and when it opens a database of PostgreSQL. */
  onUse?(file: string, name: keyof SharedServers, database?: string): void;
  /** Installs packages that files need, at most once a run, and returns their folder. */
  installPackages?(name: PackageSetName): Promise<string>;
  onResult(result: FileResult): void;
}

interface Asking {
  readonly asksFor: keyof SharedServers;
}

interface Using {
  readonly uses: keyof SharedServers;
  readonly database?: string;
}

interface Installing {
  readonly installs: PackageSetName;
}

const script = fileURLToPath(new URL("./fileProcess.ts", import.meta.url));

/**
 * Runs test files in processes that each take the next file after one has ended. A process that
 * ends before it has reported the result of its file counts as one failed test, and has a successor.
 */
export async function runFiles(options: RunOptions): Promise<void> {
  const waiting = [...options.files];
  const runLine = async () => {
    while (waiting.length > 0) await runProcess(options, waiting);
  };
  await Promise.all(Array.from({ length: options.processCount }, runLine));
}

/** Feeds one process with files until none is left, or it ends. */
function runProcess(options: RunOptions, waiting: string[]): Promise<void> {
  const { root, env, findServer, onBegin, onUse, onResult } = options;
  const { installPackages = findPackages } = options;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const child = fork(script, [root], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    ...(env && { env }),
  });
  let file: string | undefined;
  let lastFile = "";
  let startedAt = 0;
  let output = "";
  const next = () => {
    lastFile = file ?? lastFile;
    if (options.signal?.aborted) waiting.length = 0;
    file = waiting.shift();
    startedAt = performance.now();
    output = "";
    if (file === undefined) return void child.disconnect();
    onBegin?.(file);
    child.send({ file });
  };
  collect(child, (text) => {
    output += text;
  });
  const sendServer = async (name: keyof SharedServers) => {
    const server = await findServer?.(name);
    if (child.connected) child.send({ name, server });
  };
  const sendPackages = async (set: PackageSetName) => {
    const answer = await installPackages(set).then(
      (folder) => ({ set, folder }),
      (failure: unknown) => ({
        set,
        failure: failure instanceof Error ? failure.message : String(failure),
      }),
    );
    if (child.connected) child.send(answer);
  };
  child.on("message", (message: Omit<FileResult, "durationMs"> | Asking | Using | Installing) => {
    if ("uses" in message) {
      if (file !== undefined) onUse?.(file, message.uses, message.database);
      return;
    }
    if ("installs" in message) return void sendPackages(message.installs);
    if ("asksFor" in message) {
      sendServer(message.asksFor).catch((failure: unknown) => {
        output += `\nthe server of the tests did not start: ${String(failure)}\n`;
        child.kill();
      });
      return;
    }
    const result = message;
    const durationMs = performance.now() - startedAt;
    // The process wrote more beside its report, by its children above all.
    onResult({ ...result, durationMs, output: output + result.output });
    next();
  });
  child.on("exit", (status, signal) => {
    const isWhole = file === undefined && status === 0;
    if (!isWhole)
      onResult({
        file: file ?? lastFile,
        totalCount: 1,
        passedCount: 0,
        skippedCount: 0,
        durationMs: performance.now() - startedAt,
        processorMs: 0,
        deepTitles: [],
        missing: [],
        output: `   FAIL  the process of the file ended (${String(signal ?? status)})\n${output}\n`,
      });
    resolve();
  });
  next();
  return ended;
}

function collect(child: ChildProcess, onText: (text: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", onText);
}
