import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { declarations } from "../../resources/index.ts";
import { callTypes } from "./callTypes.ts";

// Writes the types of the calls into the client's folder. Git ignores the files. Because only types are imported, the
// sources also run without them.
const folder = join(import.meta.dirname, "../../web/client/calls");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [file, text] of callTypes(declarations)) writeFileSync(join(folder, file), text);
