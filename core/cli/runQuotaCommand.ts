import { parseArgs } from "node:util";
import { isObject, isUuid, readConfig } from "../base/index.ts";
import { requestHost } from "../operating/index.ts";
import { isQuotaName, parseLimits, quotaNames } from "../catalog/index.ts";

/** The help of the command, as lines. */
export const quotaUsage = [
  "manifold quota list [ID]   shows the limits of organizations and what they use",
  "manifold quota set ID rows=1000000 queries=8/10 …",
  "                           limits an organization: name=hard or name=soft/hard",
  "manifold quota unset ID rows queries …",
  "                           returns to the limits of MANIFOLD_QUOTAS",
  "    They ask the host of the data folder, as its user; --data-dir names the folder",
] as const;

/**
 * Runs `manifold quota`; `write` is given each line of the answer.
 * @throws {Error} for a wrong argument, when no host runs on the data folder, and what it refuses
 */
export async function runQuotaCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { "data-dir": { type: "string" } },
    allowPositionals: true,
  });
  const [command, id, ...others] = positionals;
  const said = readSaid(command, id, others);
  const { dataDir } = readConfig({ dataDir: values["data-dir"] }, environment);
  const asked = await requestHost(dataDir, "quota", said);
  if (!asked)
    throw new Error(`no host runs on ${dataDir}; start it, or name its folder with --data-dir`);
  await asked.end();
  const { organizations } = isObject(asked.answer) ? asked.answer : {};
  if (!Array.isArray(organizations)) throw new Error("the host answered no organizations");
  for (const organization of organizations) {
    write(`${organization.id}  ${JSON.stringify(organization.name)}`);
    for (const { name, used, soft, hard, what } of organization.quotas)
      write(
        `  ${String(name).padEnd(13)} ${hard === null ? `${used}, no limit` : `${used} of ${soft}/${hard}`}  ${what}`,
      );
  }
}

function readSaid(
  command: string | undefined,
  id: string | undefined,
  others: readonly string[],
): object {
  if (command !== "list" && command !== "set" && command !== "unset")
    throw new Error(
      `quota takes list, set or unset, not ${command === undefined ? "nothing" : JSON.stringify(command)}`,
    );
  if ((id !== undefined || command !== "list") && !isUuid(id))
    throw new Error(`quota ${command} takes the id of an organization; quota list shows the ids`);
  if (command === "list") {
    if (others.length > 0) throw new Error(`quota list takes no ${JSON.stringify(others[0])}`);
    return { id };
  }
  if (others.length === 0)
    throw new Error(`quota ${command} takes one of ${quotaNames.join(", ")}`);
  if (command === "unset") {
    const unknown = others.find((name) => !isQuotaName(name));
    if (unknown !== undefined)
      throw new Error(
        `there is no quota ${JSON.stringify(unknown)}; there are ${quotaNames.join(", ")}`,
      );
    return { id, removed: others };
  }
  try {
    return { id, limits: parseLimits(others.join(" ")) };
  } catch (cause) {
    throw new Error(`a limit ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
