import Type, { type TSchema } from "typebox";
import { Multilingual } from "../../../plugins/protocol/index.ts";
import type { Field, Storage } from "./declaration.ts";

type Options = Partial<Omit<Field, "storage" | "schema">>;

/** Settable on create and update. */
export const settable = { on: ["create", "update"] } as const;

function field(storage: Storage, schema: TSchema, expects: string, options: Options): Field {
  return { storage, schema, expects, nullable: true, on: [], ...options };
}

export const uuid = (options: Options = {}): Field =>
  field("uuid", Type.String(), "a UUID", options);

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
  field("jsonb", Multilingual, 'an object of texts by language, like {"en": "…"}', options);

export const object = (options: Options = {}): Field =>
  field("jsonb", Type.Record(Type.String(), Type.Unknown()), "an object", options);

export const list = (items: TSchema, expects: string, options: Options = {}): Field =>
  field("jsonb", Type.Array(items), expects, options);

export const choice = (values: readonly string[], options: Options = {}): Field =>
  field(
    "text",
    Type.Union(values.map((value) => Type.Literal(value))),
    `one of ${values.join(", ")}`,
    options,
  );

const metadataBytes = 65_536;

/** Free-form data of the embedder. */
export const customMetadata = (): Field =>
  object({
    ...settable,
    check: (value) => {
      const size = Buffer.byteLength(JSON.stringify(value));
      return size <= metadataBytes
        ? undefined
        : `have at most ${metadataBytes} bytes as JSON, not ${size}`;
    },
  });

/** Every record has these. */
export const identity = { id: uuid({ nullable: false }) };
export const timestamps = {
  created_at: instant({ nullable: false }),
  updated_at: instant({ nullable: false }),
};
