import { operatorDefinitions, operators, type Narrowing } from "../../plugins/protocol/index.ts";

/**
 * Returns whether strings in an encoding are compared as the protocol requires: by code point, like the bytes of UTF-8.
 */
export function isTextMatched(encoding: string): boolean {
  return encoding === "UTF8";
}

/**
 * Returns what does not hold for strings in other encodings: a value may contain characters that the server cannot
 * convert, which is an error, and their bytes have another order.
 */
export function narrowingOf(encoding: string): Narrowing {
  const tests = operators.filter((operator) => operatorDefinitions[operator].tests !== "null");
  return {
    filters: Object.fromEntries(tests.map((operator) => [operator, "none" as const])),
    order: false,
    reason: `the encoding of the database is ${encoding} instead of UTF8`,
  };
}
