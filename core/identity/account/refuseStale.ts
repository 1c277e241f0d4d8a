import type { Knex } from "knex";
import { ApiError, type Principal } from "../../base/index.ts";
import { hasFactors } from "../factors/index.ts";

/** How long a sign-in counts as recent, in milliseconds. */
const freshMs = 600_000;

/**
 * Returns whether the caller signed in within the last ten minutes with a password or passkey, and with a second factor
 * if the caller has one. Therefore, nobody can change second factors with only a stolen session, an API token or an
 * account at an identity provider.
 */
export async function isFresh(
  { authorizationId, userId }: Principal,
  knex: Knex,
  nowMs: number,
): Promise<boolean> {
  const found: { proved_at: Date | null; factor: string | null } | undefined = await knex(
    "authorization",
  )
    .where({ id: authorizationId, user_id: userId, type: "login" })
    .first("proved_at", "factor");
  if (!found?.proved_at || nowMs - found.proved_at.getTime() > freshMs) return false;
  return found.factor !== null || !(await hasFactors(userId, knex));
}

/**
 * Refuses callers who did not sign in recently.
 * @throws {ApiError} SIGN_IN_STALE
 */
export async function refuseStale(principal: Principal, knex: Knex, nowMs: number): Promise<void> {
  if (!(await isFresh(principal, knex, nowMs)))
    throw new ApiError("SIGN_IN_STALE", [
      "sign in by password (with the second factor) or by passkey, then call again; people who sign on through a provider manage their second factor there",
    ]);
}
