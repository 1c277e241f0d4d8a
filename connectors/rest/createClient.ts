import { PluginError, type Credentials } from "../../plugins/protocol/index.ts";
import {
  RetriableError,
  retry,
  type Requester,
  type Sleep,
  type WebAnswer,
} from "../../plugins/rows/index.ts";
import { credentialsKey } from "../../plugins/sql/index.ts";
import { createGate } from "./createGate.ts";
import type { Api } from "./description.ts";

/**
 * Sends requests to an API. The client authenticates the requests, observes the API's rate limits, and repeats requests
 * if the API is busy.
 */
export interface ApiClient {
  /**
   * Sends a request as soon as the API accepts one. `untilMs` is the call's deadline in milliseconds since 1970.
   * @throws {PluginError} PLUGIN_FORBIDDEN for 401 and 403, PLUGIN_BUSY if the API requires a longer wait than allowed,
   * PLUGIN_SOURCE_FAILED for other failures after all retries. Messages contain neither the URL's query nor a header.
   */
  get(api: Api, credentials: Credentials, url: URL, call: Timing): Promise<ApiAnswer>;
  release(credentials: Credentials): void;
}

export interface ApiAnswer {
  readonly body: Uint8Array;
  readonly headers: WebAnswer["headers"];
}

export interface ApiClientOptions {
  readonly requester: Requester;
  /** Returns milliseconds since 1970. Tests replace this clock. */
  readonly now?: () => number;
  readonly sleep?: Sleep;
  readonly deadline?: (ms: number) => AbortSignal;
}

interface Timing {
  readonly signal: AbortSignal;
  readonly untilMs?: number | undefined;
  /**
   * Whether a request is repeated only if the server states how long to wait.
   * @default false
   */
  readonly isOnlyLimited?: boolean;
}

interface Insisting extends Timing {
  readonly url: URL;
  readonly credentials: Credentials;
}

/** Returns the key under which requests are counted for rate limits. It consists of the credentials and the origin. */
const keyOf = (url: URL, credentials: Credentials): string =>
  `${credentialsKey(credentials)} ${url.origin}`;

interface Token {
  readonly text: string;
  readonly untilMs: number;
}

/** A token is no longer used if it expires within this number of milliseconds. */
const tokenMarginMs = 30_000;
const tokenBytes = 2 ** 16;
const busy = new Set([429, 502, 503, 504]);

export function createClient({
  requester,
  now = Date.now,
  sleep,
  deadline = (ms) => AbortSignal.timeout(ms),
}: ApiClientOptions): ApiClient {
  const tokens = new Map<string, Promise<Token>>();
  const gate = createGate({ now, sleep });

  /** Repeats a request while the server is busy, up to the limits in the API's description. */
  const insist = (
    { limits: { timeoutS, retries, waitS } }: Api,
    { url, credentials, signal, untilMs, isOnlyLimited }: Insisting,
    send: (signal: AbortSignal) => Promise<WebAnswer>,
    mostBytes: number,
  ): Promise<ApiAnswer & { readonly status: number }> => {
    const { host } = url;
    const key = keyOf(url, credentials);
    const patience = { host, waitS, untilMs, signal };
    const once = async () => {
      let late: AbortSignal | undefined;
      try {
        const answer = await gate.pass(key, patience, () => {
          late = deadline(timeoutS * 1000);
          return send(AbortSignal.any([signal, late]));
        });
        const { status, headers, body } = answer;
        const bytes = await bytesOf(body, mostBytes, host);
        const waitMs = gate.waitOf(answer) ?? secondaryWaitMs(status, bytes);
        // Some APIs return 403 instead of 429.
        const isBusy = busy.has(status) || (status === 403 && waitMs !== undefined);
        if (!isBusy) return { status, headers, body: bytes };
        if (waitMs !== undefined) gate.refuseLongWait(waitMs, patience);
        const wish =
          waitMs === undefined ? "" : ` and requires a wait of ${Math.ceil(waitMs / 1000)} s`;
        throw new RetriableError("PLUGIN_BUSY", `${host} returned status ${status}${wish}`, {
          waitMs,
        });
      } catch (cause) {
        signal.throwIfAborted();
        if (late?.aborted !== true || cause instanceof PluginError) throw cause;
        throw new RetriableError("PLUGIN_TIMEOUT", `${host} took longer than ${timeoutS} s`, {
          cause,
        });
      }
    };
    const wait = { mostS: waitS, name: "limits.waitS" };
    const pause: Sleep = (ms, until) => gate.pause(key, ms, until);
    const onceIfLimited = () =>
      once().catch((failure: unknown) => {
        if (!(failure instanceof RetriableError) || failure.waitMs !== undefined) throw failure;
        throw new PluginError(failure.code, failure.details, { cause: failure });
      });
    return retry(isOnlyLimited ? onceIfLimited : once, {
      host,
      retries,
      wait,
      signal,
      sleep: pause,
    });
  };

  const fetchToken = async (api: Api, credentials: Credentials, call: Timing): Promise<Token> => {
    const { key = "", token = "" } = credentials;
    const { authentication } = api;
    if (authentication.type !== "oauth2") throw new TypeError("the API does not use tokens");
    const url = webUrl(authentication.tokenUrl, "api.authentication.tokenUrl");
    const form = new URLSearchParams({ grant_type: "client_credentials" });
    if (authentication.scope !== undefined) form.set("scope", authentication.scope);
    const { status, body } = await insist(
      api,
      { url, credentials, ...call },
      (until) =>
        requester.request({
          method: "POST",
          url,
          headers: {
            "content-type": "application/x-www-form-urlencoded",
            accept: "application/json",
          },
          secretHeaders: {
            authorization: basic(encodeURIComponent(key), encodeURIComponent(token)),
          },
          body: form.toString(),
          signal: until,
        }),
      tokenBytes,
    );
    if (status !== 200)
      throw new PluginError(status >= 500 ? "PLUGIN_SOURCE_FAILED" : "PLUGIN_FORBIDDEN", [
        `the token server ${url.host} returned status ${status}`,
      ]);
    const { access_token: text, expires_in: seconds } = tokenOf(body, url.host);
    return { text, untilMs: now() + seconds * 1000 - tokenMarginMs };
  };

  const tokenFor = async (api: Api, credentials: Credentials, call: Timing): Promise<string> => {
    const key = credentialsKey(credentials);
    const kept = await tokens.get(key)?.catch(() => undefined);
    if (kept && kept.untilMs > now()) return kept.text;
    const fetching = fetchToken(api, credentials, call);
    tokens.set(key, fetching);
    // Failed requests for a token are not cached.
    fetching.catch(() => tokens.get(key) === fetching && tokens.delete(key));
    return (await fetching).text;
  };

  const secretsFor = async (
    api: Api,
    credentials: Credentials,
    url: URL,
    call: Timing,
  ): Promise<{ readonly url: URL; readonly secretHeaders: Record<string, string> }> => {
    const { authentication } = api;
    const { key = "", token = "" } = credentials;
    switch (authentication.type) {
      case "none":
        return { url, secretHeaders: {} };
      case "bearer":
        return { url, secretHeaders: { authorization: `Bearer ${headerText(token)}` } };
      case "basic":
        return { url, secretHeaders: { authorization: basic(key, token) } };
      case "oauth2": {
        const text = await tokenFor(api, credentials, call);
        return { url, secretHeaders: { authorization: `Bearer ${headerText(text)}` } };
      }
      case "key": {
        if (authentication.in === "header")
          return { url, secretHeaders: { [authentication.name]: headerText(token) } };
        const withKey = new URL(url);
        withKey.searchParams.set(authentication.name, token);
        return { url: withKey, secretHeaders: {} };
      }
    }
  };

  return {
    async get(api, credentials, url, call) {
      const attempt = async () => {
        const secrets = await secretsFor(api, credentials, url, call);
        return insist(
          api,
          { url, credentials, ...call },
          (until) =>
            requester.request({
              method: "GET",
              headers: { accept: "application/json, text/csv;q=0.9, */*;q=0.1", ...api.headers },
              ...secrets,
              signal: until,
            }),
          api.limits.pageMb * 2 ** 20,
        );
      };
      let answer = await attempt();
      if (answer.status === 401 && api.authentication.type === "oauth2") {
        // The token may have been revoked before it expired.
        tokens.delete(credentialsKey(credentials));
        answer = await attempt();
      }
      const { status, headers, body } = answer;
      if (status === 401 || status === 403)
        throw new PluginError("PLUGIN_FORBIDDEN", [`${url.host} returned status ${status}`]);
      if (status !== 200)
        throw new PluginError("PLUGIN_SOURCE_FAILED", [`${url.host} returned status ${status}`]);
      const encoding = headers["content-encoding"] ?? "identity";
      if (encoding !== "identity")
        throw new PluginError("PLUGIN_SOURCE_FAILED", [
          `${url.host} sent a compressed response although none was requested`,
        ]);
      return { headers, body };
    },
    release: (credentials) => {
      tokens.delete(credentialsKey(credentials));
      gate.forget(credentialsKey(credentials));
    },
  };
}

/**
 * GitHub's secondary limits come as 403 without a header, and ask for a wait of a minute.
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
function secondaryWaitMs(status: number, body: Uint8Array): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const text = new TextDecoder().decode(body.subarray(0, 4096));
  return /secondary rate limit/i.test(text) ? 60_000 : undefined;
}

/** Parses a URL that a description or an account contains. */
export function webUrl(text: string, member: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash)
    throw new PluginError("PLUGIN_INVALID", [
      `${member} must be an https URL without user, password or fragment`,
    ]);
  return url;
}

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

/**
 * Returns a string that is valid as a header value. The string is checked here, because Node's error would contain the
 * whole header.
 */
function headerText(text: string): string {
  if (/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(text)) return text;
  throw new PluginError("PLUGIN_INVALID", [
    "token must contain only printable ASCII characters, because it is sent in a header",
  ]);
}

async function bytesOf(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
  host: string,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of body) {
    sizeBytes += part.length;
    if (sizeBytes > mostBytes)
      throw new PluginError("PLUGIN_SOURCE_FAILED", [
        `a response from ${host} is larger than ${mostBytes} bytes; configure smaller pages`,
      ]);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tokenOf(body: Uint8Array, host: string): { access_token: string; expires_in: number } {
  try {
    const { access_token, expires_in = 60 }: Readonly<Record<string, unknown>> = JSON.parse(
      Buffer.from(body).toString("utf8"),
    );
    if (typeof access_token === "string" && Number.isFinite(Number(expires_in)))
      return { access_token, expires_in: Number(expires_in) };
  } catch {
    // The error is reported below without the response, which may contain a secret.
  }
  throw new PluginError("PLUGIN_SOURCE_FAILED", [
    `the token server ${host} returned no access_token`,
  ]);
}
