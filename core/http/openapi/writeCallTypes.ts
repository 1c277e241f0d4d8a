import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { declarations } from "../../resources/index.ts";
import { callTypes, mark } from "./callTypes.ts";

// Writes the types of the calls beside the client: `npm run calls` after a change of a declaration.
const folder = join(import.meta.dirname, "../../web/client/calls");
for (const file of readdirSync(folder))
  if (readFileSync(join(folder, file), "utf8").startsWith(mark)) rmSync(join(folder, file));
for (const [file, text] of callTypes(declarations)) writeFileSync(join(folder, file), text);
