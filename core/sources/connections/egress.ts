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

/** One call to somewhere outside. */
export interface EgressCall {
  readonly method: "GET" | "POST";
  /** An http or https address without user information. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as it is; the caller sets its content type. */
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Takes the body of a success part by part, at its own pace; `text` is empty then. */
  readonly take?: (part: Uint8Array) => Promise<void>;
  /** Most bytes of this answer, when it is fewer than of any. */
  readonly sizeBytes?: number;
}

/** An answer of any status; redirects are answers like others. */
export interface EgressAnswer {
  readonly status: number;
  /** The body as text, decompressed, without a byte order mark, not longer than the limit. */
  readonly text: string;
  /** The media type of the body; undefined when the server does not say. */
  readonly contentType?: string;
  /** Seconds after which the server asks for another attempt; undefined when it does not say. */
  readonly retryAfterS?: number;
}

/** The one way out of the host. */
export interface Egress {
  /** Most bytes of a body, counted after decompression. */
  readonly sizeBytes: number;
  /**
   * Makes one attempt: no redirect, no retry, no proxy.
   * @throws {PluginError} PLUGIN_INVALID for an address that may not be reached, PLUGIN_TIMEOUT at the
   * deadline or when `signal` aborts, PLUGIN_SOURCE_FAILED when there is no whole answer within the limit
   */
  call(call: EgressCall): Promise<EgressAnswer>;
  /**
   * Resolves a host to the address that a socket of a connector connects to, under the rule of `call`: all addresses of
   * a name are public, or `allow` names the host. Connecting to the answer, a name cannot change in between.
   * @throws {PluginError} PLUGIN_INVALID for a string that is not a host, for a host that may not be reached, and with
   * the same message for a name that does not resolve; PLUGIN_SOURCE_FAILED if the lookup of a name fails temporarily
   */
  address(host: string, port: number): Promise<string>;
  close(): void;
}

export interface EgressOptions {
  /**
   * Hosts, or hosts with port, that may be reached although they are not public. A name never opens a cloud metadata
   * address: the address itself must be an entry, without a port.
   */
  readonly allow: readonly string[];
  /** Deadline of a whole call. */
  readonly timeoutMs: number;
  /** Most bytes of a body, counted after decompression. */
  readonly sizeBytes: number;
  /** Replaces the system's name resolution in tests. */
  readonly lookup?: LookupFunction;
}

/**
 * Opens the guarded way out. Every address is checked when its socket connects, after the name was
 * resolved, so a name that changes its address is caught as well.
 * @throws {PluginError} PLUGIN_INVALID when an entry of `allow` is not a host or host:port
 */
export function openEgress(options: EgressOptions): Egress {
  const allowed = new Set(options.allow.map(readAllowed));
  // Sockets are not kept: a POST on one that the peer has just closed fails and must not be repeated.
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
        timeout: { request: options.timeoutMs },
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

/** Characters of the longest name in the Domain Name System. */
const mostHostLength = 253;

/** Reads a host name or address as URLs read it, with all ways to write an address. */
function readHost(host: string, port: number): URL {
  const text = `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHost = /^(?:\[[0-9a-f:.]+\]|[^\s/?#@:\\[\]]+)$/i.test(host) || isIP(host) === 6;
  if (url && isHost && host.length <= mostHostLength) return url;
  throw new PluginError("PLUGIN_INVALID", [
    "host is not a host name or an address; write it without a scheme, a port or a path",
  ]);
}

/** Private addresses and names that do not resolve get the same message, so callers cannot discover private names. */
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
  request.once("response", (response: PlainResponse) => {
    status = response.statusCode;
    retryAfterS = secondsOf(response.headers["retry-after"]);
    contentType = response.headers["content-type"];
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
  };
}

/** Reads Retry-After: seconds, or a date (RFC 9110, 10.2.3). */
function secondsOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(header.trim())
    ? Number(header)
    : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/**
 * Reads an address that a plugin or a webhook names.
 * @throws {PluginError} PLUGIN_INVALID when it is not http or https, or carries user information
 */
export function readAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new PluginError("PLUGIN_INVALID", ["the address is not an http or https URL"]);
  if (url.username || url.password)
    throw new PluginError("PLUGIN_INVALID", [
      "the address carries a user name or password; put credentials into the connection",
    ]);
  return url;
}

/**
 * Parses an entry of MANIFOLD_EGRESS_ALLOW. Returns the host as it is written in URLs.
 * @throws {PluginError} PLUGIN_INVALID that names the entry
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

/** Causes by code; a message of the network layer is never shown, it may name inner addresses. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "ended the connection before the answer was complete",
  EPIPE: "ended the connection before the answer was complete",
  ERR_STREAM_PREMATURE_CLOSE: "ended the connection before the answer was complete",
  ERR_READING_RESPONSE_STREAM: "ended the connection before the answer was complete",
  EAI_AGAIN: "has a name that does not resolve at the moment",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "cannot be reached",
  Z_DATA_ERROR: "sent a body that its content encoding does not fit",
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
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : "could not be talked to";
  return new PluginError("PLUGIN_SOURCE_FAILED", [`${url.host} ${reason}`], { cause: failure });
}
