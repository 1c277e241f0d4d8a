import type { Knex } from "knex";
import { operandOf } from "./operand.ts";
import { invalidMember, type Scope } from "./scope.ts";

/** The values to order by, each with its direction. The id is always last. */
export type Order = readonly (readonly [value: Knex.Raw, direction: string])[];

/**
 * Returns the SQL that follows `order by`. `valueOf` replaces the SQL of each value.
 */
export function orderBy(
  knex: Knex,
  order: Order,
  valueOf = (_index: number, value: Knex.Raw) => value,
): Knex.Raw {
  const parts = order.map(([value, direction], index) =>
    knex.raw(`? ${direction}`, [valueOf(index, value)]),
  );
  return knex.raw(parts.map(() => "?").join(", "), parts);
}

/**
 * Compiles an `order`: a list of `[member, direction]` pairs or member names, or a single pair. Nulls come last in both
 * directions. Ties are broken by the id.
 */
export function compileOrder(scope: Scope, order: unknown): Order {
  const { knex, alias } = scope;
  const path = `${scope.path}.order`;
  if (order !== undefined && !Array.isArray(order))
    throw invalidMember(path, "must be a list of [member, direction]");
  const given: readonly unknown[] = order ?? [];
  const isFlat =
    given.length === 2 && typeof given[0] === "string" && /^(asc|desc)$/i.test(String(given[1]));
  const entries = isFlat ? [given] : given;
  const parts = entries.map((entry, index): Order[number] => {
    const at = `${path}[${index}]`;
    const [member, direction = "asc", ...more]: readonly unknown[] = Array.isArray(entry)
      ? entry
      : [entry];
    if (typeof member !== "string" || more.length > 0)
      throw invalidMember(at, "must be [member, direction]");
    const word = /^(asc|desc)$/i.exec(typeof direction === "string" ? direction : "")?.[0];
    if (!word) throw invalidMember(`${at}[1]`, "must be asc or desc");
    const { anyOf, whole, sql } = operandOf(scope, member, `${at} ${member}`);
    const value = anyOf ? knex.raw("? #>> '{}'", [whole]) : sql;
    return [value, `${word.toLowerCase()} nulls last`];
  });
  return [...parts, [knex.raw("??", [`${alias}.id`]), "asc"]];
}
