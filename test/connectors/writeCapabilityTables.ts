import { writeFile } from "node:fs/promises";
import { connectorNames, readmeOf, readmeWithTable } from "./capabilityTable.ts";

// Writes the table of capabilities into the README of each connector.
for (const name of await connectorNames())
  await writeFile(readmeOf(name), await readmeWithTable(name));
