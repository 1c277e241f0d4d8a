import { type Call, PluginError } from "../../../../plugins/protocol/index.ts";
import { traceHeaders } from "../../../base/index.ts";
import type { Egress, EgressAnswer, EgressCall } from "../egress.ts";
import { remoteError } from "./remoteError.ts";
import type { RemotePlugin } from "./remotePlugin.ts";
import { requestHeaders } from "./requestHeaders.ts";

export interface RemoteRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Failures that are an answer to this request. */
  readonly accepts?: readonly number[];
  /** Takes the body of a success part by part. */
  readonly take?: EgressCall["take"];
}

/** Most bytes of an answer that is read whole: of everything but rows. */
const wholeBytes = 8 * 2 ** 20;

/** Statuses by which plugins refuse a secret, and credentials. */
const refusals = new Set([401, 403]);

/** Asks one remote plugin; what comes back was a success, or one of `accepts`. */
export type RemoteCalls = (
  call: Pick<Call, "signal"> & Partial<Pick<Call, "credentials">>,
  request: RemoteRequest,
) => Promise<EgressAnswer>;

/** Creates the calls of a remote plugin, on which every protocol version builds. */
export function createRemoteCalls(remote: RemotePlugin, egress: Egress): RemoteCalls {
  return async (call, request) => {
    const credentials = call.credentials ?? { properties: {} };
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const send = (secret: string | undefined) =>
      egress.call({
        method: request.method,
        url: remote.baseUrl + request.path,
        headers: {
          ...traceHeaders(),
          ...requestHeaders(credentials, secret),
          ...request.headers,
        },
        signal: call.signal,
        ...(request.take ? { take: request.take } : { sizeBytes: wholeBytes }),
        ...(body !== undefined && { body }),
      });
    const { secret: own, previousSecret } = remote;
    const first = await send(own);
    // A plugin does nothing for a secret that it refuses, so the call is safe to send again.
    const isRefused = refusals.has(first.status) && !request.accepts?.includes(first.status);
    const second = isRefused && previousSecret !== undefined ? await send(previousSecret) : first;
    // A plugin that has the new secret refuses the former one, and the first answer says what it minds.
    const isOwnRefusal = refusals.has(second.status) && !/secret/i.test(first.text);
    const answer = isOwnRefusal ? first : second;
    const { status } = answer;
    if ((status >= 200 && status < 300) || request.accepts?.includes(status)) return answer;
    const { key, token, properties } = credentials;
    const secrets = [own, previousSecret, key, token, ...Object.values(properties)];
    const known = secrets.filter((secret) => secret !== undefined);
    throw remoteError(answer, request.path, known);
  };
}

/**
 * Reads the JSON of an answer, whatever content type it claims.
 * @throws {PluginError} PLUGIN_BAD_ANSWER when it is none
 */
export function readJson(answer: EgressAnswer, path: string): unknown {
  try {
    return JSON.parse(answer.text);
  } catch (cause) {
    const what = /^\s*</.test(answer.text) ? "an HTML page" : "something that is not JSON";
    throw new PluginError("PLUGIN_BAD_ANSWER", [`${path} answered ${what}`], { cause });
  }
}
