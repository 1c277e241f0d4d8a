import type { Tokens } from "./createTokens.ts";
import { HostError } from "./hostError.ts";

type Json = Readonly<Record<string, unknown>>;

/** How one call to the host can be cancelled. */
export interface CallOptions {
  /**
   * Cancels the call when it aborts.
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls a resource of the API. `members` are those of the request, such as `action`, `find` and `properties`. Rejects
 * with `HostError`, or with the reason of the signal.
 */
export interface CallHost {
  (resource: string, members: Json, options?: CallOptions): Promise<Json>;
  /** Makes a call whose response is a file. */
  file(resource: string, members: Json, options?: CallOptions): Promise<Blob>;
}

/** The host and the tokens of a page, and how long failed calls are retried. */
export interface CallHostOptions {
  /** Address of the host, without a slash at the end. */
  readonly hostUrl: string;
  readonly tokens: Tokens;
  /**
   * Maximum time in milliseconds for which transient failures are retried. After this time, the call fails.
   * @default 60000
   */
  readonly patienceMs?: number;
  /** Waits before the next attempt, or until the browser is back online if that is earlier. Tests replace it. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Returns milliseconds since 1970. Tests replace it. */
  readonly now?: () => number;
}

/** HTTP statuses of hosts that are starting, stopping or busy. */
const passing = [429, 502, 503, 504];
const firstWaitMs = 300;
const longestWaitMs = 5_000;

/**
 * Creates the function with which a page calls a host. A call renews an expired token once. If the host cannot be
 * reached, is starting or is busy, the call is repeated for up to a minute. Rejects with `HostError`, or with the
 * reason of the signal.
 */
export function createCallHost({
  hostUrl,
  tokens,
  patienceMs = 60_000,
  wait = waitOnline,
  now = Date.now,
}: CallHostOptions): CallHost {
  async function send(resource: string, members: Json, { signal }: CallOptions): Promise<Response> {
    const began = now();
    let hasRenewed = false;
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted();
      let failure: HostError;
      let waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** attempt);
      try {
        const pair = await tokens.current();
        const response = await fetch(`${hostUrl}/0.1.0/${resource}`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ ...members, ...pair, version: "0.1.0" }),
          credentials: "omit",
          ...(signal && { signal }),
        });
        if (response.ok) return response;
        failure = await readFailure(response);
        if (response.status === 401 && !hasRenewed) {
          hasRenewed = true;
          if (await tokens.renew(pair)) continue;
        }
        if (!passing.includes(response.status)) throw failure;
        const retryAfterS = Number(response.headers.get("Retry-After"));
        if (retryAfterS > 0) waitMs = Math.max(waitMs, retryAfterS * 1_000);
      } catch (cause) {
        if (cause instanceof HostError) throw cause;
        signal?.throwIfAborted();
        const why = cause instanceof Error ? cause.message : String(cause);
        failure = new HostError(`the host cannot be reached (${why})`, 0, { cause });
      }
      if (now() - began + waitMs > patienceMs) throw failure;
      await wait(waitMs, signal);
    }
  }
  const callHost = async (
    resource: string,
    members: Json,
    options: CallOptions = {},
  ): Promise<Json> => {
    const response = await send(resource, members, options);
    const answer: Json = await response.json();
    return answer;
  };
  return Object.assign(callHost, {
    file: async (resource: string, members: Json, options: CallOptions = {}) =>
      (await send(resource, members, options)).blob(),
  });
}

async function readFailure(response: Response): Promise<HostError> {
  let message = `the host responded with status ${response.status}`;
  let requestId: string | undefined;
  try {
    const body: { readonly message?: unknown; readonly request_id?: unknown } =
      await response.json();
    if (typeof body.message === "string") message = body.message;
    if (typeof body.request_id === "string") requestId = body.request_id;
  } catch {
    // The response is not JSON, so it came from a proxy. The error contains only its status.
  }
  return new HostError(message, response.status, { requestId });
}

function waitOnline(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
    signal?.addEventListener("abort", end);
  });
}
