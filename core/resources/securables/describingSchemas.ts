import type { NamedSchemas } from "../../base/index.ts";
import { rowFilterSchemas } from "../../queries/index.ts";
import { contentsSchemas } from "./contentsSchemas.ts";

/** The schemas of contents, with the schemas from other folders to which they refer. */
export const describingSchemas: NamedSchemas = {
  ...rowFilterSchemas,
  ...contentsSchemas,
};
