import { parseArgs } from "node:util";
import { applyFolder } from "./applyFolder.ts";
import { parseOnly } from "./chosenRecords.ts";
import { exportFolder } from "./exportFolder.ts";
import { pullFolder } from "./pullFolder.ts";
import { createPacedClient, createRetryingClient, expectApiToken } from "./retryingClient.ts";
import { TransferError } from "./transferError.ts";

/** The help of `manifold export`, `manifold pull` and `manifold apply`, one string per line. */
export const transferUsage = [
  "manifold export --dir DIR  writes the model of an organization to a folder, one file per record",
  "manifold pull --from URL --dir DIR  writes an organization of any host that speaks the API to such a folder",
  "    --rows                 also pulls the rows of stored datasets",
  "    --dry-run              lists what would differ here, and writes nothing",
  "    --calls-per-second N   calls the other host at most so often [5]; its key pair is MANIFOLD_FROM_KEY and MANIFOLD_FROM_TOKEN",
  "manifold apply --dir DIR   makes an organization match the folder; deletes nothing without --prune",
  "    --dry-run              reports what apply would do, and does nothing",
  "manifold diff --dir DIR    describes what apply would do, member by member; exits with 2 if anything differs",
  "    --format markdown      writes a list for a comment on a pull request",
  "    --only FOLDERS         makes apply process only these folders, such as dashboards,alerts",
  "    --prune                makes apply delete records whose files were removed; needs --dry-run or --yes",
  "    --rows                 makes apply load the rows that pull wrote into datasets without rows",
  "    --secrets              makes apply send secrets to existing records too",
  "    Export and apply call a host: MANIFOLD_URL or --url [http://127.0.0.1:4000], with MANIFOLD_KEY and MANIFOLD_TOKEN",
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
  format: { type: "string" },
  rows: { type: "boolean" },
} as const;

const pullFlags = {
  from: { type: "string" },
  dir: { type: "string" },
  rows: { type: "boolean" },
  "dry-run": { type: "boolean" },
  "calls-per-second": { type: "string" },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;
type Write = (line: string) => void;

/**
 * Returns the address of a host without a slash at its end.
 * @throws {TransferError} that names `member`
 */
function readAddress(given: string, member: string): string {
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new TransferError(`${member} must be the http or https URL of a host`);
  return given.replace(/\/+$/, "");
}

/**
 * Runs `manifold pull`. `write` is called with each line of output. `connectors` are the slugs of the sources that this
 * version can reach.
 * @throws {TransferError} for a missing flag or variable, and if the folder or the host refuses
 */
export async function runPull(
  args: readonly string[],
  environment: Environment,
  connectors: readonly string[],
  write: Write,
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: pullFlags });
  const { from, dir, rows: pullsRows = false, "dry-run": isDryRun = false } = values;
  if (!from || !dir)
    throw new TransferError(
      "pull requires --from with the URL of the other host, and --dir with the folder for the files",
    );
  const url = readAddress(from, "--from");
  const key = environment["MANIFOLD_FROM_KEY"];
  const token = environment["MANIFOLD_FROM_TOKEN"];
  if (!key || !token)
    throw new TransferError(
      "MANIFOLD_FROM_KEY and MANIFOLD_FROM_TOKEN must be set to a key pair of the other host, preferably of an owner",
    );
  const callsPerSecond = Number(values["calls-per-second"] ?? 5);
  if (!(callsPerSecond > 0 && callsPerSecond <= 1_000))
    throw new TransferError("--calls-per-second must be a number above 0, at most 1000");
  const client = createPacedClient({ url, key, token }, callsPerSecond);
  const { counts, rowCount, findings } = await pullFolder({
    client,
    from: url,
    dir,
    connectors,
    pullsRows,
    isDryRun,
    report: write,
  });
  for (const { subject, problem } of findings) write(`${subject} ${problem}`);
  for (const [kind, count] of counts) write(`${count} ${kind}`);
  const rows = pullsRows ? `with ${rowCount} rows` : "without rows";
  write(
    isDryRun
      ? "nothing was written, because of --dry-run"
      : `pulled to ${dir}, ${rows}; users and secrets are not pulled`,
  );
}

/** The flags of each command, beside --dir, --url and --key. */
const flagsOf = {
  export: [],
  diff: ["only", "prune", "rows", "secrets", "format"],
  apply: ["only", "prune", "rows", "secrets", "dry-run", "yes"],
} as const;

/** Refuses flags of other commands. */
function refuseOthers(command: keyof typeof flagsOf, given: object): void {
  const known: readonly string[] = ["dir", "url", "key", ...flagsOf[command]];
  const other = Object.keys(given).find((flag) => !known.includes(flag));
  if (other === undefined) return;
  const owners = Object.entries(flagsOf).filter(([, own]) => own.some((flag) => flag === other));
  throw new TransferError(
    `--${other} can only be used with ${owners.map(([name]) => name).join(" and ")}`,
  );
}

/**
 * Runs `manifold export`, `manifold diff` or `manifold apply`. `write` is called with each line of output. Returns the
 * exit status: 2 if `diff` finds differences, otherwise 0.
 * @throws {TransferError} for a missing flag, variable or secret, and if the folder or the host refuses
 */
export async function runTransfer(
  command: keyof typeof flagsOf,
  args: readonly string[],
  environment: Environment,
  write: Write,
): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: flags });
  refuseOthers(command, values);
  const { dir, secrets: sendsSecrets = false } = values;
  const { only, prune: prunes = false, rows: loadsRows = false, format = "text" } = values;
  const isDryRun = command === "diff" || (values["dry-run"] ?? false);
  if (!dir) throw new TransferError(`${command} requires --dir with the folder of the files`);
  if (format !== "text" && format !== "markdown")
    throw new TransferError("--format must be text or markdown");
  if (prunes && !isDryRun && !values.yes)
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
  const client = createRetryingClient({ url: readAddress(given, "MANIFOLD_URL"), key, token });
  await expectApiToken(client, key);
  if (command === "export") {
    for (const [kind, count] of await exportFolder({ client, dir })) write(`${count} ${kind}`);
    write(
      `exported to ${dir}, without rows, users or secrets; groups name their members by e-mail address`,
    );
    return 0;
  }
  const say = format === "markdown" ? (line: string) => write(markdownOf(line)) : write;
  const applied = await applyFolder({
    client,
    dir,
    environment,
    isDryRun,
    sendsSecrets,
    prunes,
    loadsRows,
    explains: command === "diff",
    ...(chosen && { only: chosen }),
    report: say,
  });
  for (const warning of applied.warnings) say(`warning: ${warning}`);
  for (const note of applied.notes) say(`note: ${note}`);
  for (const each of applied.missing) say(`missing: ${each}`);
  const { createdCount, changedCount, unchangedCount, deletedCount } = applied;
  const deleted = deletedCount === 0 ? "" : `, ${deletedCount} deleted`;
  const isSame = createdCount + changedCount + deletedCount === 0;
  write(
    isSame
      ? `nothing to change: all ${unchangedCount} records match the folder`
      : `${isDryRun ? "would be " : ""}${createdCount} created, ${changedCount} changed${deleted}, ${unchangedCount} unchanged`,
  );
  if (command === "diff") return isSame ? 0 : 2;
  // A dry run fails if the apply would, so that a pipeline stops at the review.
  if (applied.missing.length > 0)
    throw new TransferError(
      `apply would fail, because ${applied.missing.length} of its secrets are missing; set the variables above and run again`,
    );
  return 0;
}

/** Returns a line of output as an entry of a list. Indented lines belong to the entry before them. */
function markdownOf(line: string): string {
  const text = line.trimStart();
  const indent = line.length - text.length;
  return `${" ".repeat(indent)}- ${text.replaceAll(/[\\*_<>|]|\[/g, String.raw`\$&`)}`;
}
