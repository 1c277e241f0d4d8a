import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { personOf, type Standing, type UserColumns } from "../access/index.ts";
import { type Change, writeAudit } from "../../catalog/index.ts";
import { ApiError, nobody, type Principal, type Records } from "../../base/index.ts";
import type { Person } from "./claims.ts";
import type { Provider } from "./provider.ts";

/** Where a person is looked for. */
export interface Place {
  readonly records: Records;
  readonly transaction: Knex.Transaction;
  readonly configId: string;
  readonly organizationId: string;
  readonly provider: Provider;
  readonly requestId: string;
  /** The address of the browser that signs on. */
  readonly address: string;
}

/**
 * Finds the user of a person by issuer and subject, in the organization of the ssoconfig. Without one, links the user
 * who has the verified e-mail address, or makes a user, where the provider's config allows it. Persons are found one at
 * a time, so that two windows make one user. @throws {ApiError} SIGN_ON_REFUSED
 */
export async function findUser(place: Place, person: Person): Promise<Principal> {
  const { transaction, configId, provider } = place;
  const identity = { ssoconfig_id: configId, issuer: provider.issuer, subject: person.subject };
  const lock = `${configId} ${provider.issuer} ${person.subject}`;
  await transaction.raw("select pg_advisory_xact_lock(hashtextextended(?, 0))", [lock]);
  const known = await transaction("sign_on_identity").where(identity).first("user_id");
  const found: string | undefined = known?.user_id ?? (await linked(place, person));
  if (found !== undefined) await refuseEnded(place, found);
  const userId = found ?? (provider.makesUsers ? await makeUser(place, person) : undefined);
  if (userId === undefined)
    throw new ApiError("SIGN_ON_REFUSED", [
      "nobody here has your account of the provider; ask an owner of your organization to let you in",
    ]);
  const principal = await principalOfUser(place, userId);
  if (!known) {
    await transaction("sign_on_identity").insert({ ...identity, user_id: userId });
    const { records, requestId, address } = place;
    const change = linkOf("associate", configId, userId);
    await writeAudit(records, { principal, requestId, address }, change, transaction);
  }
  return principal;
}

/** The change that makes a user one of a provider's, or ends that, as the audit has it. */
export function linkOf(
  action: "associate" | "dissociate",
  configId: string,
  userId: string,
): Change {
  const target = { role: "Users", resource: "user", id: userId };
  return { action, resource: "ssoconfig", recordId: configId, target };
}

/** The user whom the provider keeps under the person's external id, else the one with its verified address. */
async function linked(
  place: Place,
  { externalId = "", email, hasVerifiedEmail }: Person,
): Promise<string | undefined> {
  const kept = await place
    .transaction("provisioned_user")
    .where({ ssoconfig_id: place.configId, external_id: externalId })
    .first("user_id");
  return kept?.user_id ?? (hasVerifiedEmail ? linkableUser(place, email) : undefined);
}

/** Refuses a user whom the provider keeps as one that is not active. */
async function refuseEnded({ transaction, configId }: Place, userId: string): Promise<void> {
  const ended = await transaction("provisioned_user")
    .where({ ssoconfig_id: configId, user_id: userId, active: false })
    .first("user_id");
  if (ended)
    throw new ApiError("SIGN_ON_REFUSED", [
      "your company ended your access; ask who runs its accounts",
    ]);
}

/**
 * Finds the one user of the organization who has an e-mail address that the provider vouches for, where the config
 * allows to link it. Only a user without an identity of this ssoconfig is linked, and never one whom tokens made.
 */
export async function linkableUser(
  {
    transaction,
    configId,
    organizationId,
    provider: { linksByEmail },
  }: Pick<Place, "transaction" | "configId" | "organizationId" | "provider">,
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

async function makeUser(place: Place, { name, email }: Person): Promise<string> {
  const { records, transaction, organizationId, requestId, address } = place;
  if (email === undefined)
    throw new ApiError("SIGN_ON_REFUSED", [
      "the provider does not say your e-mail address; ask who runs it to release the claim email",
    ]);
  const id = randomUUID();
  await records.insert("user", { id, email, name: name ?? email }, transaction);
  await transaction("organization_user").insert({
    organization_id: organizationId,
    user_id: id,
    sso: true,
  });
  const principal = await principalOfUser(place, id);
  const change = { action: "create", resource: "user", recordId: id } as const;
  await writeAudit(records, { principal, requestId, address }, change, transaction);
  return id;
}

async function principalOfUser(
  { transaction, organizationId }: Place,
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
      "your user left the organization; ask an owner of it to let you in again",
    ]);
  return personOf(nobody, "login", found.user, found.standing);
}
