import Type, { type TSchema } from "typebox";

/** Returns a reference to a schema of the document, by the schema's name. */
export const reference = (name: string): TSchema =>
  Type.Unsafe({ $ref: `#/components/schemas/${name}` });

/** Returns the schema name of a resource: `ai_settings` becomes `AiSettings`. */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
