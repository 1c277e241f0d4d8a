import type { Knex } from "knex";
import { ApiError, type Principal } from "../../base/index.ts";
import { personOf, type Standing, type UserColumns } from "./principalOf.ts";

const statement = `
  select to_jsonb(u) as "user", to_jsonb(o) as standing
    from "user" u join organization_user o on o.user_id = u.id
   where u.id = ?::uuid`;

/**
 * Returns the principal of a user who signs in.
 * @throws {ApiError} UNAUTHORIZED when the user no longer exists
 */
export async function personById(
  userId: string,
  transaction: Knex.Transaction,
): Promise<Principal> {
  const { rows }: { rows: { user: UserColumns; standing: Standing }[] } = await transaction.raw(
    statement,
    [userId],
  );
  const [found] = rows;
  if (!found) throw new ApiError("UNAUTHORIZED");
  return personOf("", "login", found.user, found.standing);
}
