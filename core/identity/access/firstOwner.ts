import type { Knex } from "knex";

/** Finds the first owner of the first organization; undefined before the first start. */
export async function firstOwner(transaction: Knex.Transaction): Promise<string | undefined> {
  const first: { user_id: string } | undefined = await transaction("organization_user as l")
    .join("organization as o", "o.id", "l.organization_id")
    .where("l.flagOwn", true)
    .orderBy([{ column: "o.created_at" }, { column: "l.created_at" }, { column: "l.user_id" }])
    .first("l.user_id");
  return first?.user_id;
}
