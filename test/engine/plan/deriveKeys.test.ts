import * as assert from "uvu/assert";
import type { BoundValue } from "../../../engine/expressions/boundValue.ts";
import type { BoundKey } from "../../../engine/plan/boundPlan.ts";
import { deriveKeys } from "../../../engine/plan/deriveKeys.ts";
import { suite } from "../../support/suite.ts";

const column = (index: number) => ({ kind: "column", column: index }) as const;
const value = (of: BoundValue): BoundKey => ({ kind: "value", of });
const whole = (of: BoundValue): BoundKey => ({
  kind: "whole",
  of,
  base: 0,
  decimals: 0,
  cardinality: 9,
});
const text: BoundKey = { kind: "text", code: { kind: "byCode", column: 7 }, cardinality: 3 };
const add = (...of: BoundValue[]): BoundValue => ({ kind: "call", function: "add", of });
const one = { kind: "literal", value: 1 } as const;

suite("engine/plan/deriveKeys", (test) => {
  test("a function of columns that are keys is computed from these keys", () => {
    const [a, b] = [whole(column(5)), value(column(3))];
    assert.equal(
      deriveKeys([whole(add(column(5), one)), text, a, b, value(add(column(5), column(3)))]),
      {
        keys: [text, a, b],
        outputs: [
          { kind: "derivedkey", of: add(column(1), one) },
          { kind: "key", key: 0 },
          { kind: "key", key: 1 },
          { kind: "key", key: 2 },
          { kind: "derivedkey", of: add(column(1), column(2)) },
        ],
      },
    );
  });

  test("a column that is a key twice forms groups once", () => {
    const key = value(column(4));
    assert.equal(deriveKeys([key, value(column(4))]), {
      keys: [key],
      outputs: [
        { kind: "key", key: 0 },
        { kind: "derivedkey", of: column(0) },
      ],
    });
  });

  test("constants, functions of other columns and other kinds of expressions form groups", () => {
    const keys = [
      whole(column(1)),
      whole(one),
      whole(add(one, one)),
      whole(add(column(1), column(2))),
      whole({ kind: "bin", of: column(1), width: 2, origin: 0 }),
    ];
    assert.equal(deriveKeys(keys).keys, keys);
  });
});
