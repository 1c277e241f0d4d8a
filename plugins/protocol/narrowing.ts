import Type, { type Static } from "typebox";
import { Value } from "typebox/value";
import { Aggregation } from "./aggregations.ts";
import { Operator } from "./operators.ts";
import { oneOf, readonlyArray } from "./schemas.ts";

const longestReason = 500;

/** How an operator that is not exact may still be used. */
export const Exactness = oneOf(["superset", "none"]);
export type Exactness = Static<typeof Exactness>;

/**
 * The promises of the capabilities that do not hold for one column, such as equality of a text whose collation ignores
 * case. It takes promises away and adds none: an entry for something that the plugin does not promise has no effect.
 * Derived columns that name a narrowed column are left to the host.
 */
export const Narrowing = Type.Object({
  /** `superset`: the operator may pass more rows, never fewer. `none`: it is not sent. */
  filters: Type.Optional(
    Type.Unsafe<{ readonly [Name in Operator]?: Exactness }>(
      Type.Partial(Type.Record(Operator, Exactness)),
    ),
  ),
  /** The column is no group key, its values are not counted as distinct, and no join uses it. */
  grouping: Type.Optional(Type.Literal(false)),
  /** Nothing is sorted by the column; its minimum, maximum, median and percentiles are not asked. */
  order: Type.Optional(Type.Literal(false)),
  /** Aggregations that are not exact on the column. */
  aggregations: Type.Optional(readonlyArray(Aggregation)),
  /** Shown to people, such as "the collation de_DE ignores case". */
  reason: Type.Optional(Type.String({ maxLength: longestReason })),
});
export interface Narrowing extends Readonly<Static<typeof Narrowing>> {}

/**
 * Says what is wrong with the `narrowed` of a column, undefined for nothing. Members and operators that this version
 * does not know are accepted: they concern clauses that it never asks for.
 */
export function wrongNarrowing(value: unknown): string | undefined {
  if (Value.Check(Narrowing, value)) return undefined;
  const [error] = Value.Errors(Narrowing, value);
  const path = (error?.instancePath ?? "").replaceAll("/", ".");
  return `narrowed${path} ${error?.message ?? "is not valid"}`;
}
