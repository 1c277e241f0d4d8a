import type { Tokens } from "./createTokens.ts";
import { HostError } from "./hostError.ts";

type Json = Readonly<Record<string, unknown>>;

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Asks a resource of the API. The members are `action`, `find`, `properties` and so on. */
export interface Ask {
  (resource: string, members: Json, options?: AskOptions): Promise<Json>;
  /** As the question, for answers that are files. */
  file(resource: string, members: Json, options?: AskOptions): Promise<Blob>;
}

export interface AskingOptions {
  readonly hostUrl: string;
  readonly tokens: Tokens;
  /** Milliseconds of passing failures after which a question fails. */
  readonly patienceMs?: number;
  /** Waits, or less long when the browser is online again; the clock of tests. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly now?: () => number;
}

/** Statuses of hosts that start, stop or are busy. */
const passing = [429, 502, 503, 504];
const firstWaitMs = 300;
const longestWaitMs = 5_000;

/**
 * Makes the questions of a page to a host. A token that ended is replaced once a question; a host that cannot be
 * reached, starts or is busy is asked again, for a minute. Rejects with `HostError`, and with the reason of the signal.
 */
export function createAsk({
  hostUrl,
  tokens,
  patienceMs = 60_000,
  wait = waitOnline,
  now = Date.now,
}: AskingOptions): Ask {
  async function send(resource: string, members: Json, { signal }: AskOptions): Promise<Response> {
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
        const asked = Number(response.headers.get("Retry-After"));
        if (asked > 0) waitMs = Math.max(waitMs, asked * 1_000);
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
  const ask = async (resource: string, members: Json, options: AskOptions = {}): Promise<Json> => {
    const response = await send(resource, members, options);
    const answer: Json = await response.json();
    return answer;
  };
  return Object.assign(ask, {
    file: async (resource: string, members: Json, options: AskOptions = {}) =>
      (await send(resource, members, options)).blob(),
  });
}

async function readFailure(response: Response): Promise<HostError> {
  let message = `the host answered ${response.status}`;
  let requestId: string | undefined;
  try {
    const body: { readonly message?: unknown; readonly request_id?: unknown } =
      await response.json();
    if (typeof body.message === "string") message = body.message;
    if (typeof body.request_id === "string") requestId = body.request_id;
  } catch {
    // Something before the host answered, not in JSON: its status says enough.
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
