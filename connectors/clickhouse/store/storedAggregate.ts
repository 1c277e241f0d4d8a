import { sql, trusted, type AggregateCall, type Fragment } from "../../../plugins/sql/index.ts";
import { isHuge, isStored, isWhole } from "./storedColumn.ts";

/** Divisor for huge sums. As a power of two, it preserves all significant digits of the numbers. */
const scale = trusted("18446744073709551616.");

/** Returns an aggregation of a stored column; undefined if it would not be faster than the general aggregation. */
export function storedAggregate({
  aggregation,
  expression,
  isGrouped = false,
}: AggregateCall): Fragment | undefined {
  if (!expression || !isStored(expression)) return undefined;
  const { quoted } = expression;
  const orNull = trusted(isGrouped ? "" : "OrNull");
  if (aggregation === "sum")
    return sql`if(${isWhole(quoted)}, toFloat64(sum${orNull}(${quoted})), toFloat64(${sumOfDoubles(quoted, orNull)}))`;
  if (aggregation === "average")
    return sql`if(${isWhole(quoted)}, avg${orNull}(${quoted}), ${sumOfDoubles(quoted, orNull)} / toFloat64(count(${quoted})))`;
  if (aggregation === "min" || aggregation === "max")
    return sql`${trusted(aggregation)}${orNull}(${expression})`;
  return undefined;
}

/**
 * Returns a compensated sum of doubles, on which the order of rows has almost no effect. If a partial sum may exceed
 * the range of doubles, the sum is computed again with scaled numbers. ClickHouse drops the unused branch of an `if`
 * only if both branches have the same type. Null is therefore written as an aggregation over no rows, which has the
 * right type.
 */
function sumOfDoubles(quoted: Fragment, orNull: Fragment): Fragment {
  const plain = sql`sumKahan${orNull}(${quoted})`;
  const scaled = sql`sumKahan${orNull}(${quoted} / ${scale}) * ${scale}`;
  const none = sql`anyIf${orNull}(toFloat64(${quoted}), 0)`;
  return sql`if(${isHuge(quoted)}, if(isFinite(${plain}), ${plain}, if(isFinite(${scaled}), ${scaled}, ${none})), ${plain})`;
}
