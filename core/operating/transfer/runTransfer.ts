import { parseArgs } from "node:util";
import { applyFolder } from "./applyFolder.ts";
import { parseOnly } from "./chosenRecords.ts";
import { exportFolder } from "./exportFolder.ts";
import { createRetryingClient, expectApiToken } from "./retryingClient.ts";
import { TransferError } from "./transferError.ts";

/** The help of `manifold export` and `manifold apply`, one string per line. */
export const transferUsage = [
  "manifold export --dir DIR  writes the model of an organization to a folder, one file per record",
  "manifold apply --dir DIR   makes an organization match the folder; deletes nothing without --prune",
  "    --dry-run              reports what apply would do, and does nothing",
  "    --only FOLDERS         makes apply process only these folders, such as dashboards,alerts",
  "    --prune                makes apply delete records whose files were removed; needs --dry-run or --yes",
  "    --secrets              makes apply send secrets to existing records too",
  "    Both commands call a host: MANIFOLD_URL or --url [http://127.0.0.1:4000], with MANIFOLD_KEY and MANIFOLD_TOKEN",
] as const;

const flags = {
  dir: { type: "string" },
  url: { type: "string" },
  key: { type: "string" },
  "dry-run": { type: "boolean" },
  secrets: { type: "boolean" },
  only: { type: "string" },
  prune: { type: "boolean" },
  yes: { type: "boolean" },
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
  const { only, prune: prunes = false, yes: isConfirmed = false } = values;
  if (command === "export" && (isDryRun || sendsSecrets || only !== undefined || prunes))
    throw new TransferError("--dry-run, --secrets, --only and --prune can only be used with apply");
  if (prunes && !isDryRun && !isConfirmed)
    throw new TransferError(
      "--prune deletes records, including datasets with their rows; list the records with --dry-run first, then confirm with --yes",
    );
  const chosen = only === undefined ? undefined : parseOnly(only);
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
    write(`exported to ${dir}, without rows, users or secrets`);
    return;
  }
  const applied = await applyFolder({
    client,
    dir,
    environment,
    isDryRun,
    sendsSecrets,
    prunes,
    ...(chosen && { only: chosen }),
    report: write,
  });
  for (const warning of applied.warnings) write(`warning: ${warning}`);
  for (const note of applied.notes) write(`note: ${note}`);
  for (const each of applied.missing) write(`missing: ${each}`);
  const { createdCount, changedCount, unchangedCount, deletedCount } = applied;
  const deleted = deletedCount === 0 ? "" : `, ${deletedCount} deleted`;
  if (createdCount + changedCount + deletedCount === 0)
    write(`nothing to change: all ${unchangedCount} records match the folder`);
  else
    write(
      `${isDryRun ? "would be " : ""}${createdCount} created, ${changedCount} changed${deleted}, ${unchangedCount} unchanged`,
    );
}
