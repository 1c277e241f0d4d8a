import { isDeepStrictEqual } from "node:util";
import type { Knex } from "knex";
import { writeAudit } from "../../catalog/index.ts";
import { ApiError, type Row } from "../../base/index.ts";
import { type HookCall, type Values } from "../kernel/index.ts";
import { organizationUser } from "../rights/links.ts";

/** Members of a token that describe its user. */
const members = [
  "name",
  "email",
  "suborganization",
  "role",
  "theme",
  "locale_id",
  "timezone_id",
] as const;

/** The call for which an end user is needed. */
type EndUserCall = Pick<HookCall, "principal" | "requestId" | "address"> & {
  readonly context: Pick<HookCall["context"], "records">;
};

/**
 * Finds the end user with a name in the caller's organization, or creates the user, and stores what the token says
 * about the user. Tokens with the same name that are created concurrently share one user. Executes two SQL statements,
 * and more if something changes.
 */
export async function endUserOf(
  username: string,
  values: Values,
  { context, principal, requestId, address }: EndUserCall,
): Promise<string> {
  const { records } = context;
  const given: Record<string, unknown> = Object.fromEntries(
    members.flatMap((member) => (values[member] == null ? [] : [[member, values[member]]])),
  );
  const { organizationId, suborganization = null } = principal;
  if (suborganization !== null) given["suborganization"] ??= suborganization;
  const refuseOther = (other: unknown) => {
    if (suborganization !== null && other !== suborganization)
      throw new ApiError("FORBIDDEN", ["create tokens for users of another suborganization"]);
  };
  refuseOther(given["suborganization"]);
  const known = { organization_id: organizationId, username };
  return records.transaction(async (transaction) => {
    const lookUp = async (): Promise<string | undefined> =>
      (await transaction("end_user").where(known).first("user_id"))?.user_id;
    const actor = { principal, requestId, address };
    const userId =
      (await lookUp()) ?? (await lockName(organizationId, username, transaction, lookUp));
    if (userId === undefined) {
      const user = await records.insert("user", { email: "", ...given }, transaction);
      await transaction("end_user").insert({ ...known, user_id: user.id });
      await transaction(organizationUser.table).insert({
        organization_id: organizationId,
        user_id: user.id,
      });
      const change = { action: "create", resource: "user", recordId: user.id } as const;
      await writeAudit(records, actor, { ...change, members: Object.keys(given) }, transaction);
      return user.id;
    }
    const [user]: readonly Row[] = await records.find("user", { id: userId }, transaction);
    refuseOther(user?.["suborganization"]);
    const changed = Object.keys(given).filter(
      (member) => !isDeepStrictEqual(user?.[member], given[member]),
    );
    if (changed.length > 0) {
      await records.change("user", userId, given, transaction);
      const change = { action: "update", resource: "user", recordId: userId } as const;
      await writeAudit(records, actor, { ...change, members: changed }, transaction);
    }
    return userId;
  });
}

/** Locks the name, so that no concurrent transaction creates the same user, and looks up the user once more. */
async function lockName(
  organizationId: string,
  username: string,
  transaction: Knex.Transaction,
  lookUp: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const name = `${organizationId} ${username}`;
  await transaction.raw("select pg_advisory_xact_lock(hashtextextended(?, 0))", [name]);
  return lookUp();
}
