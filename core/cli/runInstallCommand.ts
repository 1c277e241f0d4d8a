import { parseArgs } from "node:util";
import { readConfig } from "../base/index.ts";

/** Help of the command, one string per line. */
export const installUsage = [
  "manifold install DRIVER …    installs drivers of connectors into the data folder: duckdb, mysql",
  "    Without this command, the host installs a driver when an account first uses its connector;",
  "    --data-dir names the folder. MANIFOLD_INSTALL does not apply to this command",
] as const;

/**
 * Runs `manifold install`, and passes each line of output to `write`.
 * @throws {Error} for an invalid argument, or if npm is missing or fails
 */
export async function runInstallCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { "data-dir": { type: "string" } },
    allowPositionals: true,
  });
  // The sources are imported only here, because the help does not need their modules.
  const { drivers, installNow, isDriverName } = await import("../sources/index.ts");
  const names = Object.keys(drivers).join(", ");
  if (positionals.length === 0) throw new Error(`install needs at least one of ${names}`);
  const chosen = positionals.filter(isDriverName);
  const unknown = positionals.find((name) => !isDriverName(name));
  if (unknown !== undefined)
    throw new Error(`unknown driver ${JSON.stringify(unknown)}; the drivers are ${names}`);
  const { dataDir } = readConfig({ dataDir: values["data-dir"] }, environment);
  for (const name of chosen) await installNow(name, { dataDir, environment, write });
}
