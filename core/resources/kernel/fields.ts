import Type, {
  type TArray,
  type TBoolean,
  type TNumber,
  type TRecord,
  type TSchema,
  type TString,
  type TUnion,
  type TUnknown,
  type TUnsafe,
} from "typebox";
import { millisecondsOf, Multilingual } from "../../../plugins/protocol/index.ts";
import type { Field, Storage } from "./field.ts";
import { limits } from "./limits.ts";
import { isUuid } from "../../base/index.ts";

/** Options of a field. A field is nullable unless `nullable` is false, and has a description unless it is hidden. */
type Options<Nullable extends boolean = boolean> = Partial<
  Omit<Field, "storage" | "schema" | "nullable" | "description" | "hidden">
> & { readonly nullable?: Nullable } & (
    | { readonly description: string; readonly hidden?: false }
    | { readonly hidden: true }
  );

/** Options that make a field settable on create and update. */
export const settable = { on: ["create", "update"] } as const;

function field<Stored extends Storage, Schema extends TSchema, Nullable extends boolean>(
  storage: Stored,
  schema: Schema,
  expects: string,
  options: Options<Nullable>,
): Field<Stored, Schema, Nullable> {
  // `Nullable` is true by default, so a field whose options omit `nullable` is nullable.
  const nullable = (options.nullable ?? true) as Nullable;
  return { storage, schema, expects, on: [], ...options, nullable };
}

export const uuid = <Nullable extends boolean = true>(
  options: Options<Nullable>,
): Field<"uuid", TString, Nullable> =>
  field("uuid", Type.String(), "a UUID", {
    check: (value) => (isUuid(value) ? undefined : "be a UUID"),
    ...options,
  });

export const text = <Nullable extends boolean = true>(
  options: Options<Nullable>,
): Field<"text", TString, Nullable> => field("text", Type.String(), "a string", options);

export const flag = <Nullable extends boolean = true>(
  options: Options<Nullable>,
): Field<"boolean", TBoolean, Nullable> =>
  field("boolean", Type.Boolean(), "true or false", options);

export const number = <Nullable extends boolean = true>(
  options: Options<Nullable>,
): Field<"double precision", TNumber, Nullable> =>
  field("double precision", Type.Number(), "a number", options);

export const instant = <Nullable extends boolean = true>(
  options: Options<Nullable>,
): Field<"timestamp with time zone", TString, Nullable> =>
  field("timestamp with time zone", Type.String(), "an instant as an ISO 8601 string", {
    check: (value) =>
      /^\d{4}-/.test(String(value)) && millisecondsOf(String(value)) !== undefined
        ? undefined
        : "be an instant that exists, such as 2030-01-31T12:00:00.000Z",
    convert: (value) => new Date(Number(millisecondsOf(String(value)))),
    ...options,
  });

export const multilingual = <Nullable extends boolean = true>(
  options: Options<Nullable>,
): Field<"jsonb", typeof Multilingual, Nullable> =>
  field("jsonb", Multilingual, 'an object with a string per language such as {"en": "…"}', {
    isMultilingual: true,
    ...options,
  });

/** A name that is either a string or multilingual. The API returns whichever form the client sent. */
export const title = <Nullable extends boolean = true>(
  options: Options<Nullable>,
): Field<"jsonb", TUnion<[TString, TRecord<string, TString>]>, Nullable> =>
  field(
    "jsonb",
    Type.Union([Type.String(), Type.Record(Type.String(), Type.String())]),
    "a string, or an object with a string per language",
    { isMultilingual: true, length: limits.nameLength, ...options },
  );

/** Returns words that complete "must …" if a value takes more than `bytes` as JSON in UTF-8; otherwise undefined. */
export function checkSize(value: unknown, bytes: number): string | undefined {
  const size = Buffer.byteLength(JSON.stringify(value));
  return size <= bytes ? undefined : `have at most ${bytes} bytes as JSON, not ${size}`;
}

export const object = <Nullable extends boolean = true>(
  options: Options<Nullable>,
): Field<"jsonb", TRecord<string, TUnknown>, Nullable> =>
  field("jsonb", Type.Record(Type.String(), Type.Unknown()), "an object", {
    check: (value) => checkSize(value, limits.jsonBytes),
    ...options,
  });

/** An object with members of these types, which `check` has tested. */
export const checkedObject = <Members extends object>(
  options: Options<true> & Required<Pick<Field, "check">>,
): Field<"jsonb", TUnsafe<Members>, true> =>
  field(
    "jsonb",
    Type.Unsafe<Members>(Type.Record(Type.String(), Type.Unknown())),
    "an object",
    options,
  );

/**
 * An object that is stored encrypted as a whole. Responses show only the names of its members, and the result of
 * `show`.
 */
export const sealedObject = <Nullable extends boolean = true>(
  options: Options<Nullable>,
): Field<"text", TRecord<string, TUnknown>, Nullable> => ({
  ...object({ ...options, sealed: true }),
  storage: "text",
});

export const list = <Items extends TSchema, Nullable extends boolean = true>(
  items: Items,
  expects: string,
  options: Options<Nullable>,
): Field<"jsonb", TArray<Items>, Nullable> =>
  field("jsonb", Type.Array(items), expects, {
    check: (value) => checkSize(value, limits.jsonBytes),
    ...options,
  });

export const choice = <const Each extends string, Nullable extends boolean = true>(
  values: readonly Each[],
  options: Options<Nullable>,
): Field<"text", TUnsafe<Each>, Nullable> =>
  field(
    "text",
    Type.Unsafe<Each>(Type.Union(values.map((value) => Type.Literal(value)))),
    `one of ${values.join(", ")}`,
    options,
  );

/** Free-form data of the application that embeds Manifold. */
export const customMetadata = () =>
  object({
    description: "Data of your own application. The host stores it and never reads it.",
    ...settable,
    check: (value) => checkSize(value, limits.customMetadataBytes),
  });

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch (refused) {
    if (refused instanceof RangeError) return false;
    throw refused;
  }
}

/** An IANA time zone name that Node.js knows. A call that sets any other name is refused. */
export const timeZone = (options: Options) =>
  text({
    check: (value) =>
      /^[A-Za-z]/.test(String(value)) && isTimeZone(String(value))
        ? undefined
        : "be an IANA time zone name such as Europe/Brussels",
    length: limits.idLength,
    ...options,
  });

/** A colour as `#` with three or six hexadecimal digits, such as `#1A2B3C`. */
export const colour = (options: Options) =>
  text({
    check: (value) =>
      /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(String(value))
        ? undefined
        : "be a colour such as #1A2B3C",
    ...options,
  });

/** The id, which every record has. */
export const identity = { id: uuid({ description: "Id of the record.", nullable: false }) };
/** The id of a resource whose ids are words, such as country codes. */
export const textIdentity = (makeId?: () => string) => ({
  id: text({ description: "Id of the record.", nullable: false, default: makeId }),
});
export const timestamps = {
  created_at: instant({ description: "When the record was created.", nullable: false }),
  updated_at: instant({ description: "When the record was last changed.", nullable: false }),
};
