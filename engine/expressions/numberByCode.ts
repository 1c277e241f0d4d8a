import type { BoundCode, BoundTest, BoundValue } from "./boundValue.ts";

/** Returns a test that looks up its result by code. */
export function testByCode(code: BoundCode, passes: Uint8Array): BoundTest {
  if (code.kind === "byCode") {
    const { column, codes } = code;
    if (!codes) return { kind: "lookup", column, passes };
    const followed = new Uint8Array(new SharedArrayBuffer(codes.length));
    for (let index = 0; index < codes.length; index++) followed[index] = passes[codes[index]];
    return { kind: "lookup", column, passes: followed };
  }
  return isOne(numberByCode(code, Float64Array.from(passes)));
}

/** Returns a value that looks up a number by code. Entry 0 of the table is the number for null. */
export function numberByCode(code: BoundCode, numbers: Float64Array): BoundValue {
  switch (code.kind) {
    case "code":
      return { kind: "literal", value: numbers[code.code] };
    case "byCode":
      return {
        kind: "byCode",
        column: code.column,
        values: code.codes ? follow(code.codes, numbers) : numbers,
      };
    case "byNumber": {
      const { of, base, codes } = code;
      const byNumber = { kind: "byNumber", of, base } as const;
      const values: BoundValue = { ...byNumber, values: follow(codes, numbers) };
      if (numbers[0] !== numbers[0]) return values;
      // `byNumber` returns null for a missing code; the table decides how null is mapped.
      const known = follow(
        codes,
        numbers.map((_, index) => (index === 0 ? NaN : index)),
      );
      return {
        kind: "case",
        branches: [
          {
            when: { kind: "isNull", left: { ...byNumber, values: known } },
            then: { kind: "literal", value: numbers[0] },
          },
        ],
        otherwise: values,
      };
    }
    case "case":
      return {
        kind: "case",
        branches: code.branches.map(({ when, then }) => ({
          when,
          then: numberByCode(then, numbers),
        })),
        otherwise: numberByCode(code.otherwise, numbers),
      };
  }
}

function follow(codes: Uint32Array, numbers: Float64Array): Float64Array {
  const followed = new Float64Array(new SharedArrayBuffer(codes.length * 8));
  for (let index = 0; index < codes.length; index++) followed[index] = numbers[codes[index]];
  return followed;
}

/** Returns a code that looks up another code. Entry 0 of the table is the code for null. */
export function codeByCode(code: BoundCode, table: Uint32Array): BoundCode {
  switch (code.kind) {
    case "code":
      return { kind: "code", code: table[code.code] };
    case "byCode":
      return {
        kind: "byCode",
        column: code.column,
        codes: code.codes?.map((own) => table[own]) ?? table,
      };
    case "byNumber": {
      const { of, base, codes } = code;
      const followed: BoundCode = {
        kind: "byNumber",
        of,
        base,
        codes: codes.map((own) => table[own]),
      };
      if (table[0] === 0) return followed;
      const known = Float64Array.from(codes, (own) => (own === 0 ? NaN : own));
      const left: BoundValue = { kind: "byNumber", of, base, values: known };
      return {
        kind: "case",
        branches: [{ when: { kind: "isNull", left }, then: { kind: "code", code: table[0] } }],
        otherwise: followed,
      };
    }
    case "case":
      return {
        kind: "case",
        branches: code.branches.map(({ when, then }) => ({ when, then: codeByCode(then, table) })),
        otherwise: codeByCode(code.otherwise, table),
      };
  }
}

/** Returns a test that passes if a number is 1. */
export const isOne = (left: BoundValue): BoundTest => ({
  kind: "compare",
  left,
  operator: "=",
  value: 1,
});
