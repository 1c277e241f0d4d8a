import type { Knex } from "knex";
import { ApiError, type Principal, type Members } from "../../base/index.ts";
import { removeFactors } from "../../identity/index.ts";
import { type Values, flag } from "../kernel/index.ts";

const settable = { on: ["update"] } as const;

/**
 * Inputs with which an update of a user revokes the user's tokens and removes second factors. These inputs are not
 * stored.
 */
export const endings = {
  end_sessions: flag({
    description:
      "Whether to end all sessions of the user, and all embed tokens that act for the user.",
    ...settable,
    nullable: false,
  }),
  end_api_tokens: flag({
    description:
      "Whether to revoke the user's API tokens, and the embed tokens that the user issued.",
    ...settable,
    nullable: false,
  }),
  end_second_factors: flag({
    description: "Whether to remove the second factors and recovery codes of another user.",
    ...settable,
    nullable: false,
  }),
};

/** Returns whether a call requests any of the changes in `endings`. */
export function hasEndings(values: Values): boolean {
  return Object.keys(endings).some((member) => values[member] === true);
}

/**
 * Deletes tokens and second factors of a user.
 *
 * - `end_sessions`: all sessions, including the caller's, and all embed tokens that act for the user.
 * - `end_api_tokens`: the user's API tokens, except the caller's own, and the embed tokens that the user issued.
 * - `end_second_factors`: all second factors and recovery codes; only for another user.
 * @throws {ApiError} FORBIDDEN
 */
export async function endTokens(
  userId: string,
  values: Members<"end_second_factors" | "end_sessions" | "end_api_tokens">,
  { authorizationId: callerId, userId: ownId }: Pick<Principal, "authorizationId" | "userId">,
  transaction: Knex.Transaction,
): Promise<void> {
  if (values.end_second_factors === true) {
    if (userId === ownId)
      throw new ApiError("FORBIDDEN", [
        "remove the second factors of other users; remove your own at /account, after signing in again",
      ]);
    await removeFactors(userId, transaction);
  }
  if (values.end_sessions === true)
    await transaction("authorization").where({ user_id: userId }).whereNot("type", "api").delete();
  if (values.end_api_tokens === true)
    await transaction("authorization")
      .whereNot("id", callerId)
      .where((some) => {
        some.where({ user_id: userId, type: "api" }).orWhere("maker_id", userId);
      })
      .delete();
}
