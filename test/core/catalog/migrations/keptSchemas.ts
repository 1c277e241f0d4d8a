import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageVersion } from "../../../../core/base/index.ts";
import type { SchemaFacts } from "./schemaFacts.ts";

const folder = join(import.meta.dirname, "kept");

/** Reads the schema of a release. */
export function keptSchema(version: string): SchemaFacts {
  return JSON.parse(readFileSync(join(folder, `${version}.json`), "utf8"));
}

/** Reads the schema of the last release. */
export function latestKeptSchema(): SchemaFacts {
  const versions = readdirSync(folder).map((name) => name.replace(/\.json$/, ""));
  const [latest = ""] = versions.toSorted((one, other) =>
    other.localeCompare(one, "en", { numeric: true }),
  );
  return keptSchema(latest);
}

/** Keeps the schema of this version, at its release: KEEP_SCHEMA=1 npm test -- core/catalog/migrations/schemaFacts. */
export function keepSchema(facts: SchemaFacts): void {
  const path = join(folder, `${packageVersion()}.json`);
  writeFileSync(path, `${JSON.stringify(facts, null, 2)}\n`);
}
