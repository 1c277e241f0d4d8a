import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listKept } from "./listKept.ts";

const folder = join(import.meta.dirname, "folders");

/** Returns the path of the archive with the folders that a version created. */
export const keptFolder = (version: string): string => join(folder, `manifold-${version}.tgz`);

/** All versions whose folders are kept. */
export const keptVersions: readonly string[] = listKept("folders").map((name) =>
  name.replace(/^manifold-(.*)\.tgz$/, "$1"),
);

/** Answers that were recorded from the host that created the folders. */
export interface KeptFacts {
  readonly questions: readonly object[];
  readonly answers: readonly unknown[];
  readonly securables: readonly Readonly<Record<string, unknown>>[];
  readonly person: { readonly email: string; readonly password: string };
}

/** Extracts a version's archive, which contains the folders `backup` and `tenant` and the recorded answers. */
export function openKeptFolder(version: string, into: string): KeptFacts {
  mkdirSync(into, { recursive: true });
  execFileSync("tar", ["-xzf", keptFolder(version), "-C", into]);
  return JSON.parse(readFileSync(join(into, "facts.json"), "utf8"));
}
