import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageVersion } from "../../../../core/base/index.ts";
import type { SchemaFacts } from "./schemaFacts.ts";

const folder = join(import.meta.dirname, "kept");

/** Reads the schema of a release. In the schema's file, all columns of a table are on one line. */
export function keptSchema(version: string): SchemaFacts {
  const kept: SchemaFacts = JSON.parse(readFileSync(join(folder, `${version}.json`), "utf8"));
  const facts = Object.entries(kept).flatMap(([name, fact]) => {
    const table = name.match(/^columns (.*)/)?.[1];
    if (table === undefined) return [[name, fact] as const];
    return fact.split("; ").map((column) => {
      const [, own = "", type = ""] = column.match(/^(\S+) (.*)$/) ?? [];
      return [`column ${table}.${own}`, type] as const;
    });
  });
  return Object.fromEntries(facts);
}

/** Reads the schema of the latest release. */
export function latestKeptSchema(): SchemaFacts {
  const versions = readdirSync(folder).map((name) => name.replace(/\.json$/, ""));
  const [latest = ""] = versions.toSorted((one, other) =>
    other.localeCompare(one, "en", { numeric: true }),
  );
  return keptSchema(latest);
}

/**
 * Stores the schema of this version for its release. Run: KEEP_SCHEMA=1 npm test --
 * core/catalog/migrations/schemaFacts.
 */
export function keepSchema(facts: SchemaFacts): void {
  const kept: Record<string, string> = {};
  for (const [name, fact] of Object.entries(facts)) {
    const [, table, own] = name.match(/^column (.*)\.(.*)$/) ?? [];
    if (table === undefined) kept[name] = fact;
    else {
      const others = kept[`columns ${table}`];
      kept[`columns ${table}`] = `${others === undefined ? "" : `${others}; `}${own} ${fact}`;
    }
  }
  const path = join(folder, `${packageVersion()}.json`);
  writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`);
}
