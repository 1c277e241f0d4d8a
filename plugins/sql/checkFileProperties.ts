import { PluginError, type AccountProperty, type Credentials } from "../protocol/index.ts";

/**
 * Refuses account settings that do not apply to a database in a file: undeclared properties, a port or a scope.
 * `source` is the name of the database.
 * @throws {PluginError} PLUGIN_INVALID that names the setting
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
        `properties.${name} is not a setting of ${source}; its settings are: ${taken.join(", ") || "none"}`,
      );
    if (value !== "") throw invalid(`${name} must be empty, because files have none`);
  }
}

function invalid(detail: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail]);
}
