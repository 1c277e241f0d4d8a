import SCIMMY from "scimmy";
import { writeAudit } from "../../../catalog/index.ts";
import { isObject, isUuid, type Members } from "../../../base/index.ts";
import { actorOf, type ScimCall } from "./scimCall.ts";

type Described = Members<"displayName" | "externalId" | "members">;

/** A group that a provider manages, with only those members that the provider manages too. */
interface StoredGroup {
  readonly id: string;
  readonly name: unknown;
  readonly external_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly members: readonly { readonly value: string; readonly display: string }[];
}

const mostRows = 10_000;

const statement = `
  select g.id, g.name, p.external_id, p.created_at, p.updated_at, coalesce(m.members, '[]') as members
    from provisioned_group p
    join "group" g on g.id = p.group_id
    left join lateral (
      select jsonb_agg(jsonb_build_object('value', l.user_id, 'display', u.user_name) order by l.user_id) as members
        from group_user l
        join provisioned_user u on u.user_id = l.user_id and u.ssoconfig_id = p.ssoconfig_id
       where l.group_id = g.id and l."flagMember") m on true
   where p.ssoconfig_id = :configId and g.id is not distinct from coalesce(:id::uuid, g.id)
   order by p.created_at, g.id
   limit ${mostRows}`;

const nameIn = (name: unknown): string =>
  isObject<"en">(name) ? String(name.en ?? Object.values(name)[0] ?? "") : String(name);

/** A group in SCIM form. */
export interface ScimGroup extends Members {
  readonly id: string;
  readonly displayName: string;
}

/** Returns all groups of a provider in SCIM form, or only the group with the given id. */
export async function readGroups(call: ScimCall, id?: string): Promise<readonly ScimGroup[]> {
  if (id !== undefined && !isUuid(id)) return [];
  const { configId, transaction } = call;
  const { rows }: { rows: StoredGroup[] } = await transaction.raw(statement, {
    configId,
    id: id ?? null,
  });
  return rows.map((row) => ({
    id: row.id,
    displayName: nameIn(row.name),
    ...(row.external_id !== null && { externalId: row.external_id }),
    members: row.members,
    meta: { created: row.created_at, lastModified: row.updated_at },
  }));
}

/** Creates or changes a group as a provider describes it. Its members must be users whom the provider manages. */
export async function writeGroup(
  call: ScimCall,
  id: string | undefined,
  given: Described,
): Promise<ScimGroup> {
  const { records, transaction, configId, organizationId } = call;
  const name = { en: String(given.displayName).slice(0, 200) };
  const known = id === undefined ? undefined : await expectGroup(call, id);
  const { id: groupId } =
    id === undefined
      ? await records.insert("group", { name, organization_id: organizationId }, transaction)
      : await records.change("group", id, { name }, transaction);
  // A PUT without an external id keeps the stored external id.
  const kept = call.method === "PUT" ? known?.external_id : undefined;
  const externalId = given.externalId ?? kept ?? null;
  await transaction("provisioned_group")
    .insert({ ssoconfig_id: configId, group_id: groupId, external_id: externalId })
    .onConflict(["ssoconfig_id", "group_id"])
    .merge({ external_id: externalId, updated_at: new Date() });
  const action = id === undefined ? "create" : "update";
  const change = { action, resource: "group", recordId: groupId, members: ["name"] } as const;
  await writeAudit(records, actorOf(call), change, transaction);
  await setMembers(call, groupId, membersIn(given));
  const [written] = await readGroups(call, groupId);
  if (!written) throw new Error("a group was written but cannot be found");
  return written;
}

/** Deletes a group and the shares with it. */
export async function removeGroup(call: ScimCall, id: string): Promise<void> {
  await expectGroup(call, id);
  const { records, transaction } = call;
  await records.remove("group", [id], transaction);
  const change = { action: "delete", resource: "group", recordId: id } as const;
  await writeAudit(records, actorOf(call), change, transaction);
}

async function expectGroup(
  { transaction, configId }: ScimCall,
  id: string,
): Promise<Pick<StoredGroup, "external_id">> {
  const found: Pick<StoredGroup, "external_id"> | undefined = isUuid(id)
    ? await transaction("provisioned_group")
        .where({ ssoconfig_id: configId, group_id: id })
        .forUpdate()
        .first("external_id")
    : undefined;
  if (!found) throw new SCIMMY.Types.Error(404, "", `Resource ${id} not found`);
  return found;
}

function membersIn({ members }: Described): readonly string[] {
  const given = Array.isArray(members) ? members : [];
  return given.map((each: unknown) => {
    const value = isObject<"value">(each) ? each.value : undefined;
    if (isUuid(value)) return value.toLowerCase();
    throw new SCIMMY.Types.Error(
      400,
      "invalidValue",
      "the value of each member must be the id of a user",
    );
  });
}

/** Sets the members that the provider manages. Other members, whom owners of the organization added, stay. */
async function setMembers(
  call: ScimCall,
  groupId: string,
  wanted: readonly string[],
): Promise<void> {
  const { records, transaction, configId } = call;
  const { rows }: { rows: { user_id: string; is_member: boolean }[] } = await transaction.raw(
    `select u.user_id, coalesce(l."flagMember", false) as is_member
       from provisioned_user u
       left join group_user l on l.group_id = ? and l.user_id = u.user_id
      where u.ssoconfig_id = ?`,
    [groupId, configId],
  );
  const known = new Map(rows.map((row) => [row.user_id, row.is_member]));
  const stranger = wanted.find((each) => !known.has(each));
  if (stranger !== undefined)
    throw new SCIMMY.Types.Error(400, "invalidValue", `${stranger} is not a user of this provider`);
  const added = [...new Set(wanted)].filter((each) => !known.get(each));
  const removed = rows.flatMap((row) =>
    row.is_member && !wanted.includes(row.user_id) ? [row.user_id] : [],
  );
  if (added.length > 0)
    await transaction("group_user")
      .insert(added.map((user_id) => ({ group_id: groupId, user_id, flagMember: true })))
      .onConflict(["group_id", "user_id"])
      .merge({ flagMember: true });
  if (removed.length > 0)
    await transaction("group_user")
      .where({ group_id: groupId })
      .whereIn("user_id", removed)
      .delete();
  for (const [action, ids] of [
    ["associate", added],
    ["dissociate", removed],
  ] as const)
    for (const userId of ids) {
      const target = { role: "Users", resource: "user", id: userId };
      const change = { action, resource: "group", recordId: groupId, target } as const;
      await writeAudit(records, actorOf(call), change, transaction);
    }
}
