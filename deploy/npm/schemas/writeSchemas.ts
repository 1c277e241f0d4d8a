import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPluginOpenapi } from "./createPluginOpenapi.ts";
import { createSchemas, type JsonSchema, type ProtocolSchemas } from "./createSchemas.ts";

const prefix = "#/$defs/";
const dialect = "https://json-schema.org/draft/2020-12/schema";
const fileOf = (name: string) =>
  `${name.replaceAll(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.json`;

/**
 * Returns the files of the protocol's description, by name: one JSON Schema per message, such as `query-request.json`;
 * `protocol.json` with all types; `openapi.json` with the routes of a plugin.
 */
export function schemaFiles(): ReadonlyMap<string, JsonSchema> {
  const { types, messages } = createSchemas(prefix);
  const head = (name: string) => ({ $schema: dialect, $id: `urn:manifold:manifold-1:${name}` });
  const files = new Map<string, JsonSchema>();
  for (const [name, message] of Object.entries(messages)) {
    const $defs = closureOf(message, types);
    const hasTypes = Object.keys($defs).length > 0;
    const schema = { ...head(name), title: name, ...message, ...(hasTypes && { $defs }) };
    files.set(fileOf(name), schema);
  }
  files.set("protocol.json", {
    ...head("protocol"),
    title: "manifold-1",
    description: "The types of the plugin protocol manifold-1, which its messages consist of.",
    $defs: types,
  });
  files.set("openapi.json", createPluginOpenapi());
  return files;
}

/** Returns the types to which a schema refers, directly or indirectly. */
function closureOf(
  schema: JsonSchema,
  types: ProtocolSchemas["types"],
): Readonly<Record<string, JsonSchema>> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g))
      if (!found.has(name)) {
        found.add(name);
        visit(types[name]);
      }
  };
  visit(schema);
  return Object.fromEntries(Object.entries(types).filter(([name]) => found.has(name)));
}

/** Writes the files of the protocol's description into a folder. */
export function writeSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, schema] of schemaFiles())
    writeFileSync(join(folder, name), `${JSON.stringify(schema, undefined, 2)}\n`);
}
