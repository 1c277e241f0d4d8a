import { operatorDefinitions, operators, type Narrowing } from "../../plugins/protocol/index.ts";

/**
 * Returns whether the database compares strings in an encoding as the protocol requires: by code point, like the bytes
 * of UTF-8.
 */
export function isTextMatched(encoding: string): boolean {
  return encoding === "UTF8";
}

/**
 * Returns the capabilities that strings in other encodings lack. The server returns an error for a character that it
 * cannot convert to the encoding, and the bytes of strings in these encodings are not in the order of code points.
 */
export function narrowingOf(encoding: string): Narrowing {
  const tests = operators.filter((operator) => operatorDefinitions[operator].tests !== "null");
  return {
    filters: Object.fromEntries(tests.map((operator) => [operator, "none" as const])),
    order: false,
    reason: `the encoding of the database is ${encoding} instead of UTF8`,
  };
}
