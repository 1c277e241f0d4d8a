import type { Knex } from "knex";
import { type Migration, migrations } from "./migrations/index.ts";

/** Number of the lock under which hosts migrate the schema. The number is arbitrary, and no other lock uses it. */
const lockId = 7_306_122_101;

/**
 * Brings the schema up to date. Runs every step that is not recorded yet, in one transaction and under one lock, so
 * that each step runs only once even if hosts start together. Accepts steps that it does not know if these steps only
 * add to the schema, so that hosts of two versions can run side by side.
 * @throws {Error} if the catalog was written by a newer version, or by a build before release 0.1.0
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
        "the catalog was created by a build before release 0.1.0, which releases cannot read; start with an empty database or, without DATABASE_URL, with an empty data folder",
      );
    const unknown = rows
      .filter(({ name, expands }) => !expands && !steps.some((step) => step.name === name))
      .map(({ name }) => name);
    if (unknown.length > 0)
      throw new Error(
        `the catalog was changed by a newer version of manifold (steps ${unknown.join(", ")}); start that version or a later one`,
      );
    for (const step of steps) {
      if (applied.has(step.name)) continue;
      await step.up(transaction);
      await transaction("migration").insert({ name: step.name, expands: step.contracts !== true });
    }
  });
}

/**
 * Creates the schema of an empty catalog up to the named steps.
 * @throws {Error} for a step that is unknown to this version or comes from a build before release 0.1.0
 */
export async function migrateTo(knex: Knex, names: readonly string[]): Promise<void> {
  if (isBeforeFirst(names))
    throw new Error(
      "the backup was taken by a build before release 0.1.0, which releases cannot restore; restore a backup of a release",
    );
  const unknown = names.filter((name) => !migrations.some((step) => step.name === name));
  if (unknown.length > 0)
    throw new Error(
      `the backup was taken by a newer version of manifold (steps ${unknown.join(", ")}); restore it with that version or a later one`,
    );
  await migrate(
    knex,
    migrations.filter(({ name }) => names.includes(name)),
  );
}

/** Returns whether steps come from a build before release 0.1.0. The catalogs of all releases have the first step. */
function isBeforeFirst(names: readonly string[]): boolean {
  return names.length > 0 && !names.some((name) => name === migrations[0]?.name);
}
