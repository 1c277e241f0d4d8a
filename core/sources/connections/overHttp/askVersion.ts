import { Capabilities, PluginError } from "../../../../plugins/protocol/index.ts";
import { isObject, type PluginVersion } from "../../../base/index.ts";
import type { Egress, EgressAnswer } from "../egress.ts";
import { cleanText } from "./cleanText.ts";
import { checkCapabilities, manifoldHeaders } from "./manifoldPlugin.ts";
import { createRemoteCalls } from "./remoteCalls.ts";
import type { RemotePlugin } from "./remotePlugin.ts";

/** How long the host waits for the answer. Some existing plugins never answer an unknown route. */
const askMs = 4_000;

/** Which protocol a plugin speaks, with the capabilities of a plugin of `manifold-1`. */
export interface AskedVersion extends PluginVersion {
  readonly capabilities?: Capabilities;
  /** The error that `problem` describes. */
  readonly failure?: PluginError;
}

const path = "/capabilities";

/**
 * The accepted statuses: all statuses that show the plugin's version. Statuses for a rejected secret are not included;
 * after these, the previous secret may be tried.
 */
const accepts = Array.from({ length: 500 }, (_, index) => index + 100).filter(
  (status) => status !== 401 && status !== 403,
);

/**
 * Asks a plugin by GET /capabilities which protocol it speaks. Plugins of the numbered versions do not know that route,
 * so any other answer counts as such a version. Does not throw if the plugin fails.
 */
export async function askVersion(
  remote: Omit<RemotePlugin, "protocolVersion">,
  egress: Egress,
  signal: AbortSignal = new AbortController().signal,
): Promise<AskedVersion> {
  const base = { ...remote, baseUrl: remote.baseUrl.replace(/\/+$/, "") };
  const send = createRemoteCalls({ ...base, protocolVersion: "manifold-1" }, egress);
  const limited = AbortSignal.any([signal, AbortSignal.timeout(askMs)]);
  try {
    const request = { method: "GET", path, headers: manifoldHeaders, accepts } as const;
    return read(await send({ signal: limited }, request), remote.pushdown);
  } catch (failure) {
    if (!(failure instanceof PluginError)) throw failure;
    const known = [remote.secret, remote.previousSecret].filter((each) => each !== undefined);
    const of = (outcome: PluginVersion["outcome"], problem: string) => ({
      outcome,
      problem: cleanText(problem, known),
      failure,
    });
    if (failure.code === "PLUGIN_TIMEOUT")
      return of("unclear", `${path} did not answer within ${askMs / 1000} s`);
    if (failure.code === "PLUGIN_FORBIDDEN") return of("refused", failure.message);
    return of("unreachable", failure.message);
  }
}

function read(answer: EgressAnswer, pushdown: boolean): AskedVersion {
  const { status } = answer;
  const isFailing = status === 408 || status === 429 || (status >= 500 && status !== 501);
  if (isFailing) {
    const problem = `${path} returned status ${status}`;
    const failure = new PluginError("PLUGIN_SOURCE_FAILED", [problem]);
    return { outcome: "unclear", problem, failure };
  }
  const body = status >= 200 && status < 300 ? parsed(answer.text) : undefined;
  if (!isOffer(body, answer.protocol, pushdown)) return { outcome: "answered", version: "3.0.0" };
  try {
    checkCapabilities(body, path);
    return { outcome: "answered", version: "manifold-1", capabilities: body };
  } catch (failure) {
    if (!(failure instanceof PluginError)) throw failure;
    return { outcome: "answered", version: "manifold-1", problem: failure.message, failure };
  }
}

/**
 * Returns whether a body is the capabilities of a plugin. A server may answer every route with some JSON. An object
 * therefore counts only if the answer names the protocol, if a member is a capability, or if the object is empty and
 * the record claims no pushdown: both protocols then fetch the same rows.
 */
function isOffer(
  body: unknown,
  protocol: string | undefined,
  pushdown: boolean,
): body is Record<string, unknown> {
  if (!isObject(body) || Array.isArray(body)) return false;
  if (protocol?.trim() === "manifold-1") return true;
  const entries = Object.entries(body);
  if (entries.length === 0) return !pushdown;
  return entries.some(
    ([name, value]) =>
      Object.hasOwn(Capabilities.properties, name) &&
      (typeof value === "boolean" || isObject(value)),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
