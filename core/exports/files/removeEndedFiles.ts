import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Knex } from "knex";
import { isUuid } from "../../base/index.ts";
import { arrayBinding } from "../../catalog/index.ts";
import type { ExportFile } from "./exportFile.ts";

/** Removes the records of expired files, and the files in `folder` that have no record. */
export async function removeEndedFiles(
  folder: string,
  { knex, now }: { readonly knex: Knex; readonly now: number },
): Promise<void> {
  const table = () => knex<ExportFile>("exportfile");
  await table().where("expires_at", "<=", new Date(now)).delete();
  const names = await readdir(folder);
  const ids = [...new Set(names.map((name) => name.replace(/\.part$/, "")))].filter(isUuid);
  if (ids.length === 0) return;
  const kept = await table()
    .whereRaw("id = any(?::uuid[])", [arrayBinding(ids)])
    .select("id", "status");
  const statusOf = new Map(kept.map(({ id, status }) => [id, status]));
  for (const name of names) {
    const status = statusOf.get(name.replace(/\.part$/, ""));
    const isKept = name.endsWith(".part") ? status === "running" : status !== undefined;
    if (!isKept) await rm(join(folder, name), { force: true });
  }
}
