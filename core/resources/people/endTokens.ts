import type { Knex } from "knex";
import { ApiError, type Principal, type Members } from "../../base/index.ts";
import { removeFactors } from "../../identity/index.ts";
import { type Values, flag } from "../kernel/index.ts";

const settable = { on: ["update"] } as const;

/** Inputs with which an update of a user ends tokens and second factors; none is stored. */
export const endings = {
  end_sessions: flag({ ...settable, nullable: false }),
  end_api_tokens: flag({ ...settable, nullable: false }),
  end_second_factors: flag({ ...settable, nullable: false }),
};

/** Returns whether a call asks to end tokens of a user. */
export function asksToEnd(values: Values): boolean {
  return Object.keys(endings).some((member) => values[member] === true);
}

/**
 * Ends tokens of a user as a call asks. `end_sessions`: all sessions, also the session of the caller, and all embed
 * tokens that act for the user. `end_api_tokens`: the user's api tokens, except the token that calls, and the embed
 * tokens that the user made. `end_second_factors`: all its second factors and recovery codes; of another user alone.
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
        "remove the second factors of another user; remove your own at /account, after a fresh sign-in",
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
