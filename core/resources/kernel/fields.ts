import Type, { type TSchema } from "typebox";
import { Multilingual } from "../../../plugins/protocol/index.ts";
import type { Field, Fields, Storage } from "./declaration.ts";
import { limits } from "./limits.ts";
import { isUuid } from "../../contracts/index.ts";

type Options = Partial<Omit<Field, "storage" | "schema">>;

/** Settable on create and update. */
export const settable = { on: ["create", "update"] } as const;

function field(storage: Storage, schema: TSchema, expects: string, options: Options): Field {
  return { storage, schema, expects, nullable: true, on: [], ...options };
}

export const uuid = (options: Options = {}): Field =>
  field("uuid", Type.String(), "a UUID", {
    check: (value) => (isUuid(value) ? undefined : "be a UUID"),
    ...options,
  });

export const text = (options: Options = {}): Field =>
  field("text", Type.String(), "a text", options);

export const flag = (options: Options = {}): Field =>
  field("boolean", Type.Boolean(), "true or false", options);

export const number = (options: Options = {}): Field =>
  field("double precision", Type.Number(), "a number", options);

export const instant = (options: Options = {}): Field =>
  field("timestamp with time zone", Type.String(), "an instant as ISO 8601 text", {
    check: (value) =>
      /^\d{4}-\d\d-\d\d/.test(String(value)) && Number.isFinite(Date.parse(String(value)))
        ? undefined
        : "be an instant like 2030-01-31T12:00:00.000Z",
    convert: (value) => new Date(String(value)),
    ...options,
  });

export const multilingual = (options: Options = {}): Field =>
  field("jsonb", Multilingual, 'an object of texts by language, like {"en": "…"}', {
    isMultilingual: true,
    ...options,
  });

/** A name that is a text or multilingual; clients of the field send both, and read back what they sent. */
export const title = (options: Options = {}): Field =>
  field(
    "jsonb",
    Type.Union([Type.String(), Type.Record(Type.String(), Type.String())]),
    "a text, or an object of texts by language",
    { isMultilingual: true, length: limits.nameLength, ...options },
  );

/** The complaint about a JSON value that is larger than allowed. */
export function checkSize(value: unknown, bytes: number): string | undefined {
  const size = Buffer.byteLength(JSON.stringify(value));
  return size <= bytes ? undefined : `have at most ${bytes} bytes as JSON, not ${size}`;
}

export const object = (options: Options = {}): Field =>
  field("jsonb", Type.Record(Type.String(), Type.Unknown()), "an object", {
    check: (value) => checkSize(value, limits.jsonBytes),
    ...options,
  });

export const list = (items: TSchema, expects: string, options: Options = {}): Field =>
  field("jsonb", Type.Array(items), expects, {
    check: (value) => checkSize(value, limits.jsonBytes),
    ...options,
  });

export const choice = (values: readonly string[], options: Options = {}): Field =>
  field(
    "text",
    Type.Union(values.map((value) => Type.Literal(value))),
    `one of ${values.join(", ")}`,
    options,
  );

/** Free-form data of the embedder. */
export const customMetadata = (): Field =>
  object({ ...settable, check: (value) => checkSize(value, limits.customMetadataBytes) });

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch (refused) {
    if (refused instanceof RangeError) return false;
    throw refused;
  }
}

/** A time zone by its name in the IANA database; one that is named in another way is refused where it is given. */
export const timeZone = (options: Options = {}): Field =>
  text({
    check: (value) =>
      /^[A-Za-z]/.test(String(value)) && isTimeZone(String(value))
        ? undefined
        : "be the name of a time zone like Europe/Brussels",
    length: limits.idLength,
    ...options,
  });

/** A colour like `#1A2B3C`. */
export const colour = (options: Options = {}): Field =>
  text({
    check: (value) =>
      /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(String(value))
        ? undefined
        : "be a colour like #1A2B3C",
    ...options,
  });

/** Every record has these. */
export const identity: Fields = { id: uuid({ nullable: false }) };
/** Of resources whose ids are words. */
export const textIdentity = (makeId?: () => string): Fields => ({
  id: text({ nullable: false, default: makeId }),
});
export const timestamps = {
  created_at: instant({ nullable: false }),
  updated_at: instant({ nullable: false }),
};
