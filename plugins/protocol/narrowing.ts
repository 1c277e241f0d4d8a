import Type, { type Static } from "typebox";
import { Operator } from "./filter.ts";
import { Aggregation } from "./queryColumn.ts";
import { oneOf, readonlyArray } from "./schemas.ts";

/** How a plugin may still be used for an operator that is not exact. */
export const Exactness = oneOf(["superset", "none"]);
export type Exactness = Static<typeof Exactness>;

/**
 * What a plugin's capabilities do not hold for on one column, because of its collation, padding or precision. It only
 * takes away.
 */
export const Narrowing = Type.Object({
  /** Operators that are not exact. `superset`: may let more rows pass, never fewer; `none`: is not sent. */
  filters: Type.Optional(
    Type.Unsafe<{ readonly [Name in Operator]?: Exactness }>(
      Type.Partial(Type.Record(Operator, Exactness)),
    ),
  ),
  /** Not a group key, nor counted distinctly, nor joined over. */
  grouping: Type.Optional(Type.Literal(false)),
  /** Not ordered by, and without `min` and `max`. */
  order: Type.Optional(Type.Literal(false)),
  /** Aggregations of this column that are not exact. */
  aggregations: Type.Optional(readonlyArray(Aggregation)),
  /** For people: `the collation de_DE ignores case`. */
  reason: Type.Optional(Type.String()),
});
export type Narrowing = Static<typeof Narrowing>;
