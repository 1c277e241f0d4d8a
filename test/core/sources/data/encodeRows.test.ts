import * as assert from "uvu/assert";
import { detectType } from "../../../../core/sources/data/detectType.ts";
import { encodeInTurns, encodeRows } from "../../../../core/sources/data/encodeRows.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import { suite } from "../../../support/suite.ts";

const column = (type: "numeric" | "datetime" | "hierarchy") => [{ type, position: 0, name: "c" }];
const cells = (...values: unknown[]) => values.map((value) => [value]);

suite("core/sources/data/encodeRows", (test) => {
  test("null and missing cells become null in columns of every type", () => {
    const [numbers] = encodeRows(cells(null, undefined), column("numeric"));
    const [instants] = encodeRows([[], [null]], column("datetime"));
    const [texts] = encodeRows(cells(null, undefined, "a"), column("hierarchy"));
    for (const [vector, type] of [
      [numbers, "numeric"],
      [instants, "datetime"],
    ] as const) {
      assert.is(vector?.type, type);
      assert.equal(
        Array.from(vector?.type === "hierarchy" ? [] : (vector?.values ?? []), Number.isNaN),
        [true, true],
      );
    }
    assert.equal(texts, { type: "hierarchy", codes: Int32Array.of(-1, -1, 0), dictionary: ["a"] });
  });

  test("a dictionary contains each string once and unchanged, and numbers of a string column as strings", () => {
    const [vector] = encodeRows(
      cells("a", "A", "", " ", "a", 1, 1.5, -0, "1", "__proto__"),
      column("hierarchy"),
    );
    assert.equal(vector, {
      type: "hierarchy",
      codes: Int32Array.of(0, 1, 2, 3, 0, 4, 5, 6, 4, 7),
      dictionary: ["a", "A", "", " ", "1", "1.5", "0", "__proto__"],
    });
  });

  test("numbers keep every bit except the sign of zero", () => {
    const numbers = [
      0.1,
      -1e-300,
      5e-324,
      1e300,
      Number.MAX_SAFE_INTEGER,
      -Number.MAX_SAFE_INTEGER,
      1e21,
    ];
    const [vector] = encodeRows(cells(...numbers, -0), column("numeric"));
    assert.equal(vector, { type: "numeric", values: Float64Array.of(...numbers, 0) });
    assert.ok(vector?.type === "numeric" && Object.is(vector.values.at(-1), 0));
  });

  test("integers too large to be exact are rejected in numeric and string columns", () => {
    for (const type of ["numeric", "hierarchy"] as const)
      for (const value of [2 ** 53, -(2 ** 53), 2 ** 63])
        assert.throws(
          () => encodeRows(cells(1, value), column(type)),
          (failure: unknown) =>
            failure instanceof ApiError &&
            /row 2, column 1 \(c\).*beyond 2\^53/.test(failure.message),
        );
  });

  test("all values of a column determine its type", () => {
    const typeOf = (...values: unknown[]) => {
      const { type, subtype } = detectType(cells(...values), 0);
      return subtype ? `${type} ${subtype}` : type;
    };
    assert.is(typeOf(), "hierarchy");
    assert.is(typeOf(null, null), "hierarchy");
    assert.is(typeOf(null, 1, 2.5), "numeric");
    assert.is(typeOf(1, "a"), "hierarchy");
    assert.is(typeOf("1", "2"), "hierarchy");
    assert.is(typeOf(1, "2024-01-01"), "hierarchy");
    assert.is(typeOf("2024-01-01", null), "datetime date");
    assert.is(typeOf("2024-01-01", "2024-01-01T10:00"), "datetime");
    assert.is(typeOf("2024-01-01", "2024-02-30"), "hierarchy");
    assert.is(typeOf(...Array.from({ length: 9_999 }, () => 1), "last"), "hierarchy");
  });

  test("a wide push is encoded the same even when other work gets a turn every 50,000 cells", async () => {
    const rows = Array.from({ length: 1000 }, (_, row) =>
      Array.from({ length: 300 }, (_, position) => (position % 2 ? row : `text ${row % 10}`)),
    );
    const columns = rows[0]!.map((cell, position) => ({
      type: typeof cell === "number" ? ("numeric" as const) : ("hierarchy" as const),
      position,
      name: `c${position}`,
    }));
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const vectors = await encodeInTurns(rows, columns);
    isDone = true;
    assert.equal(vectors, encodeRows(rows, columns));
    assert.ok(turns >= 5, `${turns} turns`);
  });
});
