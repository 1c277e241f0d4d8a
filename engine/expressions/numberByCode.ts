import type { BoundCode, BoundTest, BoundValue } from "./boundValue.ts";

/** Returns a test of a code that looks up the result in a table. */
export function testByCode(code: BoundCode, passes: Uint8Array): BoundTest {
  if (code.kind === "byCode") {
    const { column, codes } = code;
    return { kind: "lookup", column, passes: codes ? followPasses(codes, passes) : passes };
  }
  if (code.kind === "byNumber") {
    const { of, base, codes } = code;
    return { kind: "lookupNumber", of, base, passes: followPasses(codes, passes) };
  }
  return isOne(numberByCode(code, Float64Array.from(passes)));
}

function followPasses(codes: Uint32Array, passes: Uint8Array): Uint8Array {
  const followed = new Uint8Array(new SharedArrayBuffer(codes.length));
  for (let index = 0; index < codes.length; index++) followed[index] = passes[codes[index]];
  return followed;
}

/** Returns the value that replaces each code by its number in a table. Entry 0 of the table is the number for null. */
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
      return { kind: "byNumber", of, base, values: follow(codes, numbers) };
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

function followCodes(codes: Uint32Array, table: Uint32Array): Uint32Array {
  const followed = new Uint32Array(new SharedArrayBuffer(codes.byteLength));
  for (let index = 0; index < codes.length; index++) followed[index] = table[codes[index]];
  return followed;
}

/** Returns the code that replaces each code by another code in a table. Entry 0 of the table is the code for null. */
export function codeByCode(code: BoundCode, table: Uint32Array): BoundCode {
  switch (code.kind) {
    case "code":
      return { kind: "code", code: table[code.code] };
    case "byCode":
      return {
        kind: "byCode",
        column: code.column,
        codes: code.codes ? followCodes(code.codes, table) : table,
      };
    case "byNumber":
      return { ...code, codes: followCodes(code.codes, table) };
    case "case":
      return {
        kind: "case",
        branches: code.branches.map(({ when, then }) => ({ when, then: codeByCode(then, table) })),
        otherwise: codeByCode(code.otherwise, table),
      };
  }
}

/** Returns a test that passes for each row whose number is 1. */
export const isOne = (left: BoundValue): BoundTest => ({
  kind: "compare",
  left,
  operator: "=",
  value: 1,
});
