import { parseArgs } from "node:util";
import { applyFolder } from "./applyFolder.ts";
import { exportFolder } from "./exportFolder.ts";
import { createRetryingClient, expectApiToken } from "./retryingClient.ts";
import { TransferError } from "./transferError.ts";

/** Lines of the help of both commands. */
export const transferUsage = [
  "manifold export --dir DIR  writes the model of an organization to a folder, one file per record",
  "manifold apply --dir DIR   makes an organization match the folder; deletes nothing",
  "    --dry-run              reports what apply would do, and does nothing",
  "    --secrets              makes apply send secrets to existing records too",
  "    Both call a host: MANIFOLD_URL or --url [http://127.0.0.1:4000], with MANIFOLD_KEY and MANIFOLD_TOKEN",
] as const;

const flags = {
  dir: { type: "string" },
  url: { type: "string" },
  key: { type: "string" },
  "dry-run": { type: "boolean" },
  secrets: { type: "boolean" },
} as const;

/**
 * Runs `manifold export` or `manifold apply`. `write` is called with each line of output.
 * @throws {TransferError} for a missing flag or variable, and if the folder or the host refuses
 */
export async function runTransfer(
  command: "export" | "apply",
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: flags });
  const { dir, "dry-run": isDryRun = false, secrets: sendsSecrets = false } = values;
  if (!dir) throw new TransferError(`${command} requires --dir with the folder of the files`);
  if (command === "export" && (isDryRun || sendsSecrets))
    throw new TransferError("--dry-run and --secrets can only be used with apply");
  const key = values.key ?? environment["MANIFOLD_KEY"];
  const token = environment["MANIFOLD_TOKEN"];
  if (!key || !token)
    throw new TransferError(
      "MANIFOLD_KEY and MANIFOLD_TOKEN must be set to a key pair of the host",
    );
  const given = values.url ?? (environment["MANIFOLD_URL"] || "http://127.0.0.1:4000");
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new TransferError("MANIFOLD_URL must be the http or https URL of a host");
  const client = createRetryingClient({ url: given.replace(/\/+$/, ""), key, token });
  await expectApiToken(client, key);
  if (command === "export") {
    for (const [kind, count] of await exportFolder({ client, dir })) write(`${count} ${kind}`);
    write(`exported to ${dir}, without rows, users and secrets`);
    return;
  }
  const applied = await applyFolder({
    client,
    dir,
    environment,
    isDryRun,
    sendsSecrets,
    report: write,
  });
  for (const note of applied.notes) write(`note: ${note}`);
  const { createdCount, changedCount, unchangedCount } = applied;
  if (createdCount + changedCount === 0)
    write(`nothing to change: all ${unchangedCount} records match the folder`);
  else
    write(
      `${isDryRun ? "would be " : ""}${createdCount} created, ${changedCount} changed, ${unchangedCount} unchanged`,
    );
}
