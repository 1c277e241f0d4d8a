import { isDeepStrictEqual } from "node:util";
import type { Knex } from "knex";
import { parseParameters } from "../access/index.ts";
import { writeAudit } from "../../catalog/index.ts";
import { ApiError, type Principal, type Records, type ResourceRow } from "../../base/index.ts";
import type { Person } from "./claims.ts";
import type { Provider } from "./provider.ts";

/** A sign-on whose claims are applied to a user, and the transaction in which they are applied. */
export interface Application {
  readonly records: Records;
  readonly transaction: Knex.Transaction;
  /** The user, who is also the principal of the changes. */
  readonly principal: Principal;
  readonly requestId: string;
  /** The address of the browser from which the person signs on. */
  readonly address: string;
  readonly provider: Provider;
  readonly person: Person;
}

/**
 * Applies claims to a user: grants the rights that the claims give, and removes rights that they no longer give.
 * Changes only the members that the provider's mapping names. The last owner of an organization remains an owner.
 * @throws {ApiError} SIGN_ON_REFUSED for a user of another suborganization whom the claims may not move
 */
export async function applyPerson(application: Application): Promise<void> {
  await applyUser(application);
  await applyRole(application);
  await applyGroups(application);
}

async function applyUser(application: Application): Promise<void> {
  const { records, transaction, principal, person, provider } = application;
  const [user] = await records.find("user", { id: principal.userId }, transaction);
  if (!user) throw new ApiError("SIGN_ON_REFUSED", ["your user no longer exists; sign in again"]);
  const { name, email, suborganization } = person;
  const given: Record<string, unknown> = {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(suborganization !== undefined && { suborganization }),
    ...(provider.parameters.size > 0 && { parameter_overrides: parametersOf(user, person) }),
  };
  const stored: Readonly<Record<string, unknown>> = { ...user };
  const changed = Object.entries(given).filter(
    ([member, value]) => !isDeepStrictEqual(value, stored[member]),
  );
  if (changed.length === 0) return;
  await records.change("user", user.id, Object.fromEntries(changed), transaction);
  await audit(application, {
    action: "update",
    resource: "user",
    recordId: user.id,
    members: changed.map(([member]) => member),
  });
}

/**
 * Returns the parameter overrides to store for a user. Parameters from the provider replace parameters that people have
 * set.
 */
function parametersOf(user: ResourceRow<"user">, { parameters }: Person): object {
  const bare = (name: string) => name.replace(/^metadata\./, "");
  const mapped = new Set([...parameters.keys()].map(bare));
  const kept = Object.entries(user.parameter_overrides ?? {}).filter(
    ([name]) => !mapped.has(bare(name)),
  );
  const merged = { ...Object.fromEntries(kept), ...Object.fromEntries(parameters) };
  try {
    parseParameters(merged, "parameter_overrides");
  } catch (failure) {
    // Stored parameters that are invalid would make every call of the user fail.
    if (!(failure instanceof ApiError)) throw failure;
    throw new ApiError("SIGN_ON_REFUSED", [
      `the claims do not match your parameters (${failure.message}); ask the administrator of the identity provider`,
    ]);
  }
  return merged;
}

async function applyRole(application: Application): Promise<void> {
  const { transaction, principal, person } = application;
  const { organizationId, userId } = principal;
  if (person.role === undefined) return;
  const owners: string[] = await transaction("organization_user")
    .where({ organization_id: organizationId, flagOwn: true })
    .forUpdate()
    .pluck("user_id");
  const isLastOwner = owners.length === 1 && owners[0] === userId;
  const flagOwn = person.role === "owner" || isLastOwner;
  const flags = { flagOwn, flagEditor: flagOwn || person.role === "editor" };
  const { rowCount }: { rowCount: number } = await transaction.raw(
    `update organization_user set "flagOwn" = :flagOwn, "flagEditor" = :flagEditor
      where organization_id = :organizationId and user_id = :userId
        and ("flagOwn", "flagEditor") is distinct from (:flagOwn, :flagEditor)`,
    { ...flags, organizationId, userId },
  );
  if (rowCount === 0) return;
  await audit(application, {
    action: "associate",
    resource: "organization",
    recordId: organizationId,
    members: ["flagOwn", "flagEditor"],
    target: { role: "Users", resource: "user", id: userId },
  });
}

async function applyGroups(application: Application): Promise<void> {
  const { transaction, principal, provider, person } = application;
  if (!provider.groups || !person.groups) return;
  const { userId } = principal;
  const named = [...new Set(provider.groups.values.values())];
  // Groups are skipped if they no longer exist or are outside of the organization or suborganization.
  const { rows: groups }: { rows: { id: string; isMember: boolean }[] } = await transaction.raw(
    `select g.id, coalesce(l."flagMember", false) as "isMember"
       from "group" g
       join "user" u on u.id = :userId
       left join group_user l on l.group_id = g.id and l.user_id = u.id
      where g.id = any(:named) and g.organization_id = :organizationId and not g.public
        and (g.suborganization is null or g.suborganization = u.suborganization)`,
    { userId, named, organizationId: principal.organizationId },
  );
  const target = { role: "Users", resource: "user", id: userId };
  for (const { id, isMember } of groups) {
    const isWanted = person.groups.has(id);
    if (isWanted === isMember) continue;
    if (isWanted)
      await transaction("group_user")
        .insert({ group_id: id, user_id: userId, flagMember: true })
        .onConflict(["group_id", "user_id"])
        .merge({ flagMember: true });
    else await transaction("group_user").where({ group_id: id, user_id: userId }).delete();
    const action = isWanted ? "associate" : "dissociate";
    await audit(application, { action, resource: "group", recordId: id, target });
  }
}

const audit = (
  { records, principal, requestId, address, transaction }: Application,
  change: Parameters<typeof writeAudit>[2],
) => writeAudit(records, { principal, requestId, address }, change, transaction);
