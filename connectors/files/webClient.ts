import { PluginError } from "../../plugins/protocol/index.ts";
import {
  RetriableError,
  retry,
  retryAfterMs,
  type Requester,
  type Sleep,
  type WebAnswer,
} from "../../plugins/rows/index.ts";

/** A file server, and how an account authenticates to it. */
export interface WebPlace {
  /** Returns the headers that authenticate a GET request. They are sent only to the origin of `url`. */
  secretsFor(url: URL): Promise<Readonly<Record<string, string>>>;
}

export interface WebGet {
  readonly place: WebPlace;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Requests files and listings. Repeats a request if the server is busy or the connection is lost. */
export interface WebClient {
  /**
   * Passes responses with status 200, 206 or 416 to `use`, which reads or closes the body.
   * @throws {PluginError} PLUGIN_FORBIDDEN for 401 and 403, PLUGIN_INVALID for 404, 410, and a bucket in another
   * region, PLUGIN_BUSY if the server requires a wait of more than 30 s, PLUGIN_SOURCE_FAILED for other statuses.
   * Messages contain neither the URL's query nor a header.
   */
  get<Result>(get: WebGet, use: (answer: WebAnswer) => Promise<Result>): Promise<Result>;
}

export interface WebClientOptions {
  readonly requester: Requester;
  /** Returns milliseconds since 1970. Tests replace this clock. */
  readonly now?: () => number;
  readonly sleep?: Sleep;
  /** Maximum time in milliseconds without data from the server. */
  readonly idleMs?: number;
}

const retries = 3;
const wait = { mostS: 30, name: "a retry" };
const failureBytes = 2 ** 16;

export function createWebClient({
  requester,
  now = Date.now,
  sleep,
  idleMs = 30_000,
}: WebClientOptions): WebClient {
  return {
    get({ place, url, headers, signal }, use) {
      const once = async () => {
        const answer = await requester.request({
          method: "GET",
          url,
          headers: { accept: "*/*", ...headers },
          secretHeaders: await place.secretsFor(url),
          signal,
          idleMs,
        });
        if (![200, 206, 416].includes(answer.status))
          throw await failureOf(answer, url.host, now());
        return use(answer);
      };
      return retry(once, { host: url.host, retries, wait, signal, ...(sleep && { sleep }) });
    },
  };
}

/** Reads at most the given number of bytes of a body, and then closes the body. */
export async function bytesUpTo(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of body) {
    parts.push(part);
    sizeBytes += part.length;
    if (sizeBytes >= mostBytes) break;
  }
  return Buffer.concat(parts).subarray(0, mostBytes);
}

/** Returns the error for a file that has changed since its size or its first parts were read. */
export function changed(): PluginError {
  return new PluginError("PLUGIN_SOURCE_FAILED", ["the file changed while it was read; try again"]);
}

async function failureOf(
  { status, headers, body }: WebAnswer,
  host: string,
  nowMs: number,
): Promise<PluginError> {
  const code = codeOf(await bytesUpTo(body, failureBytes));
  const answered = `${host} returned status ${status}${code === undefined ? "" : ` (${code})`}`;
  const region = headers["x-amz-bucket-region"];
  if ((status === 301 || status === 400) && typeof region === "string" && /^[\w-]+$/.test(region))
    return new PluginError("PLUGIN_INVALID", [
      `the bucket is in the region ${region.slice(0, 40)}; set the property region to this name`,
    ]);
  switch (status) {
    case 401:
    case 403:
      return new PluginError("PLUGIN_FORBIDDEN", [answered]);
    case 404:
    case 410:
      return new PluginError("PLUGIN_INVALID", [
        `host names a file or folder that does not exist: ${answered}`,
      ]);
    case 412:
      return changed();
    case 429:
    case 503:
      return new RetriableError("PLUGIN_BUSY", answered, {
        waitMs: retryAfterMs(headers["retry-after"], nowMs),
      });
    case 500:
    case 502:
    case 504:
      return new RetriableError("PLUGIN_SOURCE_FAILED", answered);
    default:
      return new PluginError("PLUGIN_SOURCE_FAILED", [answered]);
  }
}

/**
 * Returns the code of an S3 error, such as `NoSuchBucket`. The message is not shown, because it may contain names and
 * addresses.
 */
function codeOf(body: Uint8Array): string | undefined {
  return /<Code>([A-Za-z]{1,60})<\/Code>/.exec(Buffer.from(body).toString("latin1"))?.[1];
}
