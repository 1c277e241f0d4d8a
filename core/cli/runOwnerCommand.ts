import { createRecoveryKey, recoverOwner } from "../identity/index.ts";
import { openCatalog, openCipher } from "../catalog/index.ts";
import { type GivenSettings, readConfig } from "../base/index.ts";
import { openRecords } from "../resources/index.ts";
import { pino } from "pino";

/** Help of the command, one string per line. */
export const ownerUsage = [
  "manifold owner recovery-key",
  "                           creates and prints a key with which the first owner can regain access",
  "manifold owner recover     sets a new password for the first owner, and removes their second factors and sessions",
  "    Reads MANIFOLD_RECOVERY_KEY and MANIFOLD_NEW_PASSWORD from the environment",
  "    Both commands use the settings of serve and open the catalog: without DATABASE_URL, stop the host first",
] as const;

const leastLength = 10;
const mostLength = 200;

/**
 * Runs `manifold owner` on the catalog that the settings name, and passes each line of output to `write`.
 * @throws {Error} for an invalid argument, a missing variable or a wrong key, or if the catalog cannot be opened
 */
export async function runOwnerCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
  settings: GivenSettings = {},
): Promise<void> {
  const [command, ...others] = args;
  if ((command !== "recovery-key" && command !== "recover") || others.length > 0)
    throw new Error("owner must be followed by recovery-key or recover, and nothing else");
  const given = command === "recover" ? readGiven(environment) : undefined;
  const config = readConfig(settings);
  const cipher = await openCipher(config);
  const catalog = await openCatalog({ ...config, log: pino({ level: config.logLevel }) });
  try {
    const records = openRecords({ catalog, cipher });
    if (!given) {
      write("The recovery key of the first owner, shown only once:");
      write(`  ${await createRecoveryKey(records)}`);
      return;
    }
    const { email, recoveryKey } = await recoverOwner(records, given);
    write(
      `${email} can now sign in with the new password; second factors and sessions were removed.`,
    );
    write("The next recovery key, shown only once:");
    write(`  ${recoveryKey}`);
  } finally {
    await catalog.close();
  }
}

function readGiven(environment: Readonly<Record<string, string | undefined>>) {
  const { MANIFOLD_RECOVERY_KEY: recoveryKey, MANIFOLD_NEW_PASSWORD: password } = environment;
  if (!recoveryKey || !password)
    throw new Error(
      "MANIFOLD_RECOVERY_KEY and MANIFOLD_NEW_PASSWORD must be set in the environment",
    );
  if (password.length < leastLength || password.length > mostLength)
    throw new Error(`MANIFOLD_NEW_PASSWORD must have ${leastLength} to ${mostLength} characters`);
  return { recoveryKey, password };
}
