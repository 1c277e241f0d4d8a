import * as assert from "uvu/assert";
import { answerPlainly } from "../../../plugins/conformance/answerPlainly.ts";
import { applyFunction } from "../../../plugins/meanings/index.ts";
import {
  type Cell,
  functionOf,
  operatorDefinitions,
  operators,
  positiveOf,
} from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

const cells: readonly Cell[] = [null, "", "a", "A", "ab", "ba", "é", "É"];

suite("plugins/protocol/operators", (test) => {
  test("a negative operator passes exactly the rows that its positive operator rejects", () => {
    for (const operator of operators.filter((each) => positiveOf(each) !== each))
      for (const wanted of cells.slice(1)) {
        const failed = cells.filter((cell) => !passes(cell, positiveOf(operator), wanted));
        assert.equal(
          cells.filter((cell) => passes(cell, operator, wanted)),
          failed,
          operator,
        );
      }
  });

  test("a positive operator passes the same rows as the function with its name in expressions", () => {
    for (const operator of operators.filter((each) => positiveOf(each) === each))
      for (const wanted of cells.slice(1))
        for (const cell of cells) {
          const args = operatorDefinitions[operator].values === "none" ? [cell] : [cell, wanted];
          const result = applyFunction(functionOf(positiveOf(operator)), args);
          assert.is(
            result === true,
            passes(cell, operator, wanted),
            `${cell} ${operator} ${wanted}`,
          );
        }
  });
});

function passes(cell: Cell, expression: (typeof operators)[number], wanted: Cell): boolean {
  const query = {
    id: "d",
    columns: [{ column_id: "t" }],
    filters: [{ column_id: "t", expression, value: [wanted] }],
    options: { pushdown: false },
  };
  const table = { columns: [{ id: "t", type: "hierarchy" as const }], rows: [{ t: cell }] };
  return answerPlainly(query, table).length === 1;
}
