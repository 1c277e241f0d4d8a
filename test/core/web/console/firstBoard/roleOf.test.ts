import * as assert from "uvu/assert";
import { roleOf } from "../../../../../core/web/console/firstBoard/roleOf.ts";
import { usualAggregation } from "../../../../../core/web/console/questions/usualAggregation.ts";
import { suite } from "../../../../support/suite.ts";

/** What a first board does with 1,000 measured numbers of that name. */
const aggregatedOnBoard = (title: string): string => {
  const role = roleOf(
    {
      id: title,
      name: { en: title },
      title,
      type: "numeric",
      subtype: null,
      format: null,
      aggregation: "sum",
      filled: 1_000,
      distinct: 900,
      least: 0.5,
      most: 320.25,
      samples: [0.5, 12.75, 320.25],
    },
    { rows: 1_000 },
  );
  return role.kind === "measure" ? role.aggregation : role.kind;
};

suite("core/web/console/firstBoard: roleOf", (test) => {
  test("a first board and Explore aggregate numbers of the same name alike", () => {
    for (const name of [
      "km",
      "Unit price",
      "Delay",
      "Phone price",
      "Revenue",
      "Units sold",
      "Tax",
    ]) {
      const column = { type: "numeric", aggregation_type: "sum", name } as const;
      assert.is(aggregatedOnBoard(name), usualAggregation(column), name);
    }
  });
});
