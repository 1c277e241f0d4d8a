import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Copies the catalog of a data folder to another folder. No process may be using the data folder. The files keep their
 * owner.
 */
export async function copyCatalog(from: string, to: string): Promise<void> {
  // `initialize` in core/catalog/postgres creates these two entries.
  const paths = ["catalog", "catalog-password"].map((name) => join(from, name));
  await run("cp", ["-a", ...paths, to]);
}
