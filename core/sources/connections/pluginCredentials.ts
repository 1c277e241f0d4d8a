import type { Credentials } from "../../../plugins/protocol/index.ts";
import type { AccountValues, ResourceRow } from "../../base/index.ts";

/**
 * Returns the properties of an account that its plugin receives. Port and scope are sent as properties, and so is the
 * identifier if the plugin declares a property with that name. The account's own properties take precedence.
 */
export function pluginCredentials(
  account: AccountValues,
  plugin: ResourceRow<"plugin">,
): Credentials {
  const { host, port, scope, identifier, token, properties } = account;
  const isDeclared = declaredIds(plugin).has("identifier");
  const members = { port, scope, ...(isDeclared && { identifier }) };
  const own = Object.entries(properties ?? {});
  const ownIds = new Set(own.map(([id]) => id.toLowerCase()));
  const all = [...Object.entries(members).filter(([id]) => !ownIds.has(id)), ...own];
  const passed = all.flatMap(([id, value]) =>
    value === null || value === undefined || typeof value === "object" ? [] : [[id, String(value)]],
  );
  return {
    ...(host != null && { host }),
    ...(identifier != null && { key: identifier }),
    ...(token != null && { token }),
    properties: Object.fromEntries(passed),
  };
}

function declaredIds({ properties }: ResourceRow<"plugin">): ReadonlySet<string> {
  return new Set((properties ?? []).map(({ id }) => String(id).toLowerCase()));
}
