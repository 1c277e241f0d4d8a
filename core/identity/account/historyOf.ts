import type { Knex } from "knex";
import { isObject } from "../../base/index.ts";

/** An attempted sign-in. */
export interface ShownSignIn {
  readonly at: string;
  readonly outcome: "succeeded" | "failed";
  /**
   * The steps of the sign-in: `password`, `app`, `recovery_code`, `passkey`, `sign_on`, `key_pair`. A failed sign-in
   * may also contain `code` and `address`.
   */
  readonly ways: readonly string[];
  readonly address: string | null;
}

const mostRows = 100;

/**
 * Matches audit events of sign-ins. A successful sign-in is recorded by the event that created the session or login
 * pair.
 */
const signIns = `(action = 'sign_in_failed'
  or resource = 'authorization' and action = 'create' and record_id = authorization_id::text)`;

/** Lists a user's latest 100 sign-ins, newest first, from the audit events. */
export async function historyOf(userId: string, knex: Knex): Promise<readonly ShownSignIn[]> {
  const rows: { action: string; members: string[]; target: unknown; created_at: Date }[] =
    await knex("auditevent")
      .where({ user_id: userId })
      .whereRaw(signIns)
      .orderBy([{ column: "created_at", order: "desc" }, { column: "id" }])
      .limit(mostRows)
      .select("action", "members", "target", "created_at");
  return rows.map(({ action, members, target, created_at }) => ({
    at: created_at.toISOString(),
    outcome: action === "sign_in_failed" ? "failed" : "succeeded",
    ways: members,
    address: isObject<"id">(target) && typeof target.id === "string" ? target.id : null,
  }));
}
