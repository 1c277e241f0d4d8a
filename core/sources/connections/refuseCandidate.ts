import { PluginError } from "../../../plugins/protocol/index.ts";
import { type AccountValues, ApiError, isObject, type ResourceRow } from "../../base/index.ts";
import type { Connectors } from "./connectors.ts";
import type { Egress } from "./egress.ts";
import { requestHeaders } from "./overHttp/index.ts";
import { pluginCredentials } from "./pluginCredentials.ts";
import { refusalOf, refuseAddress } from "./refuseAddress.ts";

/** Maximum size of a request's headers. Common servers reject larger headers. */
const mostHeaderBytes = 15 * 1024;

/** Finds the http and https URLs in a JSON value. */
function urlsIn(value: unknown, found: URL[] = []): readonly URL[] {
  if (typeof value === "string") {
    const url = /^https?:\/\//i.test(value.trim()) ? URL.parse(value.trim()) : null;
    if (url) found.push(url);
  } else if (typeof value === "object" && value !== null)
    for (const each of Object.values(value)) urlsIn(each, found);
  return found;
}

/** Parses a string that may be JSON, such as an API description. */
function parsed(text: string): unknown {
  try {
    return /^\s*[[{]/.test(text) ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

/** Returns the addresses that a connector would connect to, each with the path of its member. */
function addressesOf(
  { host, port, properties }: AccountValues,
  isFile: boolean,
): readonly [string, URL][] {
  const found: [string, URL][] = [];
  const given = host?.trim() ?? "";
  const ofHost = urlsIn(given);
  for (const url of ofHost) found.push(["properties.host", url]);
  const isName = /^[^\s/?#@\\]+$/.test(given) && !isFile;
  if (ofHost.length === 0 && isName) {
    const written = given.split(":").length > 2 && !given.startsWith("[") ? `[${given}]` : given;
    const suffix = port && !/:\d+$/.test(written.replace(/^\[.*\]/, "")) ? `:${port}` : "";
    const url = URL.parse(`http://${written}${suffix}`);
    if (url) found.push(["properties.host", url]);
  }
  for (const [id, value] of Object.entries(properties ?? {}))
    if (typeof value === "string")
      for (const url of urlsIn(parsed(value))) found.push([`properties.properties.${id}`, url]);
  return found;
}

const memberOf: Readonly<Record<string, string>> = {
  host: "host",
  key: "identifier",
  token: "token",
  port: "port",
  scope: "scope",
  identifier: "identifier",
};

/**
 * Rejects credentials that cannot be sent to a plugin as headers. The error names the member and never its value.
 * @throws {ApiError} MEMBER_INVALID
 */
function refuseUnsendable(values: AccountValues, plugin: ResourceRow<"plugin">): void {
  const { properties, ...own } = pluginCredentials(values, plugin);
  const given = isObject(values.properties) ? values.properties : {};
  const parts = [
    ...Object.entries(own).map(([id, value]) => ({ id, one: { [id]: value, properties: {} } })),
    ...Object.entries(properties).map(([id, value]) => ({
      id,
      one: { properties: { [id]: value } },
    })),
  ];
  let sizeBytes = 0;
  for (const { id, one } of parts) {
    const path = Object.hasOwn(given, id)
      ? `properties.${id}`
      : (memberOf[id] ?? `properties.${id}`);
    const refuse = (problem: string) =>
      new ApiError("MEMBER_INVALID", [`properties.${path}`, problem], {
        validation: { [path.split(".")[0] ?? path]: [problem] },
      });
    try {
      const headers = Object.entries(requestHeaders(one, undefined));
      for (const [name, value] of headers) sizeBytes += name.length + value.length + 4;
    } catch (failure) {
      if (!(failure instanceof PluginError)) throw failure;
      throw refuse(`must be valid in a request header: ${failure.message}`);
    }
    if (sizeBytes > mostHeaderBytes)
      throw refuse(
        `must be short enough for a request header: all members of a connection together may have at most ${mostHeaderBytes} bytes, with host, identifier and token counted twice`,
      );
  }
}

export interface CandidateBounds {
  /** The egress guard of the organization that chose the addresses. */
  readonly egress: Pick<Egress, "address">;
  readonly connectors: Pick<Connectors, "mayBeFile">;
}

/**
 * Rejects an account before it is stored, even if the source is not called. There are two reasons: the plugin or server
 * has an address that the host may not reach, or a member cannot be sent.
 * @throws {ApiError} MEMBER_INVALID with the path of the member
 * @throws {PluginError} PLUGIN_INVALID with the path of the member, as connectors reject addresses
 */
export async function refuseCandidate(
  values: AccountValues,
  plugin: ResourceRow<"plugin"> | undefined,
  { egress, connectors }: CandidateBounds,
): Promise<void> {
  if (plugin) {
    refuseUnsendable(values, plugin);
    await refuseAddress(plugin.base_url, "properties.provider", egress);
    return;
  }
  for (const [path, url] of addressesOf(values, connectors.mayBeFile(values.provider))) {
    const problem = await refusalOf(url, egress);
    if (problem) throw new PluginError("PLUGIN_INVALID", [`${path}: ${problem}`]);
  }
}
