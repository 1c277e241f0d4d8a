import * as assert from "uvu/assert";
import { dialect } from "../../../connectors/sqlite/dialect.ts";
import { createColumnScope } from "../../../plugins/sql/columnScope.ts";
import { writeStatement } from "../../../plugins/sql/writeStatement.ts";
import { suite } from "../../support/suite.ts";

const table = {
  columns: [{ name: "at", nativeType: "datetime", type: "datetime" as const }],
};

function monthIn(timezone_id?: string): string {
  const options = { pushdown: true, ...(timezone_id && { timezone_id }) };
  const scope = createColumnScope({ query: { id: "t", options }, table, dialect });
  const { expression } = scope.valueOf({ column_id: "at", level: "month" });
  return writeStatement(expression, dialect).text;
}

suite("plugins/sql/columnScope", (test) => {
  test("a level in UTC needs no offsets", () => {
    assert.match(monthIn(), /manifold_months\(/);
    assert.is(monthIn("UTC"), monthIn());
  });

  test("a level in another zone is not offered without the offsets of the zone", () => {
    assert.throws(() => monthIn("Europe/Brussels"), /levels in the time zone Europe\/Brussels/);
  });
});
