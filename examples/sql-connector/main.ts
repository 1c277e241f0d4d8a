// This example serves a PGlite database as a plugin. Start it with `PORT=7071 SECRET=change-me node main.ts`.
import { PGlite } from "@electric-sql/pglite";
import { serve } from "@manifold-analytics/plugin";
import { createPglitePlugin } from "./pgliteConnector.ts";

const { PORT = "0", SECRET, DATABASE } = process.env;
// The folder of the database. If the variable is not set, the database is kept in memory.
const database = await PGlite.create(DATABASE ?? "memory://");
if (DATABASE === undefined)
  await database.exec(`create table trips (city text, km float8, day date);
    insert into trips values ('Ghent', 3, '2024-01-05'), ('Mons', 5, '2024-02-01'), ('Ghent', 1, null)`);
const plugin = createPglitePlugin(database);
const served = await serve(plugin, { port: Number(PORT), ...(SECRET && { secret: SECRET }) });
console.log(`The plugin listens on ${served.url}`);
let closed: Promise<void> | undefined;
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => void (closed ??= served.close().then(() => database.close())));
