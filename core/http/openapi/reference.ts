export { reference } from "../../base/index.ts";

/** Returns the schema name of a resource: `ai_settings` becomes `AiSettings`. */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
