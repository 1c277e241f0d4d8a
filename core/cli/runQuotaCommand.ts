import { parseArgs } from "node:util";
import { isObject, isUuid, readConfig } from "../base/index.ts";
import { requestHost } from "../operating/index.ts";
import { isQuotaName, parseLimits, quotaNames } from "../catalog/index.ts";

/** Help of the command, one string per line. */
export const quotaUsage = [
  "manifold quota list [ID]   shows the limits and the usage of organizations",
  "manifold quota set ID rows=1000000 queries=8/10 …",
  "                           sets limits of an organization: name=hard or name=soft/hard",
  "manifold quota unset ID rows queries …",
  "                           removes these limits, so that MANIFOLD_QUOTAS applies again",
  "    Run these commands as the host's system user; --data-dir names the data folder of the running host",
] as const;

/**
 * Runs `manifold quota`, and passes each line of output to `write`.
 * @throws {Error} for an invalid argument, if no host uses the data folder, and errors of the host
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
  const request = readRequest(command, id, others);
  const { dataDir } = readConfig({ dataDir: values["data-dir"] }, environment);
  const reply = await requestHost(dataDir, "quota", request);
  if (!reply)
    throw new Error(
      `no running host uses ${dataDir}; start the host, or name its data folder with --data-dir`,
    );
  await reply.end();
  const { organizations } = isObject(reply.answer) ? reply.answer : {};
  if (!Array.isArray(organizations))
    throw new Error(
      "the host did not return a list of organizations; update the host or this command to the same version",
    );
  for (const organization of organizations) {
    write(`${organization.id}  ${JSON.stringify(organization.name)}`);
    for (const { name, used, soft, hard, what } of organization.quotas)
      write(
        `  ${String(name).padEnd(13)} ${hard === null ? `${used}, no limit` : `${used} of ${soft}/${hard}`}  ${what}`,
      );
  }
}

function readRequest(
  command: string | undefined,
  id: string | undefined,
  others: readonly string[],
): object {
  if (command !== "list" && command !== "set" && command !== "unset")
    throw new Error(
      `quota must be followed by list, set or unset, not ${command === undefined ? "nothing" : JSON.stringify(command)}`,
    );
  if ((id !== undefined || command !== "list") && !isUuid(id))
    throw new Error(`quota ${command} needs the id of an organization; quota list shows the ids`);
  if (command === "list") {
    if (others.length > 0)
      throw new Error(`quota list does not accept ${JSON.stringify(others[0])}`);
    return { id };
  }
  if (others.length === 0)
    throw new Error(`quota ${command} needs at least one of ${quotaNames.join(", ")}`);
  if (command === "unset") {
    const unknown = others.find((name) => !isQuotaName(name));
    if (unknown !== undefined)
      throw new Error(
        `unknown quota ${JSON.stringify(unknown)}; the quotas are ${quotaNames.join(", ")}`,
      );
    return { id, removed: others };
  }
  try {
    return { id, limits: parseLimits(others.join(" ")) };
  } catch (cause) {
    throw new Error(`a limit ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
