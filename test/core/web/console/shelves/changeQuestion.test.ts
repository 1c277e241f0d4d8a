import * as assert from "uvu/assert";
import { addColumn, withFilter } from "../../../../../core/web/console/shelves/changeQuestion.ts";
import type { Question } from "../../../../../core/web/console/questions/index.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/console/shelves/changeQuestion", (test) => {
  const day = { id: "day", type: "datetime", aggregation_type: null } as const;
  const km = { id: "km", type: "numeric", aggregation_type: "sum" } as const;
  const price = { id: "price", type: "numeric", aggregation_type: "average" } as const;
  const empty: Question = { rows: [], measures: [], color: undefined, filters: [], chart: "" };
  const measuresOf = ({ measures }: Question) => measures.map(({ id }) => id);

  test("the first numeric column replaces the initial row count, and further numeric columns are added as measures", () => {
    const counted = addColumn(empty, day);
    assert.equal(measuresOf(counted), ["*"]);
    const summed = addColumn(counted, km);
    assert.equal(measuresOf(summed), ["km"]);
    assert.equal(measuresOf(addColumn(summed, price)), ["km", "price"]);
    assert.equal(measuresOf(addColumn(summed, undefined)), ["km", "*"]);
  });

  test("dragging a number to the measures keeps the row count", () => {
    assert.equal(measuresOf(addColumn(addColumn(empty, day), km, "measures")), ["*", "km"]);
  });

  test("a new filter replaces the filter at its index, or is appended if its index is -1", () => {
    const filter = (id: string) => ({ id, test: "? is null" });
    const filtered = { ...empty, filters: [filter("a"), filter("b")] };
    const ids = (index: number) =>
      withFilter(filtered, filter("c"), index).filters.map(({ id }) => id);
    assert.equal(
      [ids(0), ids(-1)],
      [
        ["c", "b"],
        ["a", "b", "c"],
      ],
    );
  });
});
