import { readdirSync, readFileSync } from "node:fs";

/** An entry of the list of plugins. The schema is docs/registry/registry.schema.json. */
export interface RegistryEntry {
  readonly name: string;
  readonly slug: string;
  readonly kind: "built-in" | "connector" | "plugin" | "example";
  readonly description: string;
  readonly license: string;
  readonly maintainer: { readonly name: string; readonly url?: string };
  readonly path?: string;
  readonly package?: string;
  readonly repository?: string;
  readonly image?: string;
  readonly homepage: string;
  readonly protocol_version: string;
  readonly deprecated?: string;
  readonly logo?: string;
  readonly report: {
    readonly summary: string;
    /** The day of the check, such as `2026-11-29`. */
    readonly checked_at: string;
    readonly version: string;
    readonly proved: readonly string[];
  };
}

/** The folder with one file per plugin. It exists only in a checkout. */
export const registryFolder = new URL("../../../docs/registry/", import.meta.url);

/** Reads the list of plugins, sorted by name. */
export function readRegistry(): readonly RegistryEntry[] {
  return readdirSync(registryFolder)
    .filter((file) => file.endsWith(".json") && file !== "registry.schema.json")
    .map((file): RegistryEntry => JSON.parse(readFileSync(new URL(file, registryFolder), "utf8")))
    .toSorted((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1));
}
