import { createRecoveryKey, recoverOwner } from "../identity/index.ts";
import { openCatalog, openCipher } from "../catalog/index.ts";
import { type HostOptions } from "../host.ts";
import { readConfig } from "../base/index.ts";
import { openRecords } from "../resources/index.ts";
import { pino } from "pino";

/** The help of the command, as lines. */
export const ownerUsage = [
  "manifold owner recovery-key",
  "                           makes the key by which the first owner is let in again, and prints it once",
  "manifold owner recover     gives the first owner a new password, and ends its second factors and sessions",
  "    MANIFOLD_RECOVERY_KEY and MANIFOLD_NEW_PASSWORD are in the environment",
  "    Both take the settings of serve. They open the catalog: without DATABASE_URL, stop the host first",
] as const;

const leastLength = 10;
const mostLength = 200;

/**
 * Runs `manifold owner` on the catalog of the settings; `write` is given each line of the answer.
 * @throws {Error} for a wrong argument, a missing variable, a wrong key, or a catalog that does not open
 */
export async function runOwnerCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
  settings: HostOptions = {},
): Promise<void> {
  const [command, ...others] = args;
  if ((command !== "recovery-key" && command !== "recover") || others.length > 0)
    throw new Error("owner takes recovery-key or recover, and nothing more");
  const given = command === "recover" ? readGiven(environment) : undefined;
  const config = readConfig(settings);
  const cipher = await openCipher(config);
  const catalog = await openCatalog({ ...config, log: pino({ level: config.logLevel }) });
  try {
    const records = openRecords({ catalog, cipher });
    if (!given) {
      write("The recovery key of the first owner, shown this once:");
      write(`  ${await createRecoveryKey(records)}`);
      return;
    }
    const { email, recoveryKey } = await recoverOwner(records, given);
    write(`${email} signs in with the new password; second factors and sessions have ended.`);
    write("The next recovery key, shown this once:");
    write(`  ${recoveryKey}`);
  } finally {
    await catalog.close();
  }
}

function readGiven(environment: Readonly<Record<string, string | undefined>>) {
  const { MANIFOLD_RECOVERY_KEY: recoveryKey, MANIFOLD_NEW_PASSWORD: password } = environment;
  if (!recoveryKey || !password)
    throw new Error("MANIFOLD_RECOVERY_KEY and MANIFOLD_NEW_PASSWORD must be in the environment");
  if (password.length < leastLength || password.length > mostLength)
    throw new Error(`MANIFOLD_NEW_PASSWORD must have ${leastLength} to ${mostLength} characters`);
  return { recoveryKey, password };
}
