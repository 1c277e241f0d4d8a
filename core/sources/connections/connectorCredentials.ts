import {
  type AccountProperty,
  type Credentials,
  PluginError,
} from "../../../plugins/protocol/index.ts";
import type { AccountValues } from "../../base/index.ts";

/** Members of an account that every connector receives, declared or not. */
const ownMembers = ["host", "port", "scope", "identifier", "token"];

/**
 * Returns the parts of an account that a connector receives: host, user and password as separate members, and
 * everything else as strings in `properties`. Names have their declared spelling. Members without a value are omitted.
 * @throws {PluginError} PLUGIN_INVALID with the name of an undeclared property, which only a token can add
 */
export function connectorCredentials(
  { host, port, scope, identifier, token, properties }: AccountValues,
  declared: readonly AccountProperty[],
): Credentials {
  const byName = new Map(declared.map(({ id }) => [id.toLowerCase(), id]));
  const passed: [string, string][] = [];
  const pass = (id: string, value: unknown) => {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      if (value !== "") passed.push([id, String(value)]);
  };
  pass("port", port);
  pass("scope", scope);
  for (const [name, value] of Object.entries(properties ?? {})) {
    const id = byName.get(name.toLowerCase());
    // Such a schema comes from a token. It becomes part of the dataset's id instead of a property.
    if (id === undefined && name === "schema") continue;
    if (id === undefined || ownMembers.includes(id))
      throw new PluginError("PLUGIN_INVALID", [
        `accounts of this connector cannot have the property ${JSON.stringify(name.slice(0, 100))}; the properties are: ${namesOf(declared)}`,
      ]);
    pass(id, value);
  }
  return {
    ...(host != null && host !== "" && { host }),
    ...(identifier != null && identifier !== "" && { key: identifier }),
    ...(token != null && { token }),
    properties: Object.fromEntries(passed),
  };
}

/** Lists the properties that are not members of the account itself, for messages. */
function namesOf(declared: readonly AccountProperty[]): string {
  const names = declared.map(({ id }) => id).filter((id) => !ownMembers.includes(id));
  return names.length === 0 ? "none" : names.join(", ");
}
