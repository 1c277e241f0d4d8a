import type { Knex } from "knex";
import type { Include } from "./include.ts";
import { idTypeOf } from "../recordId.ts";
import { limits } from "../limits.ts";
import { narrow } from "./narrow.ts";
import type { Link } from "../declaration.ts";
import { invalidMember, type Scope } from "./scope.ts";
import { columnsOf, presentLevel, type Level } from "./level.ts";

type Read = Record<string, unknown>;

const ownerColumn = "included_for";

/** Whether the caller owns the record that a link's guard names; looked up for links that have something to hide. */
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

/** The statement of one include: the children of all parents at once, each with the key of its parent. */
function select(
  { association, holder, scope, where, order, includes, attributes, requested }: Include,
  parents: readonly Read[],
): Knex.QueryBuilder {
  const { knex, alias, declaration } = scope;
  const query = knex(`${declaration.name} as ${alias}`).select(
    columnsOf(scope, { attributes, requested }, includes),
  );
  const keyOfParent = association.kind === "one" ? association.key : "id";
  const keyType = idTypeOf(association.kind === "one" ? declaration : holder);
  const keys = [
    ...new Set(parents.flatMap((parent) => parent[keyOfParent] ?? [])),
  ] as unknown as string;
  if (association.kind === "through") {
    const { link, ownKey, otherKey } = association;
    query
      .select(
        knex.raw("l.?? as ??", [ownKey, ownerColumn]),
        knex.raw("to_jsonb(l) as included_link"),
      )
      .join(`${link.view ?? link.table} as l`, `l.${otherKey}`, `${alias}.id`)
      .whereRaw(`l.?? = any(?::${keyType}[])`, [ownKey, keys]);
    if (link.guard) query.select(openTo(link.guard, scope));
    if (link.personal) query.where(`l.${link.personal}`, scope.principal.userId);
  } else {
    const own = `${alias}.${association.kind === "one" ? "id" : association.key}`;
    query
      .select(knex.raw("?? as ??", [own, ownerColumn]))
      .whereRaw(`?? = any(?::${keyType}[])`, [own, keys]);
  }
  narrow(query, scope, where, includes);
  return query.orderByRaw(order).limit(limits.includedCount + 1);
}

/** Adds the included children to the records of a level: one statement an include, whatever the number of records. */
export async function fetchIncludes(
  level: Level,
  parents: readonly Read[],
  records: readonly Read[],
): Promise<void> {
  for (const include of level.includes) {
    const { association, member } = include;
    const isOne = association.kind === "one";
    const read: Read[] = parents.length > 0 ? await select(include, parents) : [];
    if (read.length > limits.includedCount)
      throw invalidMember(
        include.scope.path,
        `adds more than ${limits.includedCount} rows: ask with a smaller limit, or a where`,
      );
    const children = presentLevel(include, read, level.cipher);
    await fetchIncludes({ includes: include.includes, cipher: level.cipher }, read, children);
    const byParent = new Map<unknown, Read[]>();
    for (const [index, row] of read.entries()) {
      const child = { ...children[index] };
      if (association.kind === "through") {
        const link = row["included_link"] as Read;
        const { columns, guard } = association.link;
        const isClosed = (name: string) =>
          guard?.members.includes(name) === true && row["included_open"] !== true;
        child[association.link.member] = Object.fromEntries(
          columns.map((name) => [name, isClosed(name) ? null : presentLink(link[name])]),
        );
      }
      const siblings = byParent.get(row[ownerColumn]) ?? [];
      siblings.push(child);
      byParent.set(row[ownerColumn], siblings);
    }
    for (const [index, record] of records.entries()) {
      const key = parents[index]?.[isOne ? association.key : "id"];
      const found = byParent.get(key) ?? [];
      record[member] = isOne ? (found[0] ?? null) : found;
    }
  }
}

/** Timestamps of a link arrive as text in the form of the database. */
function presentLink(value: unknown): unknown {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)
    ? new Date(value).toISOString()
    : value;
}
