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
  /**
   * Processor time of the file's process and its ended child processes, in milliseconds. Time of shared servers is not
   * included.
   */
  readonly processorMs: number;
  /** Titles of the file's tests that run only in the deep layer, even if they did not run. */
  readonly deepTitles: readonly string[];
  /** Whether only the file's deep tests ran, of which it may have none. */
  readonly isOnlyDeep?: boolean;
  /** Programs that are not installed. Tests that need them are skipped. */
  readonly missing: readonly string[];
  /** All output of the file. */
  readonly output: string;
}

export interface RunOptions {
  /** The folder to which the paths of files are relative. */
  readonly root: string;
  /** The files, in the order in which they start. */
  readonly files: readonly string[];
  readonly processCount: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Finds a server that files share. A process calls this at most once per server. */
  findServer?(name: keyof SharedServers): Promise<SharedServers[keyof SharedServers]>;
  /** Once this signal is aborted, no further file starts. */
  readonly signal?: AbortSignal;
  /** Returns whether only the deep tests of a file run. By default, all tests run. */
  isOnlyDeep?(file: string): boolean;
  /** Called when a process starts a file. */
  onBegin?(file: string): void;
  /** Called when a file first uses a server, and when a file opens a PostgreSQL database. */
  onUse?(file: string, name: keyof SharedServers, database?: string): void;
  /** Installs packages that files need, at most once per run. Resolves to the folder of the packages. */
  installPackages?(name: PackageSetName): Promise<string>;
  onResult(result: FileResult): void;
}

interface ServerRequest {
  readonly needsServer: keyof SharedServers;
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
 * Runs test files in several processes. When a process has finished a file, it takes the next file. If a process dies
 * before it reports the result of a file, it is replaced, and the file counts as one failed test.
 */
export async function runFiles(options: RunOptions): Promise<void> {
  const waiting = [...options.files];
  const runLine = async () => {
    while (waiting.length > 0) await runProcess(options, waiting);
  };
  await Promise.all(Array.from({ length: options.processCount }, runLine));
}

/** Sends files to one process until no files are left or the process ends. */
function runProcess(options: RunOptions, waiting: string[]): Promise<void> {
  const { root, env, findServer, onBegin, onUse, onResult } = options;
  const { installPackages = findPackages } = options;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const child = fork(script, [root], {
    // Tests may not depend on an optimization that hosts turn off.
    execArgv: [...process.execArgv, "--no-function-context-cells"],
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
    child.send({ file, isOnlyDeep: options.isOnlyDeep?.(file) ?? false });
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
  child.on(
    "message",
    (message: Omit<FileResult, "durationMs"> | ServerRequest | Using | Installing) => {
      if ("uses" in message) {
        if (file !== undefined) onUse?.(file, message.uses, message.database);
        return;
      }
      if ("installs" in message) return void sendPackages(message.installs);
      if ("needsServer" in message) {
        sendServer(message.needsServer).catch((failure: unknown) => {
          output += `\nthe test server did not start: ${String(failure)}\n`;
          child.kill();
        });
        return;
      }
      const result = message;
      const durationMs = performance.now() - startedAt;
      // The process and its child processes may have printed more than its report contains.
      onResult({ ...result, durationMs, output: output + result.output });
      next();
    },
  );
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
        output: `   FAIL  the process of this file exited (${String(signal ?? status)})\n${output}\n`,
      });
    resolve();
  });
  next();
  return ended;
}

function collect(child: ChildProcess, onText: (text: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", onText);
}
