import { Value } from "typebox/value";
import {
  type Call,
  Capabilities,
  type Plugin,
  PluginError,
  presentWrite,
  type ProbedCapabilities,
  UpdateCounts,
  UpdateRefusal,
  type WriteResult,
} from "../../../../plugins/protocol/index.ts";
import { isObject } from "../../../base/index.ts";
import { createColumnarReader } from "./answerReader.ts";
import { manifoldDatasets } from "./manifoldDatasets.ts";
import { readJson, type RemoteCalls } from "./remoteCalls.ts";

/** The header by which a request says that it is of version `manifold-1`. */
export const manifoldHeaders = { "X-Manifold-Protocol": "manifold-1" };
const headers = manifoldHeaders;

/**
 * Opens a remote plugin of version `manifold-1`, and requests its capabilities once, unless they are `known`.
 * `sizeBytes` is the maximum size of an answer's columns.
 * @throws {PluginError} PLUGIN_BAD_ANSWER if the capabilities are malformed, and the errors of every call
 */
export async function openManifoldPlugin(
  send: RemoteCalls,
  sizeBytes: number,
  signal: AbortSignal,
  known?: Capabilities,
): Promise<Plugin> {
  const post = async (call: Call, path: string, body: object): Promise<unknown> => {
    const request = { method: "POST", path, headers, body: { ...body, user: call.user } } as const;
    return readJson(await send(call, request), path);
  };
  const path = "/capabilities";
  const capabilities: unknown =
    known ?? readJson(await send({ signal }, { method: "GET", path, headers }), path);
  checkCapabilities(capabilities, path);
  return {
    capabilities,
    ...(capabilities.probed && {
      capabilitiesOf: async (call) => probedCapabilities(await post(call, path, {}), path),
    }),
    datasets: async (call) => manifoldDatasets(await post(call, "/datasets", {})),
    query: async (call) => {
      const { query, dataset, user, unread } = call;
      const reader = createColumnarReader(query, dataset, sizeBytes, unread);
      const { take } = reader;
      const body = { ...query, user };
      await send(call, { method: "POST", path: "/query", headers, body, take });
      return reader.end();
    },
    async authorize(call) {
      const { id, name, email } = call.user ?? {};
      const body = { id, name, email };
      const request = {
        method: "POST",
        path: "/authorize",
        headers,
        body,
        accepts: [404],
      } as const;
      const answer = await send(call, request);
      if (answer.status === 404) return undefined;
      const members = readJson(answer, "/authorize");
      const url =
        typeof members === "object" &&
        members !== null &&
        "auth_url" in members &&
        members.auth_url;
      return typeof url === "string" ? { authUrl: url } : undefined;
    },
    async exchange(call) {
      const credentials = await post(call, "/exchange", { code: call.code });
      if (typeof credentials !== "object" || credentials === null)
        throw new PluginError("PLUGIN_BAD_ANSWER", ["/exchange must return an object"]);
      return credentials as Record<string, unknown>;
    },
    write: async (call) =>
      writeResult(await post(call, "/write", { write: presentWrite(call.write) })),
    async health(call) {
      await send(call, { method: "GET", path: "/health", headers });
    },
  };
}

/** Checks that a value has the form of a plugin's capabilities. `path` names the value in messages.
 * @throws {PluginError} PLUGIN_BAD_ANSWER with the first invalid member */
export function checkCapabilities(value: unknown, path: string): asserts value is Capabilities {
  if (Value.Check(Capabilities, value)) return;
  const [error] = Value.Errors(Capabilities, value);
  throw new PluginError("PLUGIN_BAD_ANSWER", [
    `${path} is not valid at ${error?.instancePath || "its root"}: ${error?.message ?? ""}`,
  ]);
}

/** Parses the answer of a probe. `checkedProbe` checks `demoted` and `warnings` for all plugins. */
function probedCapabilities(answer: unknown, path: string): ProbedCapabilities {
  const {
    capabilities,
    demoted = [],
    warnings = [],
  }: Readonly<Record<string, unknown>> = isObject(answer) ? answer : {};
  checkCapabilities(capabilities, path);
  return { capabilities, demoted, warnings } as ProbedCapabilities;
}

function writeResult(answer: unknown): WriteResult {
  const { rowCount, version, counts, refused }: Readonly<Record<string, unknown>> = isObject(answer)
    ? answer
    : {};
  if (typeof rowCount !== "number" || typeof version !== "string")
    throw new PluginError("PLUGIN_BAD_ANSWER", ["/write must return rowCount and version"]);
  if (counts !== undefined && !Value.Check(UpdateCounts, counts))
    throw new PluginError("PLUGIN_BAD_ANSWER", ["/write must return whole numbers in counts"]);
  if (refused !== undefined && !Value.Check(UpdateRefusal, refused))
    throw new PluginError("PLUGIN_BAD_ANSWER", ["/write must return reason and rows in refused"]);
  return { rowCount, version, ...(counts && { counts }), ...(refused && { refused }) };
}
