import { operatorDefinitions, operators, type Narrowing } from "../../plugins/protocol/index.ts";

/** Returns whether texts of an encoding compare as the protocol says: by code point, which the bytes of UTF-8 give. */
export function isTextMatched(encoding: string): boolean {
  return encoding === "UTF8";
}

/**
 * Texts of other encodings: a value may have characters that the server cannot convert, which is an error there, and
 * their bytes have another order.
 */
export function narrowingOf(encoding: string): Narrowing {
  const tests = operators.filter((operator) => operatorDefinitions[operator].tests !== "null");
  return {
    filters: Object.fromEntries(tests.map((operator) => [operator, "none" as const])),
    order: false,
    reason: `the encoding of the database is ${encoding}, not UTF8`,
  };
}
