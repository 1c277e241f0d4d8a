import Type, { type Static } from "typebox";
import { Value } from "typebox/value";
import { Aggregation } from "./aggregations.ts";
import { Operator } from "./operators.ts";
import { oneOf, readonlyArray } from "./schemas.ts";

const longestReason = 500;

/** How the host may still use an operator that is not exact on a column. */
export const Exactness = oneOf(["superset", "none"]);
export type Exactness = Static<typeof Exactness>;

/**
 * The capabilities that do not apply to one column. An example is equality on a text column whose collation ignores
 * case. A narrowing withdraws promises and never adds any: an entry for a capability that the plugin does not promise
 * has no effect. The host itself computes derived columns that use a narrowed column.
 */
export const Narrowing = Type.Object({
  /**
   * Operators that are not exact on the column. `superset`: the operator passes all matching rows, and possibly others.
   * `none`: the host does not send filters with the operator.
   */
  filters: Type.Optional(
    Type.Unsafe<{ readonly [Name in Operator]?: Exactness }>(
      Type.Partial(Type.Record(Operator, Exactness)),
    ),
  ),
  /** `false`: the column cannot be a group key or a join key, and its distinct values cannot be counted. */
  grouping: Type.Optional(Type.Literal(false)),
  /** `false`: the host neither sorts by the column nor requests its minimum, maximum, median or percentiles. */
  order: Type.Optional(Type.Literal(false)),
  /** Aggregations that are not exact on the column. */
  aggregations: Type.Optional(readonlyArray(Aggregation)),
  /** The reason, shown to people, such as "the collation de_DE ignores case". */
  reason: Type.Optional(Type.String({ maxLength: longestReason })),
});
export interface Narrowing extends Readonly<Static<typeof Narrowing>> {}

/**
 * Describes what is wrong with the `narrowed` of a column. Undefined if it is valid. Unknown members and operators are
 * accepted, because they concern clauses that this version never sends.
 */
export function wrongNarrowing(value: unknown): string | undefined {
  if (Value.Check(Narrowing, value)) return undefined;
  const [error] = Value.Errors(Narrowing, value);
  const path = (error?.instancePath ?? "").replaceAll("/", ".");
  return `narrowed${path} ${error?.message ?? "is not valid"}`;
}
