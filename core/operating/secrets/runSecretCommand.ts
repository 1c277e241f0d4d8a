import { parseArgs } from "node:util";
import type { Knex } from "knex";
import { type Cipher, openCatalog, openCipher } from "../../catalog/index.ts";
import { type Config, isObject, readConfig } from "../../base/index.ts";
import { askHost } from "../operator/index.ts";
import { rotateSecrets, sumOf } from "./rotateSecrets.ts";
import { countByKey, readKeys } from "./secretKeys.ts";

/** The help of the command, as lines. */
export const secretUsage = [
  "manifold secret keys       counts the sealed values of the catalog by the key of their secret",
  "manifold secret rotate     seals with MANIFOLD_SECRET what MANIFOLD_SECRET_PREVIOUS sealed, while hosts run",
  "manifold secret give-up KEY",
  "                           lets a host start without the values of a secret that is lost for good; any number",
  "    Run it as the host is run: with its environment, on its machine. --data-dir names the host's folder",
] as const;

export interface SecretCommandParts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Is given each line of the answer. */
  write(line: string): void;
}

interface Opened {
  readonly knex: Knex;
  readonly cipher: Cipher;
}

/**
 * Runs `manifold secret`. Returns the status of the process: 1 where `rotate` left values with another secret.
 * @throws {Error} for a wrong argument, another secret than the host's that runs, and a catalog that does not open
 */
export async function runSecretCommand(
  args: readonly string[],
  { environment, write }: SecretCommandParts,
): Promise<number> {
  const options = { "data-dir": { type: "string" } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [command, ...ids] = positionals;
  if (command !== "keys" && command !== "rotate" && command !== "give-up")
    throw new Error("secret takes keys, rotate or give-up");
  if (command === "give-up" ? ids.length === 0 : ids.length > 0)
    throw new Error(
      command === "give-up"
        ? "secret give-up takes the keys that are lost, as the host names them"
        : `secret ${command} takes no ${JSON.stringify(ids[0])}`,
    );
  const config = readConfig({ dataDir: values["data-dir"] }, environment);
  return withCatalog(config, async (opened) => {
    if (command === "rotate") return rotate(opened, write);
    if (command === "keys") await list(opened, write);
    else await giveUp(ids, opened, write);
    return 0;
  });
}

/** Opens the catalog, of a host that runs too. */
async function withCatalog<Result>(
  config: Config,
  run: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const cipher = await openCipher(config);
  const host = await askHost(config.dataDir, "state");
  try {
    const state = isObject(host?.answer) ? host.answer : {};
    const { databaseUrl = config.databaseUrl, secretKey } = state;
    if (host && secretKey !== cipher.keyId)
      throw new Error(
        `the host that runs seals with the secret of key ${String(secretKey)}, and MANIFOLD_SECRET is the one of ${cipher.keyId}: give this command the settings of the host`,
      );
    const catalog = await openCatalog({
      dataDir: config.dataDir,
      databaseUrl: typeof databaseUrl === "string" ? databaseUrl : undefined,
      log: silent,
      keepsSchema: true,
    });
    try {
      return await run({ knex: catalog.transactions, cipher });
    } finally {
      await catalog.close();
    }
  } finally {
    await host?.end();
  }
}

async function rotate({ knex, cipher }: Opened, write: (line: string) => void): Promise<number> {
  const { resealed, lost, others } = await rotateSecrets(knex, cipher);
  for (const [name, count] of resealed) write(`${count} of ${name} sealed anew`);
  for (const [name, count] of lost)
    write(`${count} of ${name} open with no secret that was given, and stay as they are`);
  const late = sumOf(others) - sumOf(lost);
  if (late > 0)
    write(
      `${late} values were sealed with the former secret meanwhile: a host still has it as MANIFOLD_SECRET. Give all hosts the new one, and run this again`,
    );
  else if (lost.size === 0)
    write(
      `every value is sealed with MANIFOLD_SECRET, key ${cipher.keyId}; remove MANIFOLD_SECRET_PREVIOUS from all hosts`,
    );
  return late > 0 || lost.size > 0 ? 1 : 0;
}

async function list({ knex, cipher }: Opened, write: (line: string) => void): Promise<void> {
  for (const [id, count] of await countByKey(knex)) {
    const whose =
      id === cipher.keyId
        ? "MANIFOLD_SECRET"
        : cipher.markKeys.has(id)
          ? "MANIFOLD_SECRET_PREVIOUS or MANIFOLD_SECRET_NEXT"
          : "a secret that was not given";
    write(`${id.padEnd(8)}  ${count} values  ${whose}`);
  }
}

async function giveUp(
  ids: readonly string[],
  { knex, cipher }: Opened,
  write: (line: string) => void,
): Promise<void> {
  const keys = await readKeys(knex);
  for (const id of ids) {
    if (cipher.markKeys.has(id))
      throw new Error(`the secret of key ${id} is here: \`manifold secret rotate\` loses nothing`);
    if (!keys.some((key) => key.id === id))
      throw new Error(`the catalog knows no key ${JSON.stringify(id)}`);
  }
  await knex("secret_key").whereIn("id", ids).update({ lost_at: new Date() });
  write(`the host starts without what ${ids.join(", ")} sealed, and its log says what that was`);
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
