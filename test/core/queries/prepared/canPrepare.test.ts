import * as assert from "uvu/assert";
import { defaultLimits } from "../../../../core/queries/limits.ts";
import { parseQuery } from "../../../../core/queries/parse/parseQuery.ts";
import { canPrepare } from "../../../../core/queries/prepared/canPrepare.ts";
import { suite } from "../../../support/suite.ts";

const own = "d0000000-0000-4000-8000-000000000001";
const other = "d0000000-0000-4000-8000-000000000002";
const column = "c0000000-0000-4000-8000-000000000001";
const measure = { dataset_id: own, column_id: column };

const parse = (query: object) => parseQuery(query, "", defaultLimits);

suite("core/queries/prepared/canPrepare", (test) => {
  test("a query over one dataset may be prepared, even with expressions", () => {
    const expression = `{${own}:${column}} + 1`;
    assert.ok(canPrepare(parse({ measures: [measure] })));
    assert.ok(canPrepare(parse({ dimensions: [{ expression }], measures: [measure] })));
    assert.ok(
      canPrepare(
        parse({
          where: [{ expression: "? > ?", parameters: [{ expression }, 1] }],
          measures: [measure],
        }),
      ),
    );
  });

  test("queries with several datasets or with formulas are not prepared", () => {
    const elsewhere = { dataset_id: other, column_id: column };
    assert.not(canPrepare(parse({ dimensions: [elsewhere], measures: [measure] })));
    const joined = { ...parse({ measures: [measure] }), tree: { rootId: own, steps: [] } };
    assert.not(canPrepare(joined));
    assert.not(canPrepare(parse({ measures: [{ formula: `sum({${own}:${column}})` }] })));
  });
});
