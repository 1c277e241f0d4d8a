import type { Knex } from "knex";
import type { Under } from "../allow.ts";
import type { Include } from "./include.ts";
import type { Scope } from "./scope.ts";

/**
 * Narrows the requested records as `narrow` does, but with the faster of two forms of the rule. Selects the ids of the
 * allowed records first, unless `where` already limits the query to few records.
 */
export function narrowFirst(
  query: Knex.QueryBuilder,
  scope: Scope,
  where: Knex.Raw | undefined,
  includes: readonly Include[],
  isFew: boolean,
): void {
  const { knex, alias, declaration, principal } = scope;
  const { name, allow } = declaration;
  const ids = isFew ? undefined : allow.ids?.(knex, name, "read", principal);
  if (!ids) return narrow(query, scope, where, includes);
  query.whereRaw("??.id = any(array(?))", [alias, ids]);
  narrowMore(query, scope, where, includes);
}

/**
 * Narrows a level to the records that the caller may read, that match its `where`, and that have the records of its
 * inner includes. `under` are the parent records to which all records of the level belong.
 */
export function narrow(
  query: Knex.QueryBuilder,
  scope: Scope,
  where: Knex.Raw | undefined,
  includes: readonly Include[],
  under?: Under,
): void {
  const { alias, declaration, principal } = scope;
  query.where((rights) => declaration.allow(rights, alias, "read", principal, under));
  narrowMore(query, scope, where, includes);
}

function narrowMore(
  query: Knex.QueryBuilder,
  { alias }: Scope,
  where: Knex.Raw | undefined,
  includes: readonly Include[],
): void {
  if (where) query.whereRaw(where);
  for (const include of includes) {
    if (include.isInner) query.whereExists((inner) => selectChildren(inner, include, alias));
  }
}

function selectChildren(
  query: Knex.QueryBuilder,
  { association, scope, where, includes }: Include,
  parent: string,
): void {
  const { knex, alias, declaration } = scope;
  query.select(knex.raw("1")).from(`${declaration.name} as ${alias}`);
  if (association.kind === "one")
    query.whereRaw("??.id = ??", [alias, `${parent}.${association.key}`]);
  else if (association.kind === "many")
    query.whereRaw("?? = ??.id", [`${alias}.${association.key}`, parent]);
  else {
    const { link, ownKey, otherKey } = association;
    const keys = [link.view ?? link.table, ownKey, parent, otherKey, alias];
    const personal = link.personal ? [link.personal, scope.principal.userId] : [];
    query.whereRaw(
      `exists (select 1 from ?? l where l.?? = ??.id and l.?? = ??.id${link.personal ? " and l.?? = ?" : ""})`,
      [...keys, ...personal],
    );
  }
  narrow(query, scope, where, includes);
}
