import type { Client } from "../../web/client/index.ts";
import { alertTask, type Association } from "../../resources/index.ts";
import { type Json } from "./json.ts";
import { carried, declarationOf, kindNames, kinds, type KindName } from "./kinds.ts";
import type { LinkEntry, Source, TransferRecord } from "./record.ts";
import { isObject, listOf, type Members } from "../../base/index.ts";

/** The transferable records of an organization, as far as the caller may read them. */
export interface Tenant {
  readonly organization: { readonly id: string; readonly name: unknown };
  /** The records in the order of `kindNames`. Parts come after the records to which they belong. */
  readonly records: readonly TransferRecord[];
}

/** A record as the API returns it. */
export type Row = Json & { readonly id: string };

const pageSize = 500;

/** Reads all records of a resource that match, page by page. A host may return smaller pages than requested. */
export async function readAll(client: Client, resource: string, find: Json): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await client.get<{ readonly count: number; readonly rows: readonly Row[] }>(
      resource,
      { ...find, limit: pageSize, offset: rows.length },
    );
    rows.push(...page.rows);
    if (page.rows.length === 0 || rows.length >= page.count) return rows;
  }
}

const memberOf = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Returns the name of the right in the highest flag of a link: `flagModify` becomes `modify`. */
function rightOf(flags: readonly string[], link: Json): string {
  const highest = flags.findLast((flag) => link[flag] === true) ?? flags[0]!;
  return highest.slice("flag".length).toLowerCase();
}

function linkEntry(association: Association, row: Row): LinkEntry {
  if (association.kind !== "through") return { id: row.id };
  const { member, flags = [], choice, fields = {} } = association.link;
  const hasFlag = (value: unknown): value is Json =>
    isObject(value) && flags.some((flag) => Object.hasOwn(value, flag));
  // Other hosts of the API may give the link another name.
  const link = isObject(row[member]) ? row[member] : (Object.values(row).find(hasFlag) ?? {});
  const names = [...(choice ? [choice.member] : []), ...Object.keys(fields)];
  const said = names
    .map((name) => [name, link[name]] as const)
    .filter(([, value]) => value !== null && value !== undefined && value !== false);
  return {
    id: row.id,
    ...(flags.length > 0 && { right: rightOf(flags, link) }),
    ...Object.fromEntries(said),
  };
}

function linksOf(kind: KindName, row: Row): TransferRecord["links"] {
  const { associations } = declarationOf(kind);
  const links = kinds[kind].links.map((name) => {
    const association = associations[name];
    if (!association) throw new TypeError(`${kind} has no association ${name}`);
    const found = row[memberOf(name)] ?? [];
    const others = (Array.isArray(found) ? found : [found]) as readonly Row[];
    const entries = others.map((other) => linkEntry(association, other));
    return [name, entries.toSorted((one, other) => (one.id < other.id ? -1 : 1))] as const;
  });
  return Object.fromEntries(links.filter(([, entries]) => entries.length > 0));
}

const sourceMembers = [
  "storage",
  "account_id",
  "source_dataset",
  "source_sheet",
  "source_query",
  "source_parameters",
] as const;

function sourceOf(row: Json): Source {
  const { storage, account_id, source_dataset, source_sheet, source_query, source_parameters } =
    row;
  if (storage !== "client") return { kind: "pushed" };
  const account = String(account_id ?? source_dataset);
  if (typeof source_query === "string")
    return {
      kind: "statement",
      account,
      query: source_query,
      parameters: Array.isArray(source_parameters) ? source_parameters.filter(isObject) : [],
    };
  return { kind: "plugin", account, dataset: String(source_sheet) };
}

function membersOf(row: Row & Members<"public" | "users">): Pick<TransferRecord, "members"> {
  if (row.public === true) return {};
  const link = declarationOf("group").associations["Users"];
  const flags = (link?.kind === "through" ? link.link.flags : undefined) ?? [];
  const users = listOf(row.users).filter(isObject<"email" | "groupRole">);
  const members = users.map(({ email, groupRole }) => ({
    email: String(email),
    right: rightOf(flags, isObject(groupRole) ? groupRole : {}),
  }));
  return { members: members.toSorted((one, other) => (one.email < other.email ? -1 : 1)) };
}

/** Converts a row of the API to a record, without the members that are not transferred. */
export function recordOf(kind: KindName, row: Json): TransferRecord {
  const read = row as Row;
  const { parent } = kinds[kind];
  const members = [...carried(kind)].filter(([, field]) => !field.secret).map(([name]) => name);
  return {
    kind,
    id: read.id,
    properties: Object.fromEntries(members.map((name) => [name, read[name] ?? null])),
    links: linksOf(kind, read),
    ...(parent && { parent: String(read[parent.key]) }),
    ...(kind === "dataset" && { source: sourceOf(read) }),
    ...(kind === "group" && Array.isArray(read["users"]) && membersOf(read)),
  };
}

/** Returns the `find` that reads all records of a kind, with their links. */
export function findOf(kind: KindName, organizationId: string) {
  const { links, parent, where } = kinds[kind];
  const { associations } = declarationOf(kind);
  const include = links.map((name) => ({
    model: associations[name]?.resource,
    as: name,
    ...(associations[name]?.resource === "securable" && { attributes: ["id"] }),
  }));
  const members = [...carried(kind)].filter(([, field]) => !field.secret).map(([name]) => name);
  const more = kind === "dataset" ? [...sourceMembers] : [];
  return {
    attributes: ["id", ...members, ...more, ...(parent ? [parent.key] : [])],
    ...(where && { where: where(organizationId) }),
    include: [
      ...include,
      ...(kind === "group" ? [{ model: "user", as: "Users", attributes: ["id", "email"] }] : []),
    ],
  };
}

/** Returns whether a record is the schedule of an alert. Each new alert creates its own schedule. */
export function isMadeByAlert({ kind, properties }: TransferRecord): boolean {
  const { task } = properties;
  return kind === "schedule" && task === alertTask;
}

/**
 * Reads the records that the caller may read, page by page, over the API. Omits parts of records that the caller cannot
 * see.
 * @throws {ClientError}
 */
export async function readTenant(client: Client): Promise<Tenant> {
  const { rows } = await client.get("organization");
  const organization = rows[0] as Row;
  const records: TransferRecord[] = [];
  const known = new Set([organization.id]);
  for (const kind of kindNames) {
    const rows = await readAll(client, kinds[kind].resource, findOf(kind, organization.id));
    for (const record of rows.map((row) => recordOf(kind, row))) {
      if (record.parent !== undefined && !known.has(record.parent)) continue;
      if (isMadeByAlert(record)) continue;
      known.add(record.id);
      records.push(record);
    }
  }
  return { organization: { id: organization.id, name: organization["name"] }, records };
}

/**
 * Reads the labels and colours of a column's values, in the order of the values.
 * @throws {ClientError}
 */
export async function readElements(client: Client, columnId: string): Promise<readonly Json[]> {
  const elements: Json[] = [];
  for (;;) {
    const { rows } = await client.get("hierarchy", {
      where: { column_id: columnId },
      limit: 5_000,
      offset: elements.length,
    });
    for (const { column_id: _, ...element } of rows) elements.push(element);
    if (rows.length < 5_000) return elements;
  }
}
