// Writes the JSON Schemas and the OpenAPI description of the plugin protocol into a folder: `npm run schemas FOLDER`.
import { resolve } from "node:path";
import { writeSchemas } from "./writeSchemas.ts";

writeSchemas(resolve(process.argv[2] ?? "dist/plugin/schemas"));
