import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Copies the catalog of a data folder that nothing uses to another folder, with the owner of its files. */
export async function copyCatalog(from: string, to: string): Promise<void> {
  // `initialize` of core/catalog/postgres makes these two.
  const paths = ["catalog", "catalog-password"].map((name) => join(from, name));
  await run("cp", ["-a", ...paths, to]);
}
