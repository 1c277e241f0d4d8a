import { parseArgs } from "node:util";
import { isUuid } from "../base/index.ts";
import { clientOf } from "./clientOf.ts";

/** Help of the command, one string per line. */
export const jobsUsage = [
  "manifold jobs list         lists waiting, running and failed jobs of an organization, newest first",
  "    --state STATE          only waiting, running, completed, failed or cancelled jobs",
  "    --name NAME            only jobs of this kind: evaluation or delivery",
  "manifold jobs retry ID     runs a failed or cancelled job again",
  "manifold jobs cancel ID    cancels a waiting job",
  "    Like manifold export, these commands call a host with the key pair of an owner of the organization",
] as const;

const flags = {
  url: { type: "string" },
  key: { type: "string" },
  state: { type: "string" },
  name: { type: "string" },
} as const;

interface Listed {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Runs `manifold jobs`, and passes each line of output to `write`.
 * @throws {Error} for an invalid argument or a missing variable, and errors of the host
 */
export async function runJobsCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: flags,
    allowPositionals: true,
  });
  const [command, id, ...others] = positionals;
  if (command !== "list" && command !== "retry" && command !== "cancel")
    throw new Error(
      `jobs must be followed by list, retry or cancel, not ${command === undefined ? "nothing" : JSON.stringify(command)}`,
    );
  if (others.length > 0 || (command === "list" && id !== undefined))
    throw new Error(`jobs ${command} does not accept ${JSON.stringify(others[0] ?? id)}`);
  if (command !== "list" && !isUuid(id))
    throw new Error(`jobs ${command} needs the id of a job; jobs list shows the ids`);
  if (command !== "list" && (values.state ?? values.name) !== undefined)
    throw new Error("--state and --name are only for jobs list");
  const client = clientOf(values, environment);
  if (command === "list") {
    const { state, name } = values;
    const where = { ...(state !== undefined && { state }), ...(name !== undefined && { name }) };
    const { rows } = await client.get<Listed>("job", { where });
    for (const row of rows) write(lineOf(row));
    if (rows.length === 0) write("no jobs match");
    return;
  }
  const state = command === "retry" ? "waiting" : "cancelled";
  write(lineOf(await client.update("job", String(id), { state })));
}

const lineOf = (row: Readonly<Record<string, unknown>>): string =>
  ["id", "name", "state", "attempts", "slot_at", "start_after", "problem"]
    .map((member) => String(row[member] ?? "-").replaceAll(/\s+/g, " "))
    .join("  ");
