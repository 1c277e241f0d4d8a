import type { NamedSchemas } from "../base/index.ts";
import { automationSchemas } from "./automation/automationSchemas.ts";
import { providerSchemas, tokenSchemas } from "../identity/index.ts";
import { rowFilterSchemas } from "../queries/index.ts";
import { sourceSchemas } from "./sources/sourceSchemas.ts";
import { contentsSchemas } from "./securables/contentsSchemas.ts";

/** The schemas to which the described members of declarations refer, by the name in the API description. */
export const namedSchemas: NamedSchemas = {
  ...rowFilterSchemas,
  ...tokenSchemas,
  ...automationSchemas,
  ...contentsSchemas,
  ...sourceSchemas,
  ...providerSchemas,
};
