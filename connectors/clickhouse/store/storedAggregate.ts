import { sql, trusted, type AggregateCall, type Fragment } from "../../../plugins/sql/index.ts";
import { isHuge, isStored, isWhole } from "./storedColumn.ts";

/** A power of two, so that dividing by it loses nothing of a number that matters in such a sum. */
const scale = trusted("18446744073709551616.");

/** Writes an aggregation of a stored column; undefined where that is not faster than the one of any expression. */
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
 * Sums are compensated, so that the order of rows hardly matters. Where a part of a sum may pass the range of doubles,
 * it is summed again in smaller numbers. ClickHouse leaves the aggregates of the other branch out where both branches
 * have one type, so null is written as the value of no rows, and where the `if` is not a branch itself.
 */
function sumOfDoubles(quoted: Fragment, orNull: Fragment): Fragment {
  const plain = sql`sumKahan${orNull}(${quoted})`;
  const scaled = sql`sumKahan${orNull}(${quoted} / ${scale}) * ${scale}`;
  const none = sql`anyIf${orNull}(toFloat64(${quoted}), 0)`;
  return sql`if(${isHuge(quoted)}, if(isFinite(${plain}), ${plain}, if(isFinite(${scaled}), ${scaled}, ${none})), ${plain})`;
}
