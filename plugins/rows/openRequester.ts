import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { PluginError, type Reach } from "../protocol/index.ts";
import { RetriableError } from "./retry.ts";

/** A request to an address that an account names. */
export interface WebRequest {
  readonly method: "GET" | "HEAD" | "POST";
  readonly url: URL;
  /** Headers without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers with secrets. They are sent only to the origin of `url`, never to another origin after a redirect. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Maximum milliseconds to wait for the server's next bytes. Absent: no limit. */
  readonly idleMs?: number;
}

/** The answer to a request. */
export interface WebAnswer {
  readonly status: number;
  /** Headers by lower-case name. The values of a header that was sent several times are joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as received. If the caller leaves the loop over the body early, the connection is closed. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends requests to addresses that the operator allows. */
export interface Requester {
  /**
   * Sends a request and follows up to 5 redirects, each of which is checked like the original address. Answers of any
   * status are returned.
   * @throws {PluginError} PLUGIN_INVALID for an address that is not allowed. As a `RetriableError`:
   * PLUGIN_SOURCE_FAILED if the answer is incomplete, and PLUGIN_TIMEOUT after `idleMs`
   */
  request(request: WebRequest): Promise<WebAnswer>;
  close(): void;
}

/** The addresses that a requester may reach, and the certificates that it trusts. */
export interface RequesterOptions {
  readonly reach: Pick<Reach, "address" | "isPublic">;
  /** Certificates that replace the default trusted certificates. Only tests set this option. */
  readonly ca?: string;
}

const mostRedirects = 5;

/**
 * Opens a requester that enforces the operator's rule for addresses. Unencrypted `http:` is allowed only on loopback
 * and private networks.
 */
export function openRequester({ reach, ca }: RequesterOptions): Requester {
  const agents = {
    http: new HttpAgent({ keepAlive: true, maxSockets: 16 }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: 16, ...(ca !== undefined && { ca }) }),
  };
  const once = async ({ url, secretHeaders, ...sent }: WebRequest): Promise<IncomingMessage> => {
    const isPlain = url.protocol === "http:";
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const port = Number(url.port || (isPlain ? 80 : 443));
    const address = await reach.address(host, port);
    if (isPlain && reach.isPublic(address))
      throw new PluginError("PLUGIN_INVALID", [
        `the address of ${url.host} must begin with https; http is only for loopback and private networks`,
      ]);
    const family = isIP(address);
    return new Promise<IncomingMessage>((resolve, reject) => {
      const request = (isPlain ? httpRequest : httpsRequest)(
        url,
        {
          method: sent.method,
          headers: { "accept-encoding": "identity", ...sent.headers, ...secretHeaders },
          agent: isPlain ? agents.http : agents.https,
          signal: sent.signal,
          lookup: (_, { all }, found) => {
            if (all) found(null, [{ address, family }]);
            else found(null, address, family);
          },
        },
        (message) => {
          endIdle();
          resolve(message);
        },
      );
      const endIdle = startIdle(sent.idleMs, url, (failure) => request.destroy(failure));
      request.once("error", (failure) => {
        endIdle();
        reject(unreachable(failure, url, sent.signal));
      });
      request.end(sent.body);
    });
  };
  return {
    async request(call) {
      const { secretHeaders: secrets, ...plain } = call;
      let { url } = call;
      let secretHeaders = secrets;
      for (let count = 0; count <= mostRedirects; count++) {
        const message = await once({ ...plain, url, ...(secretHeaders && { secretHeaders }) });
        const status = message.statusCode ?? 0;
        const { location } = message.headers;
        const isRedirect = [301, 302, 303, 307, 308].includes(status) && location !== undefined;
        if (!isRedirect)
          return { status, headers: joinedHeaders(message), body: bodyOf(message, url, call) };
        message.destroy();
        const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
        const isWeb =
          next?.protocol === "https:" || (next?.protocol === "http:" && url.protocol === "http:");
        if (!next || !isWeb || call.method === "POST")
          throw failed(url, "redirects to an address that cannot be followed");
        if (next.origin !== url.origin) secretHeaders = undefined;
        url = next;
      }
      throw failed(call.url, `redirects more than ${mostRedirects} times`);
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

async function* bodyOf(
  message: IncomingMessage,
  url: URL,
  { signal, idleMs }: Pick<WebRequest, "signal" | "idleMs">,
): AsyncGenerator<Uint8Array> {
  const incomplete = () => lost(url, "closed the connection before the answer was complete");
  try {
    const parts: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]();
    for (;;) {
      // The time that the caller spends on a chunk does not count as idle time.
      const endIdle = startIdle(idleMs, url, (failure) => message.destroy(failure));
      const next = await parts.next().finally(endIdle);
      if (next.done) break;
      yield next.value;
    }
    if (!message.complete) throw incomplete();
  } catch (failure) {
    throw failure instanceof PluginError ? failure : unreachable(failure, url, signal);
  } finally {
    message.destroy();
  }
}

/** Aborts a request if nothing arrives in time. Calling the returned function cancels the timer. */
function startIdle(
  idleMs: number | undefined,
  url: URL,
  end: (failure: PluginError) => void,
): () => void {
  if (idleMs === undefined) return () => {};
  const late = () =>
    end(new RetriableError("PLUGIN_TIMEOUT", `${url.host} sent nothing for ${idleMs / 1000} s`));
  const timer = setTimeout(late, idleMs);
  return () => clearTimeout(timer);
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "closed the connection before the answer was complete",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "cannot be reached",
  CERT_HAS_EXPIRED: "has an expired certificate",
  DEPTH_ZERO_SELF_SIGNED_CERT: "has a certificate that no trusted authority issued",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "has a certificate that no trusted authority issued",
  ERR_TLS_CERT_ALTNAME_INVALID: "has a certificate for another name",
};

/** Replaces the messages of the network layer, because they may contain the address with its query. */
function unreachable(failure: unknown, url: URL, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (failure instanceof PluginError) return failure;
  const code = failure instanceof Error && "code" in failure ? String(failure.code) : "";
  return lost(url, reasons[code] ?? "could not be reached", { cause: failure });
}

function lost(url: URL, what: string, options?: ErrorOptions): PluginError {
  return new RetriableError("PLUGIN_SOURCE_FAILED", `${url.host} ${what}`, options);
}

function failed(url: URL, what: string): PluginError {
  return new PluginError("PLUGIN_SOURCE_FAILED", [`${url.host} ${what}`]);
}

function joinedHeaders({ headers }: IncomingMessage): WebAnswer["headers"] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : value,
    ]),
  );
}
