import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { BlockList, isIP } from "node:net";
import { PluginError, type Reach } from "../protocol/index.ts";

/** A request to an address that an account names. */
export interface WebRequest {
  readonly method: "GET" | "HEAD" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that only the origin of `url` gets, and no other that it redirects to. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface WebAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** The body as it is sent; ending the iteration closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Makes requests to addresses that the operator allows. */
export interface Requester {
  /**
   * Follows up to 5 redirects, each checked as the first; answers of any other status are answers.
   * @throws {PluginError} PLUGIN_INVALID for an address that may not be reached, PLUGIN_SOURCE_FAILED
   * when no answer comes
   */
  request(request: WebRequest): Promise<WebAnswer>;
  close(): void;
}

export interface RequesterOptions {
  readonly reach: Pick<Reach, "address">;
  /** Certificates to trust in the place of the usual ones, for tests. */
  readonly ca?: string;
}

const mostRedirects = 5;

/** Opens a way to the web through the operator's rule. Plain http reaches loopback and private networks alone. */
export function openRequester({ reach, ca }: RequesterOptions): Requester {
  const agents = {
    http: new HttpAgent({ keepAlive: true, maxSockets: 16 }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: 16, ...(ca !== undefined && { ca }) }),
  };
  const once = async ({ url, secretHeaders, ...asked }: WebRequest): Promise<IncomingMessage> => {
    const isPlain = url.protocol === "http:";
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const port = Number(url.port || (isPlain ? 80 : 443));
    const address = await reach.address(host, port);
    if (isPlain && !isPrivate(address))
      throw new PluginError("PLUGIN_INVALID", [
        `${url.host} must be reached with https; http is for loopback and private networks`,
      ]);
    const family = isIP(address);
    return new Promise((resolve, reject) => {
      const request = (isPlain ? httpRequest : httpsRequest)(
        url,
        {
          method: asked.method,
          headers: { "accept-encoding": "identity", ...asked.headers, ...secretHeaders },
          agent: isPlain ? agents.http : agents.https,
          signal: asked.signal,
          lookup: (_, { all }, found) => {
            if (all) found(null, [{ address, family }]);
            else found(null, address, family);
          },
        },
        resolve,
      );
      request.once("error", (failure) => reject(unreachable(failure, url, asked.signal)));
      request.end(asked.body);
    });
  };
  return {
    async request(asked) {
      let { url, secretHeaders } = asked;
      for (let count = 0; count <= mostRedirects; count++) {
        const message = await once({ ...asked, url, ...(secretHeaders && { secretHeaders }) });
        const status = message.statusCode ?? 0;
        const { location } = message.headers;
        const isRedirect = [301, 302, 303, 307, 308].includes(status) && location !== undefined;
        if (!isRedirect)
          return { status, headers: message.headers, body: bodyOf(message, url, asked.signal) };
        message.destroy();
        const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
        const isWeb =
          next?.protocol === "https:" || (next?.protocol === "http:" && url.protocol === "http:");
        if (!next || !isWeb || asked.method === "POST")
          throw failed(url, "redirects to an address that is not followed");
        if (next.origin !== url.origin) secretHeaders = undefined;
        url = next;
      }
      throw failed(asked.url, `redirects more than ${mostRedirects} times`);
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
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    const parts: AsyncIterable<Uint8Array> = message;
    yield* parts;
    if (!message.complete) throw failed(url, "ended the connection before the answer was complete");
  } catch (failure) {
    throw failure instanceof PluginError ? failure : unreachable(failure, url, signal);
  } finally {
    message.destroy();
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "ended the connection before the answer was complete",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "cannot be reached",
  CERT_HAS_EXPIRED: "has a certificate that has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "has a certificate that nobody vouches for",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "has a certificate that nobody vouches for",
  ERR_TLS_CERT_ALTNAME_INVALID: "has a certificate of another name",
};

/** A message of the network layer is never shown: it may hold the address with its query. */
function unreachable(failure: unknown, url: URL, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const code = failure instanceof Error && "code" in failure ? String(failure.code) : "";
  return failed(url, reasons[code] ?? "could not be talked to", { cause: failure });
}

function failed(url: URL, what: string, options?: ErrorOptions): PluginError {
  return new PluginError("PLUGIN_SOURCE_FAILED", [`${url.host} ${what}`], options);
}

const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  privateNetworks.addSubnet(network, prefix, "ipv4");
privateNetworks.addSubnet("fc00::", 7, "ipv6");
privateNetworks.addAddress("::1", "ipv6");

function isPrivate(address: string): boolean {
  return privateNetworks.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
