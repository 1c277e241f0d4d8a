import Type, { type TSchema } from "typebox";

/** Named schemas of the API description. They refer to each other by `reference`. */
export type NamedSchemas = Readonly<Record<string, TSchema>>;

const prefix = "#/components/schemas/";

/** Returns a reference to a schema of the API description, by the schema's name. */
export const reference = (name: string): TSchema => Type.Unsafe({ $ref: `${prefix}${name}` });

/** Returns the name of the schema to which a schema refers; undefined for a schema that is not a reference. */
export function referredName(schema: TSchema): string | undefined {
  const { $ref }: { readonly $ref?: unknown } = schema;
  return typeof $ref === "string" && $ref.startsWith(prefix)
    ? $ref.slice(prefix.length)
    : undefined;
}
