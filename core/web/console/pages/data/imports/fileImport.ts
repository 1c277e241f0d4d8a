import { ApiFailure, messageOf, type Api } from "../../../api/index.ts";
import { withText } from "../../../language/index.ts";
import { importedPropertiesOf, type ImportDraft } from "./importDraft.ts";
import { words } from "./words.ts";

/** What an import is doing, or how it ended. */
export type ImportState =
  | { readonly kind: "sending"; readonly sentBytes: number }
  /** The connection was lost. The import continues by itself. */
  | { readonly kind: "waiting"; readonly sentBytes: number }
  /** All bytes are sent. `rowCount` rows, and the part `share` of the file, have been read if the host says so. */
  | {
      readonly kind: "reading";
      readonly rowCount: number | undefined;
      readonly share: number | undefined;
    }
  /** The reader stopped the import. If the host has received the whole file by then, its dataset is deleted. */
  | { readonly kind: "stopping" }
  | {
      readonly kind: "done";
      readonly datasetId: string;
      readonly rowCount: number | undefined;
      readonly warnings: readonly string[];
    }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly failure: unknown };

/** How far the host has read a file. */
interface Progress {
  readonly state: string;
  readonly rows: number;
  readonly share: number | null;
}

interface Answer {
  readonly rows: readonly {
    readonly id: string;
    readonly rows?: number | null;
    readonly columns?: readonly {
      readonly id: string;
      readonly source_name: string | null;
      readonly name: unknown;
    }[];
  }[];
  readonly warnings?: readonly string[];
}

const followMs = 1_000;
const leastWaitMs = 500;
const mostWaitMs = 10_000;
/** Attempts without a new byte after which the import gives up. Together they last about two minutes. */
const mostAttempts = 15;

/**
 * Imports a file through the host. If the connection is lost, it continues from the last byte that the host received.
 * An import that fails or is stopped leaves no rows and no dataset.
 */
export class FileImport {
  readonly draft: ImportDraft;
  private readonly api: Api;
  private readonly sending = new AbortController();
  private readonly listeners = new Set<() => void>();
  private readonly requestId = createRequestId();
  private current: ImportState = { kind: "sending", sentBytes: 0 };
  /** Whether the host may have received the last byte. It then stores the rows, whether or not anybody waits. */
  private isWhole = false;
  private isUnwanted = false;
  private isFollowed = false;

  constructor(api: Api, draft: ImportDraft) {
    this.api = api;
    this.draft = draft;
  }

  get state(): ImportState {
    return this.current;
  }

  get isRunning(): boolean {
    return ["sending", "waiting", "reading", "stopping"].includes(this.current.kind);
  }

  /**
   * Whether the import can be stopped. Once the last byte of rows for an existing dataset is sent, the host stores
   * them, and the former rows could not be restored.
   */
  get canStop(): boolean {
    const { kind } = this.current;
    if (kind !== "sending" && kind !== "waiting" && kind !== "reading") return false;
    return !this.isWhole || this.draft.mode === "create";
  }

  /** Calls `changed` after each change of the state. Returns a function that removes the listener. */
  onChange(changed: () => void): () => void {
    this.listeners.add(changed);
    return () => this.listeners.delete(changed);
  }

  /**
   * Stops the import. The state changes to `stopped` once the host confirms that nothing of it is left, and to `done`
   * if rows for an existing dataset were stored before the host could be told.
   */
  stop(): void {
    if (!this.canStop) return;
    this.isUnwanted = true;
    if (!this.isWhole) this.sending.abort();
    this.set({ kind: "stopping" });
  }

  /** Sends the file. Resolves when the import is done, has failed or was stopped; never rejects. */
  async run(): Promise<void> {
    window.addEventListener("beforeunload", warn);
    let isStored = false;
    try {
      const answer = await this.send();
      isStored = true;
      const [dataset] = answer.rows;
      if (this.isUnwanted && this.draft.mode === "create") {
        for (const { id } of answer.rows) await this.api.remove("securable", id);
        this.set({ kind: "stopped" });
        return;
      }
      const isNew = (warning: string) => !this.draft.shownNotes.includes(warning);
      const warnings = [...(answer.warnings ?? []).filter(isNew), ...(await this.rename(answer))];
      const rowCount = dataset?.rows ?? undefined;
      this.set({ kind: "done", datasetId: dataset?.id ?? "", rowCount, warnings });
    } catch (failure) {
      // A dataset that was stored and could not be deleted again is a failure that the reader must know.
      const isStopped = !isStored && this.isUnwanted && !isAway(failure);
      this.set(isStopped ? { kind: "stopped" } : { kind: "failed", failure });
    } finally {
      window.removeEventListener("beforeunload", warn);
    }
  }

  private set(state: ImportState): void {
    const isEnd = state.kind === "done" || state.kind === "stopped" || state.kind === "failed";
    this.current = this.isUnwanted && !isEnd ? { kind: "stopping" } : state;
    for (const listener of this.listeners) listener();
  }

  private async send(): Promise<Answer> {
    let offset = 0;
    let isAsking = false;
    for (let attempts = 0; ;)
      try {
        return await (isAsking ? this.ask() : this.sendFrom(offset));
      } catch (failure) {
        const received = failure instanceof ApiFailure ? failure.receivedBytes : undefined;
        const isCut = isAway(failure) || failure === this.sending.signal.reason;
        if (received === undefined ? !isCut : this.isUnwanted) throw failure;
        attempts = received !== undefined && received > offset ? 0 : attempts + 1;
        if (attempts > mostAttempts) throw failure;
        offset = received ?? offset;
        this.isWhole &&= received === undefined;
        isAsking = received === undefined;
        if (isAsking) {
          if (!this.isUnwanted) await refuseChanged(this.draft.file);
          this.set({ kind: "waiting", sentBytes: offset });
          await pause(attempts, this.sending.signal);
        }
      }
  }

  /** Sends the file from a byte on. */
  private sendFrom(offset: number): Promise<Answer> {
    const { file } = this.draft;
    this.set({ kind: "sending", sentBytes: offset });
    return this.api.upload<Answer>("data", "create", this.membersFrom(offset), {
      file: file.slice(offset),
      fileName: file.name,
      signal: this.sending.signal,
      onSent: (sentBytes) => {
        if (this.isWhole) return;
        this.isWhole = offset + sentBytes >= file.size;
        if (this.isWhole) void this.follow();
        this.set(
          this.isWhole
            ? { kind: "reading", rowCount: undefined, share: undefined }
            : { kind: "sending", sentBytes: offset + sentBytes },
        );
      },
    });
  }

  /** Asks the host every second how many rows it has read, until the import ends. */
  private async follow(): Promise<void> {
    if (this.isFollowed) return;
    this.isFollowed = true;
    while (this.isRunning) {
      await new Promise((resolve) => {
        setTimeout(resolve, followMs);
      });
      if (this.current.kind !== "reading") continue;
      const call = { request_id: this.requestId };
      const progress = await this.api
        .call<Progress>("data", "validate", call)
        // The call that stores the file reports what is wrong.
        .catch(() => undefined);
      if (this.current.kind === "reading" && progress?.state === "reading")
        this.set({ kind: "reading", rowCount: progress.rows, share: progress.share ?? undefined });
    }
  }

  /**
   * Returns the answer of an import that the host completed. If the host has only a part of the file, it stops
   * receiving and the call fails with the number of bytes.
   */
  private ask(): Promise<Answer> {
    return this.api.call<Answer>("data", "create", this.membersFrom(undefined));
  }

  /** Gives the columns of a new dataset the names that the reader chose. Returns why it failed. */
  private async rename({ rows }: Answer): Promise<readonly string[]> {
    const { columns, mode } = this.draft;
    if (mode !== "create") return [];
    try {
      for (const { id, source_name: sourceName, name } of rows[0]?.columns ?? []) {
        const chosen = columns.get(sourceName ?? "")?.name?.trim();
        if (chosen && chosen !== sourceName)
          await this.api.update("column", id, { name: withText(name, chosen) });
      }
      return [];
    } catch (failure) {
      return [words.notRenamed(messageOf(failure))];
    }
  }

  private membersFrom(offset: number | undefined): {
    readonly request_id: string;
    readonly properties: Readonly<Record<string, unknown>>;
  } {
    const properties = {
      ...importedPropertiesOf(this.draft),
      ...(offset !== undefined && { offset }),
    };
    return { request_id: this.requestId, properties };
  }
}

/** Returns whether the host may be reachable again soon. The 502 and 504 of a proxy have no code of their own. */
function isAway(failure: unknown): boolean {
  if (!(failure instanceof ApiFailure)) return false;
  const { code, status } = failure;
  return code === "UNREACHABLE" || status === 503 || code === "502" || code === "504";
}

/**
 * Checks that the browser can still read a file. It reports a file that changed on disk like a lost connection.
 * @throws {Error} if the file cannot be read
 */
async function refuseChanged(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (cause) {
    throw new Error(words.changedFile, { cause });
  }
}

/** Waits before the next attempt: longer after each one, but not after the browser is online again. */
function pause(attempts: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(mostWaitMs, leastWaitMs * 2 ** (attempts - 1)));
    window.addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}

/** Returns a random id. `crypto.randomUUID` exists only on pages with HTTPS. */
function createRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((each) => each.toString(16).padStart(2, "0")).join("");
}

/** Makes the browser ask for confirmation before the reader leaves. */
function warn(event: Event): void {
  event.preventDefault();
}
