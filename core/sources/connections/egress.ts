import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import got, { type Request, TimeoutError, type PlainResponse } from "got";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { guardedLookup, notAllowed } from "./guardedLookup.ts";
import { isLoopbackName } from "./isLoopbackName.ts";
import { isMetadataAddress, isPublicAddress } from "./isPublicAddress.ts";
import { resolveHost } from "./resolveHost.ts";

/** A request to another machine. The guard checks the address of that machine. */
export interface EgressCall {
  readonly method: "GET" | "POST";
  /** An http or https URL without user information. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, which is sent unchanged. The caller sets the content type. */
  readonly body?: string;
  readonly signal: AbortSignal;
  /**
   * Receives the body of a successful answer in parts; `text` of the answer is then empty. The next part is read when
   * the returned promise resolves.
   */
  readonly take?: (part: Uint8Array) => Promise<void>;
  /** Maximum size of this answer, if it is smaller than the general limit. */
  readonly sizeBytes?: number;
  /**
   * Whether the call may take any time, as long as data keeps arriving.
   * @default false
   */
  readonly isUnhurried?: boolean;
}

/** The response to an outgoing call, with any status. Redirects are responses like any other. */
export interface EgressAnswer {
  readonly status: number;
  /** The body as text: decompressed, without a byte order mark, and no longer than the limit. */
  readonly text: string;
  /** The media type of the body; undefined if the server does not declare one. */
  readonly contentType?: string;
  /** The value of the header X-Manifold-Protocol; undefined if the server does not send it. */
  readonly protocol?: string;
  /** Seconds after which the server accepts another attempt; undefined if it does not say. */
  readonly retryAfterS?: number;
}

/** The only way in which the host sends requests to other machines. */
export interface Egress {
  /** Maximum bytes of a body, after decompression. */
  readonly sizeBytes: number;
  /**
   * Makes a single attempt, without redirects, retries or proxies.
   * @throws {PluginError} PLUGIN_INVALID for an address that may not be reached, PLUGIN_TIMEOUT at the deadline or when
   * `signal` aborts, PLUGIN_SOURCE_FAILED if there is no complete answer within the limit
   */
  call(call: EgressCall): Promise<EgressAnswer>;
  /**
   * Resolves a host to the address to which a connector's socket connects. The rule of `call` applies: all addresses of
   * a name must be public, or `allow` must contain the host. If the connector connects to the returned address, the
   * name cannot resolve to another address in between.
   * @throws {PluginError} PLUGIN_INVALID for a string that is not a host, for a host that may not be reached, and for a
   * name that cannot be resolved (the last two have the same message); PLUGIN_SOURCE_FAILED if the lookup of a name
   * fails temporarily
   */
  address(host: string, port: number): Promise<string>;
  close(): void;
}

export interface EgressOptions {
  /**
   * Hosts, with or without ports, that may be reached although they are not public. A name never allows a cloud
   * metadata address, which needs its own entry without a port.
   */
  readonly allow: readonly string[];
  /** Maximum milliseconds for a whole call, or without data for an unhurried call. */
  readonly timeoutMs: number;
  /** Maximum bytes of a body, after decompression. */
  readonly sizeBytes: number;
  /** Replaces the system's name resolution in tests. */
  readonly lookup?: LookupFunction;
}

/**
 * Opens the egress guard. Every address is checked when its socket connects, after the name was resolved. A name
 * therefore cannot resolve to another address after the check.
 * @throws {PluginError} PLUGIN_INVALID if an entry of `allow` is not a host or host:port
 */
export function openEgress(options: EgressOptions): Egress {
  const allowed = new Set(options.allow.map(readAllowed));
  // Sockets are not reused: a POST on a socket that the peer has just closed fails and must not be repeated.
  const agentsFor = (mayReach: (address: string) => boolean) => {
    const lookup = guardedLookup(options.lookup ?? systemLookup, mayReach);
    const agentOptions = { keepAlive: false, lookup };
    return { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) };
  };
  const isAllowedAt = (url: URL) => allowed.has(url.hostname) || allowed.has(withPort(url));
  const isOpenByName = (address: string) =>
    !isMetadataAddress(address) || allowed.has(isIP(address) === 6 ? `[${address}]` : address);
  const guarded = agentsFor(isPublicAddress);
  const open = agentsFor(isOpenByName);
  return {
    sizeBytes: options.sizeBytes,
    async call(call) {
      const url = readAddress(call.url);
      const isAllowed = isAllowedAt(url);
      if (!isAllowed && !isPublicHost(url)) throw refusal(url);
      const request = got.stream(url, {
        method: call.method,
        headers: call.headers,
        ...(call.body !== undefined && { body: call.body }),
        agent: isAllowed ? open : guarded,
        followRedirect: false,
        throwHttpErrors: false,
        retry: { limit: 0 },
        timeout: call.isUnhurried
          ? { response: options.timeoutMs, socket: options.timeoutMs }
          : { request: options.timeoutMs },
        signal: call.signal,
      });
      try {
        const sizeBytes = Math.min(options.sizeBytes, call.sizeBytes ?? Infinity);
        return await readAnswer(request, sizeBytes, call.take);
      } catch (failure) {
        throw failure instanceof PluginError ? failure : named(failure, url, call.signal);
      } finally {
        request.destroy();
      }
    },
    async address(host, port) {
      const url = readHost(host, port);
      const isAllowed = isAllowedAt(url);
      if (!isAllowed && !isPublicHost(url)) throw refusal(url);
      const name = url.hostname.replace(/^\[(.*)\]$/, "$1");
      if (isIP(name) !== 0) return name;
      const addresses = await resolveHost(name, options.lookup ?? systemLookup).catch(
        (failure: unknown) => {
          throw unreachable(failure, url);
        },
      );
      const [first] = addresses;
      if (first === undefined || !addresses.every(isAllowed ? isOpenByName : isPublicAddress))
        throw refusal(url);
      return first;
    },
    close() {
      for (const agent of [guarded.http, guarded.https, open.http, open.https]) agent.destroy();
    },
  };
}

/** Returns whether a host is a public address, or a name whose addresses may be public. */
function isPublicHost({ hostname }: URL): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(address) === 0 ? !isLoopbackName(address) : isPublicAddress(address);
}

/** Maximum number of characters of a name in the Domain Name System. */
const mostHostLength = 253;

/** Parses a host name or an address in the same way as the host of a URL. All notations of addresses are accepted. */
function readHost(host: string, port: number): URL {
  const text = `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHost = /^(?:\[[0-9a-f:.]+\]|[^\s/?#@:\\[\]]+)$/i.test(host) || isIP(host) === 6;
  if (url && isHost && host.length <= mostHostLength) return url;
  throw new PluginError("PLUGIN_INVALID", [
    "host must be a host name or an address, without a scheme, a port or a path",
  ]);
}

/**
 * Creates the error for a host. Private addresses and unresolvable names have the same message, so that callers cannot
 * discover private names.
 */
function refusal({ host, hostname }: URL, options?: ErrorOptions): PluginError {
  const isName = isIP(hostname.replace(/^\[(.*)\]$/, "$1")) === 0;
  const detail = `${host} is not a public address${isName ? ", or its name does not resolve" : ""}; check it, or ask the operator to allow it for your organization in MANIFOLD_EGRESS_ALLOW`;
  return new PluginError("PLUGIN_INVALID", [detail], options);
}

async function readAnswer(
  request: Request,
  sizeBytes: number,
  take: EgressCall["take"],
): Promise<EgressAnswer> {
  let status = 0;
  let retryAfterS: number | undefined;
  let contentType: string | undefined;
  let protocol: string | undefined;
  request.once("response", (response: PlainResponse) => {
    status = response.statusCode;
    retryAfterS = secondsOf(response.headers["retry-after"]);
    contentType = response.headers["content-type"];
    protocol = [response.headers["x-manifold-protocol"]].flat()[0];
  });
  const chunks: Buffer[] = [];
  let size = 0;
  const answered: AsyncIterable<Buffer> = request;
  for await (const chunk of answered) {
    size += chunk.length;
    if (size > sizeBytes)
      throw new PluginError("PLUGIN_SOURCE_FAILED", [
        `the answer is larger than ${Math.floor(sizeBytes / 2 ** 20)} MB`,
      ]);
    if (take && status >= 200 && status < 300) await take(chunk);
    else chunks.push(chunk);
  }
  return {
    status,
    text: new TextDecoder().decode(Buffer.concat(chunks)),
    ...(retryAfterS !== undefined && { retryAfterS }),
    ...(contentType !== undefined && { contentType }),
    ...(protocol !== undefined && { protocol }),
  };
}

/** Parses Retry-After: seconds, or a date (RFC 9110, 10.2.3). */
function secondsOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(header.trim())
    ? Number(header)
    : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/**
 * Parses the address of a plugin or a webhook.
 * @throws {PluginError} PLUGIN_INVALID if it is not http or https, or contains user information
 */
export function readAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new PluginError("PLUGIN_INVALID", ["the address must be an http or https URL"]);
  if (url.username || url.password)
    throw new PluginError("PLUGIN_INVALID", [
      "the address must not contain a user name or password; put credentials into the connection",
    ]);
  return url;
}

/**
 * Parses an entry of MANIFOLD_EGRESS_ALLOW. Returns the host in the form that URLs use.
 * @throws {PluginError} PLUGIN_INVALID with the entry
 */
export function readAllowed(entry: string): string {
  const text = `http://${entry}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    !url ||
    url.pathname !== "/" ||
    url.search ||
    url.hash ||
    url.username ||
    /[/@?#*=+\s]/.test(entry)
  )
    throw new PluginError("PLUGIN_INVALID", [
      `MANIFOLD_EGRESS_ALLOW contains ${JSON.stringify(entry)}, which is not a host or host:port; networks and wildcards are not accepted, so name each host`,
    ]);
  return /:\d+$/.test(entry.replace(/^\[.*\]/, "")) ? withPort(url) : url.hostname;
}

function withPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}

/**
 * Readable causes by error code. Messages of the network layer are never shown, because they may contain internal
 * addresses.
 */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "closed the connection before the answer was complete",
  EPIPE: "closed the connection before the answer was complete",
  ERR_STREAM_PREMATURE_CLOSE: "closed the connection before the answer was complete",
  ERR_READING_RESPONSE_STREAM: "closed the connection before the answer was complete",
  EAI_AGAIN: "has a name that does not resolve at the moment",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "cannot be reached",
  Z_DATA_ERROR: "sent a body that does not match its content encoding",
};

function named(failure: unknown, url: URL, signal: AbortSignal): PluginError {
  const options = { cause: failure };
  if (signal.aborted) return new PluginError("PLUGIN_TIMEOUT", ["the call was cancelled"], options);
  if (failure instanceof TimeoutError)
    return new PluginError("PLUGIN_TIMEOUT", [`${url.host} took too long`], options);
  return unreachable(failure, url);
}

function unreachable(failure: unknown, url: URL): PluginError {
  const code = failure instanceof Error && "code" in failure ? String(failure.code) : "";
  if (code === "ENOTFOUND" || code === notAllowed) return refusal(url, { cause: failure });
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : "could not be reached";
  return new PluginError("PLUGIN_SOURCE_FAILED", [`${url.host} ${reason}`], { cause: failure });
}
