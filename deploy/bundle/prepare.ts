// Called by `npm ci`: creates in advance what the first start of a host would otherwise create or do without.
import { createTables } from "../../core/jobs/index.ts";
import { writeTemplate } from "../../core/catalog/index.ts";
import { openBundle } from "./openBundle.ts";
import { ownBundle } from "./ownBundle.ts";

const silent = () => undefined;
const log = { info: silent, warn: silent, error: silent };

for (const [part, prepare] of Object.entries({
  "bundle of the host": () => openBundle(ownBundle),
  "template of a new catalog": () =>
    writeTemplate({ folder: ownBundle.cacheDir, log, fill: createTables }),
}))
  // A host also starts without them.
  await prepare().catch((failure: unknown) =>
    process.stdout.write(
      `The ${part} was not created, so hosts start more slowly: ${String(failure)}\n`,
    ),
  );
