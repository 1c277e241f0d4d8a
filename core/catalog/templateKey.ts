import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { arch, platform } from "node:process";
import { migrations } from "./migrations/index.ts";
import { binariesPackage } from "./postgres/binaries.ts";
import { schemaText } from "./schema/index.ts";

/**
 * Returns a key for a new catalog: the schema, and the server's version and platform. A template with another key must
 * not be used. Its reference data may be of another Node.js, because each start checks this data.
 */
export function templateKey(): string {
  const described = findPackageJSON(binariesPackage, import.meta.url);
  const { version }: { readonly version?: unknown } =
    described === undefined ? {} : JSON.parse(readFileSync(described, "utf8"));
  const steps = migrations.map(({ name }) => name);
  const content = JSON.stringify([version, schemaText, steps]);
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return `${platform}-${arch}-${hash}`;
}
