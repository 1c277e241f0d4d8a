import { fork } from "node:child_process";
import { PluginError } from "../../protocol/index.ts";
import {
  memorySignal,
  memoryVariable,
  sentFailure,
  type FromReader,
  type SentFailure,
  type ToReader,
} from "../serving/index.ts";
import { receivedFailure } from "./receivedFailure.ts";

/** The error of a reader process that stopped unexpectedly. */
export class ReaderEnded extends Error {
  override readonly name = "ReaderEnded";
  /** The memory limit in resident bytes, if exceeding it stopped the process. */
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
  /** The module that calls `serveReader`, without its ending. */
  readonly module: URL;
  /** Resident bytes of the process; beyond them it ends. */
  readonly memoryBytes: number;
  /** Milliseconds that a call may take to stop before its process is killed; by default 250. */
  readonly stopMs?: number;
}

export interface CallOptions<Need, Supply> {
  /** Aborting stops the call. A process with a call that does not stop is killed once it has no other calls. */
  readonly signal: AbortSignal;
  /** Fetches data that the reader cannot fetch itself. */
  readonly supply?: (need: Need, signal: AbortSignal) => Promise<Supply>;
}

/** A process that reads foreign bytes, so that none of them can harm the host. */
export interface Reader<Request, Item, Need = never, Supply = never> {
  readonly pid: number;
  /** Whether it takes new calls. A process with a call that does not stop takes none, and is killed after the others. */
  readonly isAlive: boolean;
  /**
   * Runs one call in the process and returns its items as they come. Leaving the loop early stops the call.
   * @throws {PluginError} what the reader throws, and the reason of an abort
   * @throws {ReaderFailure} for an error of a library
   * @throws {ReaderEnded} when the process ended
   */
  call(request: Request, options: CallOptions<Need, Supply>): AsyncIterable<Item>;
  /** An idle reader does not keep the host's process running. */
  hold(isBusy: boolean): void;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

const usualStopMs = 250;
/** Characters of the process's last words that are kept for the cause of its end. */
const lastWordsLength = 2000;

interface OpenCall<Item, Need> {
  readonly messages: FromReader<Item, Need>[];
  wake(): void;
}

/**
 * Starts a reader process. It gets none of the host's environment but the folder for temporary files, and the kernel
 * ends it before the host when the machine runs out of memory.
 */
export function openReader<Request, Item, Need = never, Supply = never>({
  module,
  memoryBytes,
  stopMs = usualStopMs,
}: ReaderOptions): Reader<Request, Item, Need, Supply> {
  const ending = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
  const child = fork(new URL(`${module.href}${ending}`), [], {
    serialization: "advanced",
    execArgv: [
      ...process.execArgv.filter((flag) => flag.startsWith("--conditions=")),
      `--max-old-space-size=${mebibytes(memoryBytes)}`,
      "--disable-warning=ExperimentalWarning",
    ],
    env: {
      [memoryVariable]: String(memoryBytes),
      ...(process.env["TMPDIR"] && { TMPDIR: process.env["TMPDIR"] }),
    },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const calls = new Map<number, OpenCall<Item, Need>>();
  let nextId = 0;
  let isAlive = true;
  let ended: ReaderEnded | undefined;
  let lastWords = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    lastWords = (lastWords + text).slice(-lastWordsLength);
  });
  const gone = new Promise<void>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      // V8 aborts when its heap is full.
      const isMemory = signal === memorySignal || signal === "SIGABRT" || code === 134;
      ended = new ReaderEnded(isMemory ? memoryBytes : undefined, lastWords);
      isAlive = false;
      for (const call of calls.values()) call.wake();
      resolve();
    };
    child.once("exit", end);
    // A process that failed to start emits no exit event.
    child.once("error", () => end(null, null));
  });
  child.on("message", (message: FromReader<Item, Need>) => {
    const call = calls.get(message.id);
    call?.messages.push(message);
    call?.wake();
  });
  const tell = (message: ToReader<Request, Supply>): void => {
    // A failure to send means that the process ended, which the next receive reports.
    if (child.connected) child.send(message, () => {});
  };
  const kill = (): Promise<void> => {
    isAlive = false;
    // Its end is waited for, even in a process that does nothing else.
    child.ref();
    child.kill("SIGKILL");
    return gone;
  };
  const answerNeed = async (
    { id, needId, need }: FromReader<Item, Need> & { readonly kind: "need" },
    { supply, signal }: CallOptions<Need, Supply>,
  ): Promise<void> => {
    try {
      if (!supply)
        throw new PluginError("PLUGIN_BUG", [
          "a reader asked for data, and the caller has no supply",
        ]);
      tell({ kind: "supply", id, needId, supply: await supply(need, signal) });
    } catch (thrown) {
      const failure: SentFailure = sentFailure(thrown);
      tell({ kind: "supply", id, needId, failure });
    }
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
      const call: OpenCall<Item, Need> = { messages: [], wake: () => {} };
      calls.set(id, call);
      /** Resolves with undefined when the process ended, or `until` was aborted. */
      const receive = async (until: AbortSignal): Promise<FromReader<Item, Need> | undefined> => {
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
            yield message.item;
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
    hold(isBusy) {
      const change = isBusy ? "ref" : "unref";
      child[change]();
      child.channel?.[change]();
      // A pipe of a process is a socket, which the types of Node do not say.
      if (child.stderr && "unref" in child.stderr)
        Reflect.get(child.stderr, change).call(child.stderr);
    },
    kill,
  };
}
