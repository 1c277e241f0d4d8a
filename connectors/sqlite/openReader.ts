import { fork } from "node:child_process";
import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import { PluginError } from "../../plugins/protocol/index.ts";
import {
  memorySignal,
  type FromReader,
  type RequestedFile,
  type StatementColumn,
  type ToReader,
} from "./messages.ts";

/** A failure that SQLite named; `code` is its extended result code. */
export class SqliteFailure extends Error {
  override readonly name = "SqliteFailure";
  readonly code: number | undefined;

  constructor(message: string, code: number | undefined) {
    super(message);
    this.code = code;
  }
}

/** The end of a reader process that nobody asked to end. */
export class ReaderEnded extends Error {
  override readonly name = "ReaderEnded";

  /** Whether it ended because it needed too much memory. */
  readonly isOutOfMemory: boolean;

  constructor(isOutOfMemory = false) {
    super(
      isOutOfMemory
        ? "the statement needs more memory than it may use; ask for fewer or smaller values"
        : "the process that reads the file ended",
    );
    this.isOutOfMemory = isOutOfMemory;
  }
}

export type SqliteRows = readonly (readonly SQLOutputValue[])[];

/** A process that reads database files, one statement at a time. */
export interface Reader {
  readonly pid: number;
  /** The file that it has open. */
  readonly path: string | undefined;
  readonly isAlive: boolean;
  /** Streams the rows of a statement. Aborting `signal` kills the process; leaving the loop early does not. */
  rows(
    file: RequestedFile,
    text: string,
    values: readonly SQLInputValue[],
    signal: AbortSignal,
  ): AsyncIterable<SqliteRows>;
  /** Describes the columns of a statement without running it. */
  columns(
    file: RequestedFile,
    text: string,
    signal: AbortSignal,
  ): Promise<readonly StatementColumn[]>;
  /** An idle reader does not keep the host's process running. */
  hold(isBusy: boolean): void;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

const blockBytes = 256 * 1024;

/** Starts a reader process. It gets no variable of the host's environment but the folder for temporary files. */
export function openReader(): Reader {
  const module = new URL(
    import.meta.url.endsWith(".ts") ? "./reader.ts" : "./reader.js",
    import.meta.url,
  );
  const child = fork(module, [], {
    serialization: "advanced",
    execArgv: process.execArgv.filter((flag) => flag.startsWith("--conditions=")),
    env: process.env["TMPDIR"] ? { TMPDIR: process.env["TMPDIR"] } : {},
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const messages: FromReader[] = [];
  let isAlive = true;
  let path: string | undefined;
  let isOutOfMemory = false;
  let wake = () => {};
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      isAlive = false;
      wake();
      resolve();
    };
    child.once("exit", (_, signal) => {
      isOutOfMemory = signal === memorySignal;
      end();
    });
    // A process that could not be started has no exit.
    child.once("error", end);
  });
  child.on("message", (message: FromReader) => {
    messages.push(message);
    wake();
  });
  const kill = () => {
    isAlive = false;
    // Its end is waited for, also in a process that does nothing else.
    child.ref();
    child.kill("SIGKILL");
    return gone;
  };
  const tell = (message: ToReader) => {
    // A failure to send means that the process ended, which the next receive reports.
    if (child.connected) child.send(message, () => {});
  };
  const receive = async (signal: AbortSignal): Promise<FromReader> => {
    for (;;) {
      if (signal.aborted) {
        await kill();
        throw cancelled(signal);
      }
      const message = messages.shift();
      if (message) return message;
      if (!isAlive) throw new ReaderEnded(isOutOfMemory);
      const { promise, resolve: finish } = Promise.withResolvers<void>();
      const resolve = () => finish();
      wake = resolve;
      signal.addEventListener("abort", resolve, { once: true });
      await promise;
      signal.removeEventListener("abort", resolve);
    }
  };
  return {
    pid: child.pid ?? -1,
    get path() {
      return path;
    },
    get isAlive() {
      return isAlive;
    },
    async *rows(file, text, values, signal) {
      path = file.path;
      tell({ kind: "rows", file, text, values, blockBytes });
      let isOpen = true;
      try {
        for (;;) {
          const message = await receive(signal);
          if (message.kind === "rows") {
            yield message.rows;
            tell({ kind: "more" });
            continue;
          }
          isOpen = false;
          if (message.kind === "failed") throw new SqliteFailure(message.message, message.code);
          return;
        }
      } finally {
        if (isOpen && isAlive) {
          tell({ kind: "stop" });
          while ((await receive(signal)).kind === "rows") continue;
        }
      }
    },
    async columns(file, text, signal) {
      path = file.path;
      tell({ kind: "columns", file, text });
      const message = await receive(signal);
      if (message.kind === "columns") return message.columns;
      throw message.kind === "failed"
        ? new SqliteFailure(message.message, message.code)
        : new PluginError("PLUGIN_BUG", ["a reader answered rows where columns were asked"]);
    },
    hold(isBusy) {
      if (isBusy) {
        child.ref();
        child.channel?.ref();
      } else {
        child.unref();
        child.channel?.unref();
      }
    },
    kill,
  };
}

/** The error of a call that was aborted: its own reason, where that is an error that a plugin may throw. */
export function cancelled({ reason }: AbortSignal): PluginError {
  if (reason instanceof PluginError) return reason;
  const isLate = reason instanceof DOMException && reason.name === "TimeoutError";
  return new PluginError("PLUGIN_TIMEOUT", [
    isLate ? "SQLite: the statement took longer than it may" : "SQLite: the call was cancelled",
  ]);
}
