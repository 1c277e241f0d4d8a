import type { Remedy } from "./remedy.ts";

/** What a response or a failed connection says about a failed call. */
export interface FailedCall {
  readonly status: number;
  readonly code: string;
  /** @default undefined */
  readonly requestId?: string | undefined;
  /** @default undefined */
  readonly validation?: Readonly<Record<string, readonly string[]>> | undefined;
  /** @default 0 */
  readonly retryAfterS?: number;
  /** @default undefined */
  readonly receivedBytes?: number | undefined;
  /** @default undefined */
  readonly remedies?: readonly Remedy[] | undefined;
  /** @default undefined */
  readonly cause?: unknown;
}

/** A failed call of the API, with its HTTP status in `status` and its stable name in `code`. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  /** HTTP status of the response; 0 if there is none, or if the response broke off. */
  readonly status: number;
  /**
   * Stable name of the error. The host's names are listed in the documentation, such as `MEMBER_INVALID`. If the
   * response contains no name, the status as a string. The client's own names are `UNREACHABLE`, `TIMED_OUT`,
   * `ABORTED`, and `NOT_JSON` for a response that should be JSON.
   */
  readonly code: string;
  /** Id under which the host logged the call; undefined if the response contains none. */
  readonly requestId: string | undefined;
  /** Messages by the path of the invalid member; undefined if no member is invalid. */
  readonly validation: Readonly<Record<string, readonly string[]>> | undefined;
  /** Seconds after which the call may be repeated; 0 if the response names no time. */
  readonly retryAfterS: number;
  /** Of an upload that was cut: the number of bytes that the host has; otherwise undefined. */
  readonly receivedBytes: number | undefined;
  /** Of a file that cannot be read: the settings that can correct this; otherwise empty. */
  readonly remedies: readonly Remedy[];

  constructor(message: string, failed: FailedCall) {
    super(message, failed.cause === undefined ? undefined : { cause: failed.cause });
    this.status = failed.status;
    this.code = failed.code;
    this.requestId = failed.requestId;
    this.validation = failed.validation;
    this.retryAfterS = failed.retryAfterS ?? 0;
    this.receivedBytes = failed.receivedBytes;
    this.remedies = failed.remedies ?? [];
  }

  /** Converts an error of `fetch`, or the reason of the signal `ending`, to a `ClientError`. */
  static of(failure: unknown, url: string, ending: AbortSignal | undefined): ClientError {
    if (failure instanceof ClientError) return failure;
    const own = { status: 0, cause: failure };
    if (ending?.aborted)
      return isTimeout(ending.reason)
        ? new ClientError(`the call to ${url} took too long`, { ...own, code: "TIMED_OUT" })
        : new ClientError(`the call to ${url} was aborted`, { ...own, code: "ABORTED" });
    return new ClientError(`the host at ${url} does not respond: ${reasonOf(failure)}`, {
      ...own,
      code: "UNREACHABLE",
    });
  }
}

const isTimeout = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === "TimeoutError";

/** `fetch` of Node.js says only "fetch failed" and keeps the reason in `cause`. */
function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  const { cause } = failure;
  if (!(cause instanceof Error)) return failure.message;
  return cause.message || String("code" in cause ? cause.code : cause.name);
}
