import type { Expression } from "../../../plugins/protocol/index.ts";
import type { BoundFormula, BoundReference } from "./boundReference.ts";
import { compareColumns, type Compared } from "./compareColumns.ts";
import type { ColumnTest, Reference } from "../parsedQuery.ts";

/** One side of a test: a value of the group, or a formula over the group. */
interface Side {
  readonly aggregates: readonly BoundReference[];
  compared(columnIds: readonly string[]): Compared;
}

/**
 * Returns a test with several values in `having` as a formula over the group: 1 for groups that pass.
 * @throws {ApiError} MEMBER_INVALID as `compareColumns`
 */
export function compareGroups(
  test: ColumnTest,
  bind: (reference: Reference) => BoundReference,
  timezone: string,
): BoundReference {
  const sides = test.operands.map((each): Side => {
    if ("reference" in each) return sideOf(each.reference, bind(each.reference));
    return { aggregates: [], compared: () => each };
  });
  const value: BoundFormula["value"] = (columnIds) => {
    let from = 0;
    const compared = sides.map((side) => {
      const own = columnIds.slice(from, from + side.aggregates.length);
      from += own.length;
      return side.compared(own);
    });
    return compareColumns(test, compared, timezone);
  };
  const aggregates = sides.flatMap((side) => side.aggregates);
  // This call only checks the types, because the path of the member is known here.
  value(aggregates.map((_, index) => String(index)));
  return {
    columnId: "",
    column: undefined,
    level: undefined,
    aggregation: undefined,
    type: "numeric",
    formula: { text: test.path, aggregates, value },
  };
}

function sideOf({ columnId }: Reference, bound: BoundReference): Side {
  const { type, formula } = bound;
  if (formula)
    return {
      aggregates: formula.aggregates,
      compared: (columnIds) => ({
        type,
        isDate: formula.isDate === true,
        label: columnId,
        expression: formula.value(columnIds),
      }),
    };
  return {
    aggregates: [bound],
    compared([columnId = ""]) {
      const expression: Expression = { kind: "column", column_id: columnId };
      const isDate = bound.column?.subtype === "date";
      return { type, isDate, label: bound.columnId, expression };
    },
  };
}
