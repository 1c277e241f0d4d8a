import { PluginError, type AccountProperty, type Credentials } from "../protocol/index.ts";

/**
 * Refuses properties of an account whose host is a file, except the declared ones, and a port or scope with a value.
 * `source` names the database.
 * @throws {PluginError} PLUGIN_INVALID naming the member
 */
export function checkFileProperties(
  { properties }: Pick<Credentials, "properties">,
  source: string,
  declared: readonly AccountProperty[],
): void {
  const taken = declared.map(({ id }) => id).filter((id) => id !== "host");
  for (const [name, value] of Object.entries(properties)) {
    if (taken.includes(name)) continue;
    if (name !== "port" && name !== "scope")
      throw invalid(
        `properties.${name} is unknown to ${source}, which takes ${taken.join(", ") || "none"}`,
      );
    if (value !== "") throw invalid(`${name} must be empty: a file has none`);
  }
}

function invalid(detail: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail]);
}
