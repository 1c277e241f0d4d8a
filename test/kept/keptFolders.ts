import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listKept } from "./listKept.ts";

const folder = join(import.meta.dirname, "folders");

/** Returns the archive of the folders that a version made. */
export const keptFolder = (version: string): string => join(folder, `manifold-${version}.tgz`);

/** Versions with kept folders. */
export const keptVersions: readonly string[] = listKept("folders").map((name) =>
  name.replace(/^manifold-(.*)\.tgz$/, "$1"),
);

/** Answers recorded from the host that made the folders. */
export interface KeptFacts {
  readonly questions: readonly object[];
  readonly answers: readonly unknown[];
  readonly securables: readonly Readonly<Record<string, unknown>>[];
  readonly person: { readonly email: string; readonly password: string };
}

/** Extracts the archive of a version: the folders `backup` and `tenant`, and the recorded answers. */
export function openKeptFolder(version: string, into: string): KeptFacts {
  mkdirSync(into, { recursive: true });
  execFileSync("tar", ["-xzf", keptFolder(version), "-C", into]);
  return JSON.parse(readFileSync(join(into, "facts.json"), "utf8"));
}
