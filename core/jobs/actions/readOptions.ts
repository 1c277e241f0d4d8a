import { millisecondsOf } from "../../../plugins/protocol/index.ts";
import { ApiError, asMap, isObject, kindOf } from "../../base/index.ts";

/** The values that a member of `options` accepts: a description for messages, and a function that tests a value. */
export interface Option {
  readonly expects: string;
  readonly isAllowed: (value: unknown) => boolean;
}

const oneOf = (...words: readonly string[]): Option => ({
  expects: words.join(" or "),
  isAllowed: (value) => words.some((each) => each === value),
});

/** The kinds of values that options can have. */
export const option = {
  oneOf,
  flag: { expects: "true or false", isAllowed: (value) => typeof value === "boolean" },
  object: { expects: "an object", isAllowed: (value) => isObject(asMap(value)) },
  instant: {
    expects: "an ISO instant such as 2026-01-31T00:00:00Z",
    isAllowed: (value) => typeof value === "string" && millisecondsOf(value) !== undefined,
  },
} satisfies Readonly<Record<string, Option | typeof oneOf>>;

/**
 * Reads the `options` member of a call. A call without `options`, or with null, has no options.
 * @throws {ApiError} MEMBER_UNKNOWN, MEMBER_INVALID with the path
 */
export function readOptions<Name extends string>(
  given: unknown,
  known: Readonly<Record<Name, Option>>,
): Readonly<Partial<Record<Name, unknown>>> {
  const options = asMap(given ?? {});
  if (!isObject(options))
    throw new ApiError("MEMBER_INVALID", ["options", `must be an object, not ${kindOf(given)}`]);
  const isName = (name: string): name is Name => Object.hasOwn(known, name);
  const read: Partial<Record<Name, unknown>> = {};
  for (const [name, value] of Object.entries(options)) {
    if (!isName(name))
      throw new ApiError("MEMBER_UNKNOWN", [
        `options.${name.slice(0, 100)}`,
        Object.keys(known).join(", "),
      ]);
    const { expects, isAllowed } = known[name];
    if (value !== null && !isAllowed(value))
      throw new ApiError("MEMBER_INVALID", [
        `options.${name}`,
        `must be ${expects}, not ${kindOf(value)}`,
      ]);
    read[name] = value;
  }
  return read;
}
