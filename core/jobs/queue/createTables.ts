import type { Knex } from "knex";
import { PgBoss } from "pg-boss";
import { databaseOf } from "./databaseOf.ts";
import { queueSchema } from "./queueSchema.ts";

/** Creates the queue's tables in a catalog that lacks them. Runs no jobs. */
export async function createTables(knex: Knex): Promise<void> {
  const boss = new PgBoss({
    db: databaseOf(knex),
    schema: queueSchema,
    schedule: false,
    supervise: false,
    registerInstance: false,
    reindex: false,
  });
  const { promise, reject } = Promise.withResolvers<never>();
  boss.on("error", reject);
  await Promise.race([boss.start(), promise]);
  await boss.stop({ graceful: false });
}
