import { type Call, PluginError, type ScanCall } from "../../../../plugins/protocol/index.ts";
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
  /** Error statuses that are a valid answer to this request. */
  readonly accepts?: readonly number[];
  /** Receives the body of a successful answer in parts. */
  readonly take?: EgressCall["take"];
}

/** Maximum bytes of an answer that is read as a whole. Rows are read in parts, without this limit. */
const wholeBytes = 8 * 2 ** 20;

/** Statuses with which plugins reject a secret or credentials. */
const refusals = new Set([401, 403]);

/**
 * Calls one remote plugin. Resolves to a successful answer, or to an answer whose status is in `accepts`. A call with
 * `alive` may take any time, and reports each part of its answer.
 */
export type RemoteCalls = (
  call: Pick<Call, "signal"> & Partial<Pick<Call, "credentials">> & Pick<ScanCall, "alive">,
  request: RemoteRequest,
) => Promise<EgressAnswer>;

/** Creates the calls of a remote plugin, which all protocol versions use. */
export function createRemoteCalls(remote: RemotePlugin, egress: Egress): RemoteCalls {
  return async (call, request) => {
    const credentials = call.credentials ?? { properties: {} };
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const { alive } = call;
    const take: EgressCall["take"] =
      request.take &&
      (async (part) => {
        alive?.();
        await request.take?.(part);
      });
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
        ...(take ? { take } : { sizeBytes: wholeBytes }),
        ...(alive && { isUnhurried: true }),
        ...(body !== undefined && { body }),
      });
    const { secret: own, previousSecret } = remote;
    const first = await send(own);
    // A plugin that rejects a secret does nothing else, so the call can safely be sent again.
    const isRefused = refusals.has(first.status) && !request.accepts?.includes(first.status);
    const second = isRefused && previousSecret !== undefined ? await send(previousSecret) : first;
    // A plugin that has the new secret rejects the old secret. The first answer then shows the real problem.
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
 * Parses the JSON of an answer, whatever its content type.
 * @throws {PluginError} PLUGIN_BAD_ANSWER if it is not JSON
 */
export function readJson(answer: EgressAnswer, path: string): unknown {
  try {
    return JSON.parse(answer.text);
  } catch (cause) {
    const what = /^\s*</.test(answer.text) ? "an HTML page" : "something that is not JSON";
    throw new PluginError("PLUGIN_BAD_ANSWER", [`${path} returned ${what}`], { cause });
  }
}
