import type { Knex } from "knex";
import type { Include } from "./include.ts";
import { idTypeOf } from "../recordId.ts";
import { limits } from "../limits.ts";
import { narrow } from "./narrow.ts";
import type { Association, Link } from "../association.ts";
import { invalidMember, type Scope } from "./scope.ts";
import { columnsOf, presentLevel, type Level } from "./level.ts";

type Read = Record<string, unknown>;

const parentColumn = "included_for";

/**
 * Returns SQL that tests whether the caller owns the record of a link's guard. The test is evaluated only for links
 * with values to hide.
 */
function openTo({ members, resource, key }: NonNullable<Link["guard"]>, scope: Scope): Knex.Raw {
  const { knex, declarations, principal } = scope;
  const guarded = declarations.get(resource);
  if (!guarded) throw new TypeError(`there is no resource ${resource}`);
  const owned = knex(`${resource} as g`)
    .select(knex.raw("1"))
    .whereRaw("g.id = l.??", [key])
    .where((rights) => guarded.allow(rights, "g", "own", principal));
  return knex.raw("(num_nonnulls(?) > 0 and exists (?)) as included_open", [
    knex.raw(members.map(() => "l.??").join(", "), [...members]),
    owned,
  ]);
}

const linkColumn = (name: string): string => `included_link_${name}`;

/**
 * Builds the statement of one include. It selects the children of all parents, each with the key of its parent. Returns
 * an empty list if there can be no children.
 */
function select(
  { association, holder, scope, where, order, includes, attributes, requested }: Include,
  parents: readonly Read[],
): Knex.QueryBuilder | readonly Read[] {
  const { knex, alias, declaration } = scope;
  const isOne = association.kind === "one";
  const keyOfParent = isOne ? association.key : "id";
  const ids = [...new Set(parents.map((parent) => parent[keyOfParent]))].filter(
    (id): id is string => typeof id === "string",
  );
  if (ids.length === 0) return [];
  const column = columnOfParent(association, alias);
  const idType = idTypeOf(isOne ? declaration : holder);
  const query = knex(`${declaration.name} as ${alias}`)
    .select(columnsOf(scope, { attributes, requested }, includes))
    .select(knex.raw("?? as ??", [column, parentColumn]))
    .whereRaw(`?? = any(?::${idType}[])`, [column, ids]);
  const under = { alias, resource: holder.name, ids, idType, column };
  if (association.kind === "one") narrow(query, scope, where, includes);
  else if (association.kind === "many") narrow(query, scope, where, includes, under);
  else {
    const { link, otherKey } = association;
    for (const name of link.columns) query.select(knex.raw("l.?? as ??", [name, linkColumn(name)]));
    query.join(`${link.view ?? link.table} as l`, `l.${otherKey}`, `${alias}.id`);
    if (link.guard) query.select(openTo(link.guard, scope));
    if (link.personal) query.where(`l.${link.personal}`, scope.principal.userId);
    narrow(query, scope, where, includes, { ...under, link: link.table });
  }
  return query.orderByRaw(order).limit(limits.includedCount + 1);
}

/**
 * Returns the column that contains the parent's key: a foreign key of the child, or a column of the link that is joined
 * as `l`.
 */
function columnOfParent(association: Association, alias: string): string {
  if (association.kind === "one") return `${alias}.id`;
  return association.kind === "many" ? `${alias}.${association.key}` : `l.${association.ownKey}`;
}

/** Returns a function that presents the link of a child, as far as the caller may see the link. */
function linkPresenter({ columns, guard }: Link): (row: Read) => Read {
  const members = columns.map(
    (name) => [name, linkColumn(name), guard?.members.includes(name) === true] as const,
  );
  return (row) => {
    const isOpen = row["included_open"] === true;
    const shown: Read = {};
    for (const [name, column, isGuarded] of members) {
      const value = isGuarded && !isOpen ? null : row[column];
      shown[name] = value instanceof Date ? value.toISOString() : value;
    }
    return shown;
  };
}

/** Returns the children of an include by their parent's key, together with the includes below them. */
async function fetchInclude(
  include: Include,
  { cipher, lanes }: Level,
  parents: readonly Read[],
): Promise<ReadonlyMap<unknown, Read[]>> {
  const { association } = include;
  const read: readonly Read[] = await lanes(async () => select(include, parents));
  if (read.length > limits.includedCount)
    throw invalidMember(
      include.scope.path,
      `adds more than ${limits.includedCount} rows: send a smaller limit, or conditions in where`,
    );
  const children = presentLevel(include, read, cipher);
  await fetchIncludes({ includes: include.includes, cipher, lanes }, read, children);
  const link = association.kind === "through" ? association.link : undefined;
  const present = link && linkPresenter(link);
  const byParent = new Map<unknown, Read[]>();
  for (const [index, row] of read.entries()) {
    const child = children[index]!;
    if (link && present) {
      child[link.member] = present(row);
      if (link.alias !== undefined) child[link.alias] = child[link.member];
    }
    const siblings = byParent.get(row[parentColumn]);
    if (siblings) siblings.push(child);
    else byParent.set(row[parentColumn], [child]);
  }
  return byParent;
}

/**
 * Adds the included children to the records of a level. Runs one statement per include for any number of records,
 * a few at a time.
 */
export async function fetchIncludes(
  level: Level,
  parents: readonly Read[],
  records: readonly Read[],
): Promise<void> {
  // Wait for all includes, so that no statement is still running when the call fails.
  const fetched = await Promise.allSettled(
    level.includes.map((include) => fetchInclude(include, level, parents)),
  );
  for (const [index, { association, member }] of level.includes.entries()) {
    const result = fetched[index]!;
    if (result.status === "rejected") throw result.reason;
    const isOne = association.kind === "one";
    for (const [at, record] of records.entries()) {
      const key = parents[at]?.[isOne ? association.key : "id"];
      const found = result.value.get(key) ?? [];
      record[member] = isOne ? (found[0] ?? null) : found;
    }
  }
}
