import { parseArgs } from "node:util";
import { applyFolder } from "./applyFolder.ts";
import { exportFolder } from "./exportFolder.ts";
import { createRetryingClient, expectApiToken } from "./retryingClient.ts";
import { TransferError } from "./transferError.ts";

/** The help of both commands, as lines. */
export const transferUsage = [
  "manifold export --dir DIR  writes the model of an organization to a folder, one file a record",
  "manifold apply --dir DIR   makes an organization have what the folder says; deletes nothing",
  "    --dry-run              says what apply would do, and does nothing",
  "    --secrets              has apply send secrets to records that are there already, too",
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
 * Runs `manifold export` or `manifold apply`; `write` is given each line of the answer.
 * @throws {TransferError} for a missing flag or variable, and what the folder or the host refuses
 */
export async function runTransfer(
  command: "export" | "apply",
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: flags });
  const { dir, "dry-run": isDryRun = false, secrets: sendsSecrets = false } = values;
  if (!dir) throw new TransferError(`${command} takes --dir with the folder of the files`);
  if (command === "export" && (isDryRun || sendsSecrets))
    throw new TransferError("--dry-run and --secrets are for apply");
  const key = values.key ?? environment["MANIFOLD_KEY"];
  const token = environment["MANIFOLD_TOKEN"];
  if (!key || !token)
    throw new TransferError(
      "MANIFOLD_KEY and MANIFOLD_TOKEN must be set to a key pair of the host",
    );
  const given = values.url ?? (environment["MANIFOLD_URL"] || "http://127.0.0.1:4000");
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new TransferError("MANIFOLD_URL must be the http or https address of a host");
  const client = createRetryingClient({ url: given.replace(/\/+$/, ""), key, token });
  await expectApiToken(client, key);
  if (command === "export") {
    for (const [kind, count] of await exportFolder({ client, dir })) write(`${count} ${kind}`);
    write(`exported to ${dir}; rows, users and secrets are not part of it`);
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
    write(`nothing to change: all ${unchangedCount} records are as the folder says`);
  else
    write(
      `${isDryRun ? "would be " : ""}${createdCount} created, ${changedCount} changed, ${unchangedCount} as they were`,
    );
}
