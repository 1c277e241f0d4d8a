import type { TSchema } from "typebox";
import { isObject, type NamedSchemas, referredName } from "../../core/base/index.ts";
import type { Random } from "./random.ts";

interface Parts {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly format?: string;
  readonly "x-open-variant"?: true;
}

/** Values that are nested deeper than this have no optional members and no entries. */
const deepest = 9;

const uuidOf = (random: Random): string => {
  const digits = (count: number) =>
    Array.from({ length: count }, () => random.below(16).toString(16)).join("");
  return `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`;
};

/** Creates a random value of a schema. Leaves out the variants of unions that stand for unknown values. */
export function randomOfSchema(
  schema: TSchema,
  schemas: NamedSchemas,
  random: Random,
  depth = 0,
): unknown {
  const name = referredName(schema);
  const parts: Parts = (name === undefined ? undefined : schemas[name]) ?? schema;
  const of = (each: TSchema) => randomOfSchema(each, schemas, random, depth + 1);
  if (parts.anyOf) {
    const isOpen = (each: Parts) => each["x-open-variant"] === true;
    return of(random.pick(parts.anyOf.filter((each) => !isOpen(each))));
  }
  if (parts.enum) return random.pick(parts.enum);
  if ("const" in parts) return parts.const;
  const isDeep = depth > deepest;
  switch (parts.type) {
    case "array":
      return Array.from(
        { length: Math.max(parts.minItems ?? 0, isDeep ? 0 : random.below(3)) },
        () => of(parts.items ?? {}),
      );
    case "object": {
      const { properties = {}, patternProperties = {}, required = [] } = parts;
      const [ofAny] = Object.values(patternProperties);
      const named = Object.entries(properties).filter(
        ([member]) => required.includes(member) || (!isDeep && random.below(2) === 0),
      );
      const others =
        ofAny && !isDeep && random.below(2) === 0 ? [[`n${random.below(9)}`, ofAny] as const] : [];
      return Object.fromEntries([...named, ...others].map(([member, each]) => [member, of(each)]));
    }
    case "string":
      return parts.format === "uuid" ? uuidOf(random) : `t${random.below(1000)}`;
    case "integer":
    case "number": {
      const { minimum = 0, maximum = minimum + 20 } = parts;
      return minimum + random.below(Math.max(1, Math.floor(maximum - minimum) + 1));
    }
    case "boolean":
      return random.below(2) === 0;
    case "null":
      return null;
    case undefined:
    default:
      return random.pick(["any", 1, true]);
  }
}

const strange: readonly unknown[] = [null, 7, "strange", [], [[1]], {}, { strange: 1 }, true, -1e9];

/** Returns a copy of a JSON value in which one random part is replaced, removed or has another member. */
export function mutated(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0 && random.below(5) > 0) {
    const index = random.below(value.length);
    return value.map((each, at) => (at === index ? mutated(each, random) : each));
  }
  if (isObject(value)) {
    const names = Object.keys(value);
    if (names.length === 0 || random.below(8) === 0)
      return { ...value, [`x${random.below(99)}`]: random.pick(strange) };
    const name = random.pick(names);
    if (random.below(8) === 0)
      return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
    return { ...value, [name]: mutated(value[name], random) };
  }
  return random.pick(strange);
}
