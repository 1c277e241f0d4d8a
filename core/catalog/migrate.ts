import type { Knex } from "knex";
import { type Migration, migrations } from "./migrations/index.ts";

/** Any number that no one else locks. */
const lockId = 7_306_122_101;

/**
 * Brings the schema up to date: every step not yet recorded runs, all in one transaction and under
 * one lock, so that hosts which start together do it once. Steps of newer code that only add are left alone, so that
 * hosts of two versions run side by side.
 * @throws {Error} when the catalog was written by newer code, or by a build before release 0.1.0
 */
export async function migrate(knex: Knex, steps: readonly Migration[] = migrations): Promise<void> {
  await knex.transaction(async (transaction) => {
    await transaction.raw("select pg_advisory_xact_lock(?)", [lockId]);
    await transaction.raw(
      `create table if not exists migration (
         name text primary key,
         applied_at timestamptz not null default now(),
         expands boolean not null default false
       )`,
    );
    const rows: readonly { name: string; expands: boolean }[] =
      await transaction("migration").select("*");
    const applied = new Set(rows.map(({ name }) => name));
    if (isBeforeFirst([...applied]))
      throw new Error(
        "the catalog was created by a build before release 0.1.0, which no release reads; start with an empty database or, without DATABASE_URL, with an empty data folder",
      );
    const unknown = rows
      .filter(({ name, expands }) => !expands && !steps.some((step) => step.name === name))
      .map(({ name }) => name);
    if (unknown.length > 0)
      throw new Error(
        `the catalog is newer than this version of manifold (it has ${unknown.join(", ")}); start the version that wrote it, or a later one`,
      );
    for (const step of steps) {
      if (applied.has(step.name)) continue;
      await step.up(transaction);
      await transaction("migration").insert({ name: step.name, expands: step.contracts !== true });
    }
  });
}

/**
 * Brings an empty catalog to the schema of the named steps and no further.
 * @throws {Error} when a step is unknown to this version, or of a build before release 0.1.0
 */
export async function migrateTo(knex: Knex, names: readonly string[]): Promise<void> {
  if (isBeforeFirst(names))
    throw new Error(
      "the backup was taken by a build before release 0.1.0, which no release restores; restore one that a release took",
    );
  const unknown = names.filter((name) => !migrations.some((step) => step.name === name));
  if (unknown.length > 0)
    throw new Error(
      `the backup is newer than this version of manifold (it has ${unknown.join(", ")}); restore with the version that took it, or a later one`,
    );
  await migrate(
    knex,
    migrations.filter(({ name }) => names.includes(name)),
  );
}

/** Builds before release 0.1.0 had other steps: every catalog of a release has the first one. */
function isBeforeFirst(names: readonly string[]): boolean {
  return names.length > 0 && !names.some((name) => name === migrations[0]?.name);
}
