import type { Knex } from "knex";
import { accelerations } from "./accelerations.ts";
import { assistant } from "./assistant.ts";
import { audit } from "./audit.ts";
import { automation } from "./automation.ts";
import { content } from "./content.ts";
import { datasets } from "./datasets.ts";
import { hosts } from "./hosts.ts";
import { identity } from "./identity.ts";
import { organizations } from "./organizations.ts";
import { reference } from "./reference.ts";
import { sharing } from "./sharing.ts";
import { sources } from "./sources.ts";
import { versions } from "./versions.ts";

/** The schema as one text. Its sections are by subject, and a section refers only to tables of earlier sections. */
export const schemaText: string = [
  reference,
  organizations,
  identity,
  sources,
  datasets,
  accelerations,
  sharing,
  content,
  automation,
  assistant,
  audit,
  hosts,
  versions,
].join("\n");

/** Creates the tables, views and triggers of release 0.1.0 in an empty database. */
export async function createSchema(knex: Knex.Transaction): Promise<void> {
  await knex.raw(schemaText);
}
