import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { declarations } from "../../resources/index.ts";
import { callTypes } from "./callTypes.ts";

// Writes the types of the calls beside the client. Git ignores the folder: only types are imported from it, so the
// sources run without it.
const folder = join(import.meta.dirname, "../../web/client/calls");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [file, text] of callTypes(declarations)) writeFileSync(join(folder, file), text);
