import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Copies the catalog from a data folder that nothing is using to another folder, and keeps the files' owner. */
export async function copyCatalog(from: string, to: string): Promise<void> {
  // initialize` in core/catalog/postgres creates these two.
  const paths = ["catalog", "catalog-password"].map((name) => join(from, name));
  await run("cp", ["-a", ...paths, to]);
}
