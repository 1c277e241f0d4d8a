import { randomUUID } from "node:crypto";
import SCIMMY from "scimmy";
import { writeAudit } from "../../../catalog/index.ts";
import { removeFactors } from "../../factors/index.ts";
import { isObject, listOf, type Members } from "../../../base/index.ts";
import { linkableUser, linkOf } from "../findUser.ts";
import { actorOf, type ScimCall } from "./scimCall.ts";
import { stopWork } from "./stopWork.ts";

type Described = Members<"displayName" | "emails" | "name" | "userName">;

/** A row of `provisioned_user`. */
interface StoredUser {
  readonly user_id: string;
  readonly user_name: string;
  readonly external_id: string | null;
  readonly active: boolean;
  readonly described: Described;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const mostRows = 10_000;

const usersOf = ({ transaction, configId }: ScimCall) =>
  transaction("provisioned_user").where({ ssoconfig_id: configId });

/** Returns users in SCIM form: the user with the given id, the users with the given name, or all users. */
export async function readUsers(
  call: ScimCall,
  { id, userName, externalId }: { id?: string; userName?: string; externalId?: string },
): Promise<readonly ScimUser[]> {
  const query = usersOf(call).orderBy("created_at").orderBy("user_id").limit(mostRows);
  if (id !== undefined) query.where({ user_id: id });
  if (userName !== undefined) query.whereRaw("lower(user_name) = lower(?)", [userName]);
  if (externalId !== undefined) query.where({ external_id: externalId });
  const rows: StoredUser[] = await query;
  return rows.map(present);
}

/** A user in SCIM form. */
export interface ScimUser extends Members {
  readonly id: string;
  readonly userName: string;
}

function present(row: StoredUser): ScimUser {
  return {
    ...row.described,
    id: row.user_id,
    userName: row.user_name,
    ...(row.external_id !== null && { externalId: row.external_id }),
    active: row.active,
    meta: { created: row.created_at, lastModified: row.updated_at },
  };
}

/** Creates or changes a user as a provider describes it. An inactive user loses all access. */
export async function writeUser(
  call: ScimCall,
  id: string | undefined,
  given: Described,
): Promise<ScimUser> {
  const { transaction, configId, records } = call;
  const {
    userName,
    externalId: givenExternalId,
    active: givenActive,
    schemas: _,
    id: __,
    meta: ___,
    ...described
  } = given;
  const person = { email: emailOf(given), name: nameOf(given) };
  const [known]: StoredUser[] =
    id === undefined ? [] : await usersOf(call).where({ user_id: id }).forUpdate();
  if (id !== undefined && !known) throw new SCIMMY.Types.Error(404, "", `Resource ${id} not found`);
  // Without `active`, a deactivated user stays inactive. A PUT without an external id keeps the stored external id,
  // because sign-ons find the user by it.
  const active = givenActive ?? known?.active ?? true;
  const externalId = givenExternalId ?? (call.method === "PUT" ? known?.external_id : null) ?? null;
  await refuseTaken(call, id, String(userName), externalId);
  const userId = id ?? (await linkableUser(call, person.email)) ?? (await makeUser(call, person));
  await transaction("provisioned_user")
    .insert({
      ssoconfig_id: configId,
      user_id: userId,
      user_name: userName,
      external_id: externalId,
      active: active === true,
      described: JSON.stringify(described),
      ...(known && { created_at: known.created_at, updated_at: new Date() }),
    })
    .onConflict(["ssoconfig_id", "user_id"])
    .merge();
  if (!known)
    await writeAudit(records, actorOf(call), linkOf("associate", configId, userId), transaction);
  await records.change("user", userId, person, transaction);
  const change = { action: "update", resource: "user", recordId: userId } as const;
  const members = ["email", "name", "active"];
  await writeAudit(records, actorOf(call), { ...change, members }, transaction);
  if (active !== true) await endAccess(call, userId);
  const [written] = await readUsers(call, { id: userId });
  if (!written) throw new Error("a user was written but cannot be found");
  return written;
}

/** Removes all access of a user, and forgets that the provider manages the user. Keeps the user's records. */
export async function removeUser(call: ScimCall, id: string): Promise<void> {
  const removed = await usersOf(call).where({ user_id: id }).delete();
  if (removed === 0) throw new SCIMMY.Types.Error(404, "", `Resource ${id} not found`);
  await call
    .transaction("sign_on_identity")
    .where({ ssoconfig_id: call.configId, user_id: id })
    .delete();
  await endAccess(call, id);
  const change = linkOf("dissociate", call.configId, id);
  await writeAudit(call.records, actorOf(call), change, call.transaction);
}

/**
 * Deletes a user's tokens, the tokens that the user issued, and the user's password and second factors. Stops the
 * user's scheduled work.
 */
async function endAccess(call: ScimCall, userId: string): Promise<void> {
  const { transaction, records } = call;
  await transaction("authorization")
    .where((some) => {
      some.where({ user_id: userId }).orWhere("maker_id", userId);
    })
    .delete();
  await transaction("user_password").where({ user_id: userId }).delete();
  await removeFactors(userId, transaction);
  await stopWork(call, userId);
  const members = ["end_sessions", "end_api_tokens", "password"];
  const change = { action: "update", resource: "user", recordId: userId, members } as const;
  await writeAudit(records, actorOf(call), change, transaction);
}

async function makeUser(call: ScimCall, person: { email: string; name: string }): Promise<string> {
  const { transaction, records, organizationId } = call;
  const id = randomUUID();
  await records.insert("user", { id, ...person }, transaction);
  await transaction("organization_user").insert({
    organization_id: organizationId,
    user_id: id,
    sso: true,
  });
  const change = { action: "create", resource: "user", recordId: id } as const;
  await writeAudit(records, actorOf(call), change, transaction);
  return id;
}

async function refuseTaken(
  call: ScimCall,
  id: string | undefined,
  userName: string,
  externalId: unknown,
): Promise<void> {
  const taken = await usersOf(call)
    .where((some) => {
      some.whereRaw("lower(user_name) = lower(?)", [userName]);
      if (typeof externalId === "string") some.orWhere({ external_id: externalId });
    })
    .whereRaw("user_id is distinct from ?::uuid", [id ?? null])
    .first("user_id");
  if (taken)
    throw new SCIMMY.Types.Error(
      409,
      "uniqueness",
      "userName or externalId already belongs to another user",
    );
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.slice(0, 200) : undefined;

/**
 * Returns the primary e-mail address, or otherwise the first address, or otherwise the user name if it is an address.
 */
function emailOf({ emails, userName }: Described): string {
  const entries = listOf(emails).filter(isObject<"primary" | "value">);
  const primary = entries.find((each) => each.primary === true) ?? entries[0];
  const email = textOf(primary?.value) ?? textOf(userName) ?? "";
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw new SCIMMY.Types.Error(
    400,
    "invalidValue",
    "emails must contain an e-mail address, or userName must be one",
  );
}

function nameOf(given: Described): string {
  const name = isObject<"givenName" | "familyName" | "formatted">(given.name) ? given.name : {};
  const parts = [textOf(name.givenName), textOf(name.familyName)].filter(Boolean).join(" ");
  const known = textOf(given.displayName) ?? textOf(name.formatted) ?? textOf(parts);
  return known ?? String(given.userName).slice(0, 200);
}
