import { parseArgs } from "node:util";
import type { Knex } from "knex";
import { type Cipher, openCatalog, openCipher } from "../../catalog/index.ts";
import { type Config, isObject, readConfig } from "../../base/index.ts";
import { requestHost } from "../operator/index.ts";
import { rotateSecrets, sumOf } from "./rotateSecrets.ts";
import { countByKey, readKeys } from "./secretKeys.ts";

/** The help of `manifold secret`, one string per line. */
export const secretUsage = [
  "manifold secret keys       counts the sealed values of the catalog by the key that sealed them",
  "manifold secret rotate     reseals values of MANIFOLD_SECRET_PREVIOUS with MANIFOLD_SECRET, while hosts run",
  "manifold secret give-up KEY",
  "                           lets a host start without the values that lost secrets sealed; accepts one or more keys",
  "    Run it like the host: with the same environment, on the same machine. --data-dir names the host's folder",
] as const;

export interface SecretCommandParts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes a line of the result. */
  write(line: string): void;
}

interface Opened {
  readonly knex: Knex;
  readonly cipher: Cipher;
}

/**
 * Runs `manifold secret`. Returns the exit status, which is 1 if `rotate` left values that are sealed with another
 * secret.
 * @throws {Error} for an invalid argument, a secret that differs from the running host's, and a catalog that cannot be
 * opened
 */
export async function runSecretCommand(
  args: readonly string[],
  { environment, write }: SecretCommandParts,
): Promise<number> {
  const options = { "data-dir": { type: "string" } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [command, ...ids] = positionals;
  if (command !== "keys" && command !== "rotate" && command !== "give-up")
    throw new Error("secret must be followed by keys, rotate or give-up");
  if (command === "give-up" ? ids.length === 0 : ids.length > 0)
    throw new Error(
      command === "give-up"
        ? "secret give-up must be followed by the ids of the lost keys, as the host reports them"
        : `secret ${command} takes no arguments, but got ${JSON.stringify(ids[0])}`,
    );
  const config = readConfig({ dataDir: values["data-dir"] }, environment);
  return withCatalog(config, async (opened) => {
    if (command === "rotate") return rotate(opened, write);
    if (command === "keys") await list(opened, write);
    else await giveUp(ids, opened, write);
    return 0;
  });
}

/** Opens the catalog, even if its host is running. */
async function withCatalog<Result>(
  config: Config,
  run: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const cipher = await openCipher(config);
  const host = await requestHost(config.dataDir, "state");
  try {
    const state = isObject(host?.answer) ? host.answer : {};
    const { databaseUrl = config.databaseUrl, secretKey } = state;
    if (host && secretKey !== cipher.keyId)
      throw new Error(
        `the running host uses the secret of key ${String(secretKey)}, and MANIFOLD_SECRET has key ${cipher.keyId}; run this command with the settings of the host`,
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
  for (const [name, count] of resealed) write(`${count} of ${name} resealed`);
  for (const [name, count] of lost)
    write(`${count} of ${name} cannot be decrypted with the given secrets, and are unchanged`);
  const late = sumOf(others) - sumOf(lost);
  if (late > 0)
    write(
      `${late} values were sealed with the former secret during the rotation, because a host still has it as MANIFOLD_SECRET; set the new secret on all hosts, and run this again`,
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
          : "a secret that is not set";
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
      throw new Error(
        `the secret of key ${id} is available; \`manifold secret rotate\` reseals its values without a loss`,
      );
    if (!keys.some((key) => key.id === id))
      throw new Error(`the catalog has no key ${JSON.stringify(id)}`);
  }
  await knex("secret_key").whereIn("id", ids).update({ lost_at: new Date() });
  write(
    `the host can now start without the values that ${ids.join(", ")} sealed; its log lists them`,
  );
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
