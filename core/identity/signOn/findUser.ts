import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { personOf, type Standing, type UserColumns } from "../access/index.ts";
import { type Change, writeAudit } from "../../catalog/index.ts";
import { ApiError, nobody, type Principal, type Records } from "../../base/index.ts";
import type { Person } from "./claims.ts";
import type { Provider } from "./provider.ts";

/** The sign-on of a person, and the transaction in which the user is found. */
export interface SignOnContext {
  readonly records: Records;
  readonly transaction: Knex.Transaction;
  readonly configId: string;
  readonly organizationId: string;
  readonly provider: Provider;
  readonly requestId: string;
  /** The address of the browser from which the person signs on. */
  readonly address: string;
}

/**
 * Finds the user of a person by issuer and subject, in the organization of the ssoconfig. Otherwise links the user with
 * the verified e-mail address, or creates a user, as far as the provider's config allows. Calls for the same person are
 * serialized, so that signing on in two windows creates only one user.
 * @throws {ApiError} SIGN_ON_REFUSED
 */
export async function findUser(context: SignOnContext, person: Person): Promise<Principal> {
  const { transaction, configId, provider } = context;
  const identity = { ssoconfig_id: configId, issuer: provider.issuer, subject: person.subject };
  const lock = `${configId} ${provider.issuer} ${person.subject}`;
  await transaction.raw("select pg_advisory_xact_lock(hashtextextended(?, 0))", [lock]);
  const known = await transaction("sign_on_identity").where(identity).first("user_id");
  const found: string | undefined = known?.user_id ?? (await linked(context, person));
  if (found !== undefined) await refuseEnded(context, found);
  const userId = found ?? (provider.makesUsers ? await makeUser(context, person) : undefined);
  if (userId === undefined)
    throw new ApiError("SIGN_ON_REFUSED", [
      "this organization has no user for your account at the provider; ask an owner of the organization to create one",
    ]);
  const principal = await principalOfUser(context, userId);
  if (!known) {
    await transaction("sign_on_identity").insert({ ...identity, user_id: userId });
    const { records, requestId, address } = context;
    const change = linkOf("associate", configId, userId);
    await writeAudit(records, { principal, requestId, address }, change, transaction);
  }
  return principal;
}

/** Returns the audit event for adding or removing a user's link to a provider. */
export function linkOf(
  action: "associate" | "dissociate",
  configId: string,
  userId: string,
): Change {
  const target = { role: "Users", resource: "user", id: userId };
  return { action, resource: "ssoconfig", recordId: configId, target };
}

/**
 * Returns the user whom the provider manages under the person's external id, or otherwise the user with the person's
 * verified e-mail address.
 */
async function linked(
  context: SignOnContext,
  { externalId = "", email, hasVerifiedEmail }: Person,
): Promise<string | undefined> {
  const kept = await context
    .transaction("provisioned_user")
    .where({ ssoconfig_id: context.configId, external_id: externalId })
    .first("user_id");
  return kept?.user_id ?? (hasVerifiedEmail ? linkableUser(context, email) : undefined);
}

/** Refuses a user whom the provider has deactivated. */
async function refuseEnded(
  { transaction, configId }: SignOnContext,
  userId: string,
): Promise<void> {
  const ended = await transaction("provisioned_user")
    .where({ ssoconfig_id: configId, user_id: userId, active: false })
    .first("user_id");
  if (ended)
    throw new ApiError("SIGN_ON_REFUSED", [
      "your organization's identity provider has deactivated your account; ask its administrator",
    ]);
}

/**
 * Finds the user of the organization who has the verified e-mail address, if the config allows linking. There must be
 * only one such user, who must not have an identity of this ssoconfig and must not have been created by a token.
 */
export async function linkableUser(
  {
    transaction,
    configId,
    organizationId,
    provider: { linksByEmail },
  }: Pick<SignOnContext, "transaction" | "configId" | "organizationId" | "provider">,
  email: string | undefined,
): Promise<string | undefined> {
  if (!linksByEmail || email === undefined) return undefined;
  const ids: string[] = await transaction("user as u")
    .join("organization_user as o", "o.user_id", "u.id")
    .where("o.organization_id", organizationId)
    .whereRaw("lower(u.email) = lower(?)", [email])
    .whereRaw(
      "not exists (select 1 from sign_on_identity i where i.user_id = u.id and i.ssoconfig_id = ?)",
      [configId],
    )
    .whereRaw(
      "not exists (select 1 from provisioned_user p where p.user_id = u.id and p.ssoconfig_id = ?)",
      [configId],
    )
    .whereRaw("not exists (select 1 from end_user e where e.user_id = u.id)")
    .limit(2)
    .pluck("u.id");
  return ids.length === 1 ? ids[0] : undefined;
}

async function makeUser(context: SignOnContext, { name, email }: Person): Promise<string> {
  const { records, transaction, organizationId, requestId, address } = context;
  if (email === undefined)
    throw new ApiError("SIGN_ON_REFUSED", [
      "the provider does not send your e-mail address; ask its administrator to release the claim email",
    ]);
  const id = randomUUID();
  await records.insert("user", { id, email, name: name ?? email }, transaction);
  await transaction("organization_user").insert({
    organization_id: organizationId,
    user_id: id,
    sso: true,
  });
  const principal = await principalOfUser(context, id);
  const change = { action: "create", resource: "user", recordId: id } as const;
  await writeAudit(records, { principal, requestId, address }, change, transaction);
  return id;
}

async function principalOfUser(
  { transaction, organizationId }: SignOnContext,
  userId: string,
): Promise<Principal> {
  const { rows }: { rows: { user: UserColumns; standing: Standing }[] } = await transaction.raw(
    `select to_jsonb(u) as "user", to_jsonb(o) as standing
       from "user" u join organization_user o on o.user_id = u.id
      where u.id = ? and o.organization_id = ?`,
    [userId, organizationId],
  );
  const [found] = rows;
  if (!found)
    throw new ApiError("SIGN_ON_REFUSED", [
      "your user no longer belongs to the organization; ask one of its owners for access",
    ]);
  return personOf(nobody, "login", found.user, found.standing);
}
