import { writeFile } from "node:fs/promises";
import { connectorNames, pageOf, pageWithTable } from "./capabilityTable.ts";

// Writes the table of capabilities into the page of each connector.
for (const name of await connectorNames()) await writeFile(pageOf(name), await pageWithTable(name));
