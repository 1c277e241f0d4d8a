import {
  type AccountValues,
  ApiError,
  type Destination,
  destinationOf,
  isObject,
  movedMembers,
  readDestination,
  type ResourceRow,
  secretProperties,
  type Source,
} from "../../base/index.ts";
import type { HookCall, Values } from "../kernel/index.ts";
import { pluginOf } from "./authorizeCandidate.ts";
import { shownNames } from "./pluginProperties.ts";

/** A change of an account's connection. */
interface Change {
  readonly row: ResourceRow<"account">;
  /** The members as the caller sent them. A null in `properties` keeps the stored value. */
  readonly given: Values;
  /** The account as it will be after the change. */
  readonly candidate: Values & AccountValues;
}

/** Returns the source that an account with these members connects to, with its declared properties. */
export async function sourceOf(
  { provider = "" }: { readonly provider?: string | undefined },
  call: HookCall,
): Promise<Source> {
  const plugin = await pluginOf({ provider }, call);
  return plugin ? pluginSource(plugin) : connectorSource(provider, call);
}

const pluginSource = ({ id, base_url, properties }: ResourceRow<"plugin">): Source => ({
  plugin: { id, base_url },
  properties: properties ?? [],
});

const connectorSource = async (provider: string, { context }: HookCall): Promise<Source> => ({
  properties: (await context.connections.connectorProperties(provider)) ?? [],
});

/** Returns the current source of an account. */
async function storedSource(row: ResourceRow<"account">, call: HookCall): Promise<Source> {
  if (row.plugin_id === null) return connectorSource(row.provider, call);
  const [plugin] = await call.context.records.find("plugin", { id: row.plugin_id });
  return plugin ? pluginSource(plugin) : { properties: [] };
}

/** Returns the destination for which secrets were entered, in its stored form. */
export function confirmedFor(destination: Destination): Values {
  return { confirmed_for: JSON.stringify(destination) };
}

/**
 * Refuses a change that would send a stored secret to a destination other than the one for which it was entered, unless
 * the call contains each secret again. Returns the new destination in its stored form.
 * @throws {ApiError} SECRET_AGAIN that names the secret and the members that changed
 */
export async function refuseUnconfirmed(
  { row, given, candidate }: Change,
  call: HookCall,
): Promise<Values> {
  const source = await sourceOf(candidate, call);
  const destination = destinationOf(candidate, source);
  const stored = await storedSource(row, call);
  const moved = movedMembers(confirmedDestination(row, call), destination, source);
  const [path] = moved.length === 0 ? [] : keptSecrets(row, given, stored);
  if (path === undefined) return confirmedFor(destination);
  const [member = ""] = path.split(".").slice(1);
  const changed = moved.join(", ");
  throw new ApiError("SECRET_AGAIN", [path, changed], {
    validation: { [member]: [`enter ${path.split(".").at(-1)} again to change ${changed}`] },
  });
}

function confirmedDestination(row: ResourceRow<"account">, { context }: HookCall): Destination {
  try {
    const sealed = context.records.reveal("account", row, "confirmed_for");
    return sealed === undefined ? {} : readDestination(sealed);
  } catch (failure) {
    // If the host's secret was lost, the confirmed destination is unknown, so every destination counts as different.
    if (failure instanceof ApiError && failure.code === "SECRET_LOST") return {};
    throw failure;
  }
}

/** Returns the paths of the stored secrets that the call does not contain again. */
function keptSecrets(
  row: ResourceRow<"account">,
  given: Values,
  { properties: declared }: Source,
): readonly string[] {
  const hasToken = typeof row.token === "string" && !Object.hasOwn(given, "token");
  const shown = shownNames(declared);
  const names = secretProperties(row.properties ?? {}, (name) => shown.has(name.toLowerCase()));
  const { properties } = given;
  const isKept = (name: string) =>
    !isObject(properties) || (Object.hasOwn(properties, name) && properties[name] === null);
  return [
    ...(hasToken ? ["properties.token"] : []),
    ...names.filter(isKept).map((name) => `properties.properties.${name.slice(0, 100)}`),
  ];
}
