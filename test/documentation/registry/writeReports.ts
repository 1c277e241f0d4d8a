import { writeFileSync } from "node:fs";
import { packageVersion } from "../../../core/base/index.ts";
import { readRegistry, registryFolder } from "../../../core/http/assets/readRegistry.ts";
import { missingPrograms, openRegistered } from "./openRegistered.ts";
import { readReport } from "./readReport.ts";

// Writes the reports of Manifold's own plugins into docs/registry, except those whose server is missing here. With
// slugs as arguments, writes only theirs.
const chosen = process.argv.slice(2);
for (const entry of readRegistry()) {
  const { slug, report } = entry;
  if (!(slug in openRegistered) || (chosen.length > 0 && !chosen.includes(slug))) continue;
  const missing = missingPrograms[slug];
  if (missing !== undefined) {
    console.log(`${slug}: skipped, because it needs ${missing}`);
    continue;
  }
  const { summary, proved } = await readReport(slug);
  const isSame = JSON.stringify(proved) === JSON.stringify(report.proved);
  const checked_at = isSame ? report.checked_at : new Date().toISOString().slice(0, 10);
  const written = { ...entry, report: { summary, checked_at, version: packageVersion(), proved } };
  writeFileSync(
    new URL(`${slug}.json`, registryFolder),
    `${JSON.stringify(written, undefined, 2)}\n`,
  );
  console.log(`${slug}: ${summary}`);
}
