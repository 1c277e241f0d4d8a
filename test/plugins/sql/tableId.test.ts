import * as assert from "uvu/assert";
import { parseTableId, tableId } from "../../../plugins/sql/index.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/sql/tableId", (test) => {
  test("a table id joins plain names with a dot and quotes other names", () => {
    assert.is(tableId({ schema: "public", name: "trips" }), "public.trips");
    assert.is(tableId({ schema: "a.b", name: 'c"d' }), '"a.b"."c""d"');
    assert.is(tableId({ schema: "", name: "x; drop" }), '"".x; drop');
  });

  test("a table id is parsed back to the names in it", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const part = () =>
        Array.from({ length: random.below(5) }, () =>
          random.pick(["a", ".", '"', "é", "🦄", "\n", " ", ";"]),
        ).join("");
      for (let round = 0; round < 2000; round++) {
        const names = { schema: part(), name: part() };
        assert.equal(parseTableId(tableId(names)), names);
      }
    });
    for (const text of ["", "a", "a.b.c", '"a.b', 'a"b.c', "."])
      assert.is(parseTableId(text), undefined, text);
  });
});
