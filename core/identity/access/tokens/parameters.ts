import Type from "typebox";
import {
  isObject,
  memberNames,
  type Members,
  type ParameterOverride,
} from "../../../base/index.ts";
import { invalid, readObject } from "./members.ts";

export type Parameters = ReadonlyMap<string, ParameterOverride>;

const overrideCount = 500;
const listLength = 100_000;

const Scalar = Type.Union([Type.String(), Type.Number()]);
const Value = Type.Union(
  [
    Scalar,
    Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()]), { maxItems: listLength }),
  ],
  { description: "The value of the parameter: a string, a number, or a list of these." },
);
const Flags = Type.Object({
  sticky: Type.Optional(
    Type.Boolean({ description: "Whether alerts keep the value for their scheduled runs." }),
  ),
  sensitive: Type.Optional(Type.Boolean({ description: "Whether responses withhold the value." })),
  clear: Type.Optional(
    Type.Boolean({
      description: "`true` removes the filters that use the parameter. Send it without `value`.",
    }),
  ),
});
const flags = memberNames(Flags);
const Extended = { value: Type.Optional(Value), ...Flags.properties };
const overrideMembers = memberNames(Type.Object(Extended));

/** A value of `parameter_overrides`. */
export const ParameterOverrideGiven = Type.Union(
  [Value, Type.Object(Extended, { additionalProperties: false })],
  { description: "The value of a parameter, alone or with flags." },
);

/** A value of `parameter_overrides` in a response, which withholds sensitive values. */
export const ParameterOverrideShown = Type.Union(
  [
    Value,
    Type.Object({
      ...Extended,
      value: Type.Optional(
        Type.Union([Value, Type.Null()], {
          description: "The value of the parameter. Null if it is sensitive.",
        }),
      ),
    }),
    Type.Null(),
  ],
  { description: "The value of a parameter, alone or with flags. Sensitive values are null." },
);

function isScalar(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}

function checkValue(value: unknown, path: string): void {
  if (isScalar(value)) return;
  if (!Array.isArray(value)) throw invalid(path, "must be a string, a number or a list of these");
  if (value.length > listLength) throw invalid(path, `must have at most ${listLength} values`);
  if (!value.every((each) => each === null || isScalar(each)))
    throw invalid(path, "must be a list of strings and numbers");
}

/**
 * Parses parameter overrides: `{name: value}` or `{name: {value, sticky, sensitive, clear}}`. Names may start with
 * `metadata.`, as in filters. An override has either a value or `clear: true`.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_UNKNOWN with the path of the member
 */
export function parseParameters(
  value: unknown,
  path = "properties.parameter_overrides",
): Parameters {
  const given = Object.entries(readObject(value ?? {}, path));
  if (given.length > overrideCount)
    throw invalid(path, `must have at most ${overrideCount} parameters`);
  const parameters = new Map<string, ParameterOverride>();
  for (const [name, override] of given) {
    const bare = name.replace(/^metadata\./, "");
    if (parameters.has(bare)) throw invalid(`${path}.${bare.slice(0, 100)}`, "is set twice");
    parameters.set(bare, parseOverride(override, `${path}.${name.slice(0, 100)}`));
  }
  return parameters;
}

/**
 * Sets parameters without an override to their values in `metadata`. Values are checked against a parameter's type when
 * the parameter is used.
 */
export function withMetadata(
  parameters: Parameters,
  metadata: Readonly<Record<string, unknown>> | null | undefined,
): Parameters {
  const given = Object.entries(metadata ?? {}).map(([name, value]) => {
    const override = { value, sticky: false, sensitive: false, clear: false };
    return [name.replace(/^metadata\./, ""), override] as const;
  });
  return new Map([...given, ...parameters]);
}

function parseOverride(value: unknown, path: string): ParameterOverride {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    checkValue(value, path);
    return { value, sticky: false, sensitive: false, clear: false };
  }
  const given = readObject(value, path, overrideMembers);
  for (const flag of flags)
    if (typeof (given[flag] ?? false) !== "boolean")
      throw invalid(`${path}.${flag}`, "must be true or false");
  const [sticky, sensitive, clear] = flags.map((flag) => given[flag] === true);
  const override = {
    sticky: sticky === true,
    sensitive: sensitive === true,
    clear: clear === true,
  };
  if (Object.hasOwn(given, "value") === override.clear)
    throw invalid(path, "must have either a value, or clear: true");
  if (override.clear) return override;
  checkValue(given.value, `${path}.value`);
  return { ...override, value: given.value };
}

/** Returns stored overrides as shown in responses, where sensitive values are null. */
export function presentParameters(stored: Members): Members {
  return Object.fromEntries(
    Object.entries(stored).map(([name, override]) => [
      name,
      isSensitive(override) ? { ...override, value: null } : override,
    ]),
  );
}

function isSensitive(override: unknown): override is object {
  return isObject<"sensitive">(override) && override.sensitive === true;
}
