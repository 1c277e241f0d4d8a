import Type, { type TSchema } from "typebox";

/** Refers to a schema of the document by its name. */
export const reference = (name: string): TSchema =>
  Type.Unsafe({ $ref: `#/components/schemas/${name}` });

/** Returns the name of a schema: `ai_settings` is `AiSettings`. */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
