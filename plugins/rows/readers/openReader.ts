import { fork } from "node:child_process";
import { PluginError } from "../../protocol/index.ts";
import {
  memorySignal,
  memoryVariable,
  sentFailure,
  unpackItem,
  type BulkItem,
  type FromReader,
  type SentFailure,
  type ToReader,
} from "../serving/index.ts";
import { openBulkFile } from "./openBulkFile.ts";
import { receivedFailure } from "./receivedFailure.ts";
import { ReusedMemory } from "./reusedMemory.ts";

/** The error of a reader process that stopped unexpectedly. */
export class ReaderEnded extends Error {
  override readonly name = "ReaderEnded";
  /** The memory limit in bytes. Undefined if the process stopped for another reason than exceeding the limit. */
  readonly memoryBytes: number | undefined;

  constructor(memoryBytes: number | undefined, lastWords: string) {
    super(
      memoryBytes === undefined
        ? "the process that reads it ended unexpectedly"
        : `reading it needs more than ${mebibytes(memoryBytes)} MiB of memory`,
      { cause: lastWords },
    );
    this.memoryBytes = memoryBytes;
  }
}

const mebibytes = (sizeBytes: number): number => Math.floor(sizeBytes / 2 ** 20);

export interface ReaderOptions {
  /** The module that calls `serveReader`, without its file name extension. */
  readonly module: URL;
  /** Maximum resident memory of the process in bytes. A process that exceeds it is stopped. */
  readonly memoryBytes: number;
  /**
   * Milliseconds within which an aborted call must stop. If it does not, its process is killed.
   * @default 250
   */
  readonly stopMs?: number;
}

export interface CallOptions<Need, Supply> {
  /**
   * Stops the call when aborted. If the call does not stop, its process is killed as soon as it serves no other calls.
   */
  readonly signal: AbortSignal;
  /** Fetches data for the reader, which cannot fetch it itself. */
  readonly supply?: (need: Need, signal: AbortSignal) => Promise<Supply>;
}

/** A process that parses untrusted bytes, so that they cannot harm the host. */
export interface Reader<Request, Item, Need = never, Supply = never> {
  readonly pid: number;
  /**
   * Whether the process accepts new calls. If an aborted call does not stop, the process accepts no new calls, and is
   * killed when its other calls have finished.
   */
  readonly isAlive: boolean;
  /**
   * Runs one call in the process and returns its items as they arrive. If the caller leaves the loop early, the call is
   * stopped.
   * @throws {PluginError} an error of the reader, or the reason of an abort
   * @throws {ReaderFailure} an error of a library
   * @throws {ReaderEnded} if the process stopped
   */
  call(request: Request, options: CallOptions<Need, Supply>): AsyncIterable<Item>;
  /** Makes the memory of an item's arrays available to later items. The item must not be used afterwards. */
  release(item: Item): void;
  /** Sets whether the reader process keeps the host's process alive. An idle reader should not. */
  hold(isBusy: boolean): void;
  /** Kills the process. The promise resolves when the process has exited. */
  kill(): Promise<void>;
}

/**
 * Flags that turn off an optimization of V8 that computes wrong results
 * ([why](../../../docs/decisions/variables-of-closures.md)). Older versions do not know the flag, and would not start.
 */
const safeFlags =
  Number.parseInt(process.versions.node) >= 26 ? ["--no-function-context-cells"] : [];
const usualStopMs = 250;
/** Number of characters of the process's last output that are kept to explain why it stopped. */
const lastWordsLength = 2000;

interface OpenCall<Need> {
  readonly messages: FromReader<Need>[];
  wake(): void;
}

/**
 * Starts a reader process. Of the host's environment variables, the process gets only the folder for temporary files.
 * If the machine runs out of memory, the operating system kills this process before it kills the host.
 */
export function openReader<Request, Item, Need = never, Supply = never>({
  module,
  memoryBytes,
  stopMs = usualStopMs,
}: ReaderOptions): Reader<Request, Item, Need, Supply> {
  const ending = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
  const bulkFile = openBulkFile();
  const memory = new ReusedMemory();
  const memoryOf = new WeakMap<object, SharedArrayBuffer>();
  const child = fork(new URL(`${module.href}${ending}`), [], {
    serialization: "advanced",
    execArgv: [
      ...process.execArgv.filter((flag) => flag.startsWith("--conditions=")),
      `--max-old-space-size=${mebibytes(memoryBytes)}`,
      "--disable-warning=ExperimentalWarning",
      ...safeFlags,
    ],
    env: {
      [memoryVariable]: String(memoryBytes),
      ...(process.env["TMPDIR"] && { TMPDIR: process.env["TMPDIR"] }),
    },
    stdio: ["ignore", "ignore", "pipe", "ipc", bulkFile?.fd ?? "ignore"],
  });
  const calls = new Map<number, OpenCall<Need>>();
  let nextId = 0;
  let isAlive = true;
  let ended: ReaderEnded | undefined;
  let lastWords = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    lastWords = (lastWords + text).slice(-lastWordsLength);
  });
  const gone = new Promise<void>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      // V8 aborts the process when its heap is full.
      const isMemory = signal === memorySignal || signal === "SIGABRT" || code === 134;
      ended = new ReaderEnded(isMemory ? memoryBytes : undefined, lastWords);
      isAlive = false;
      for (const call of calls.values()) call.wake();
      void bulkFile?.close();
      resolve();
    };
    child.once("exit", end);
    // A process that failed to start emits no exit event.
    child.once("error", () => end(null, null));
  });
  child.on("message", (message: FromReader<Need>) => {
    const call = calls.get(message.id);
    call?.messages.push(message);
    call?.wake();
  });
  const tell = (message: ToReader<Request, Supply>): void => {
    // Sending fails only if the process has exited. The next attempt to receive reports that.
    if (child.connected) child.send(message, () => {});
  };
  const kill = (): Promise<void> => {
    isAlive = false;
    // The reference keeps the host running until the process has exited, even if the host has nothing else to do.
    child.ref();
    child.kill("SIGKILL");
    return gone;
  };
  const answerNeed = async (
    { id, needId, need }: FromReader<Need> & { readonly kind: "need" },
    { supply, signal }: CallOptions<Need, Supply>,
  ): Promise<void> => {
    try {
      if (!supply)
        throw new PluginError("PLUGIN_BUG", [
          "a reader requested data, but the caller supplies none",
        ]);
      tell({ kind: "supply", id, needId, supply: await supply(need, signal) });
    } catch (thrown) {
      const failure: SentFailure = sentFailure(thrown);
      tell({ kind: "supply", id, needId, failure });
    }
  };
  const unpack = async ({ head, at, sizeBytes }: BulkItem): Promise<Item> => {
    if (!(sizeBytes >= 0 && sizeBytes <= memoryBytes))
      throw new Error("the reader sent an item of an impossible size");
    const bytes = memory.take(sizeBytes);
    await bulkFile?.read(bytes, at, sizeBytes);
    const item = unpackItem<Item>(head, bytes);
    if (sizeBytes > 0 && typeof item === "object" && item !== null) memoryOf.set(item, bytes);
    return item;
  };
  return {
    pid: child.pid ?? -1,
    get isAlive() {
      return isAlive;
    },
    async *call(request, options) {
      const { signal } = options;
      signal.throwIfAborted();
      const id = nextId++;
      const call: OpenCall<Need> = { messages: [], wake: () => {} };
      calls.set(id, call);
      /** Returns the next message. Resolves with undefined if the process exited or `until` was aborted. */
      const receive = async (until: AbortSignal): Promise<FromReader<Need> | undefined> => {
        for (;;) {
          if (until.aborted) return undefined;
          const message = call.messages.shift();
          if (message) return message;
          if (ended) return undefined;
          const { promise, resolve } = Promise.withResolvers<void>();
          const wake = () => resolve();
          call.wake = wake;
          until.addEventListener("abort", wake, { once: true });
          await promise;
          until.removeEventListener("abort", wake);
        }
      };
      let isOpen = true;
      try {
        tell({ kind: "call", id, request });
        for (;;) {
          const message = await receive(signal);
          signal.throwIfAborted();
          if (!message) throw ended;
          if (message.kind === "need") {
            void answerNeed(message, options);
            continue;
          }
          if (message.kind === "item") {
            yield await unpack(message);
            tell({ kind: "more", id });
            continue;
          }
          isOpen = false;
          if (message.kind === "failed") throw receivedFailure(message.failure);
          return;
        }
      } finally {
        if (isOpen && !ended) {
          tell({ kind: "stop", id });
          const late = AbortSignal.timeout(stopMs);
          for (let last = await receive(late); last; last = await receive(late))
            if (last.kind === "end" || last.kind === "failed") {
              isOpen = false;
              break;
            }
          if (isOpen) isAlive = false;
        }
        calls.delete(id);
        if (!isAlive && calls.size === 0) await kill();
      }
    },
    release(item) {
      if (typeof item !== "object" || item === null) return;
      const bytes = memoryOf.get(item);
      memoryOf.delete(item);
      if (bytes) memory.give(bytes);
    },
    hold(isBusy) {
      const change = isBusy ? "ref" : "unref";
      child[change]();
      child.channel?.[change]();
      // The pipe of a process is a socket, although Node's types do not say so.
      if (child.stderr && "unref" in child.stderr)
        Reflect.get(child.stderr, change).call(child.stderr);
    },
    kill,
  };
}
