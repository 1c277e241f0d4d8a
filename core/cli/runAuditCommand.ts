import { parseArgs } from "node:util";
import {
  openCatalog,
  openCipher,
  readChain,
  readEnds,
  removeEvents,
  type VerifiedChain,
  verifyAudit,
} from "../catalog/index.ts";
import { isUuid, readConfig } from "../base/index.ts";
import { readMarkKeys } from "../operating/index.ts";

/** Help of the command, one string per line. */
export const auditUsage = [
  "manifold audit verify      checks that no audit event was changed, removed, inserted or moved",
  "    --noted ORG:PLACE:HASH fails unless the chain contains this event, as an earlier verify printed it. Repeatable",
  "    --organization ID      only this organization; also for export",
  "manifold audit export      writes the events of all organizations as JSON lines, in chain order",
  "manifold audit remove      removes old events and records an anchor, so that the rest can still be verified",
  "    --before DATE          removes events before this date, such as 2026-01-01",
  "    These commands need the catalog (DATABASE_URL, or the data folder of a stopped host) and MANIFOLD_SECRET",
] as const;

const flags = {
  noted: { type: "string", multiple: true },
  organization: { type: "string" },
  before: { type: "string" },
  "data-dir": { type: "string" },
} as const;

const commands = {
  verify: ["noted", "organization"],
  export: ["organization"],
  remove: ["before"],
} as const;
type Command = keyof typeof commands;
const isCommand = (text: string | undefined): text is Command =>
  text !== undefined && Object.hasOwn(commands, text);

export interface AuditCommandParts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives each line of the output. */
  write(line: string): void;
}

/**
 * Runs `manifold audit`. Resolves to the exit status, which is 1 if a chain cannot be verified.
 * @throws {Error} for an invalid argument, or if the catalog cannot be opened
 */
export async function runAuditCommand(
  args: readonly string[],
  { environment, write }: AuditCommandParts,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: flags,
    allowPositionals: true,
  });
  const [command, ...others] = positionals;
  if (!isCommand(command))
    throw new Error(
      `audit must be followed by verify, export or remove, not ${command === undefined ? "nothing" : JSON.stringify(command)}`,
    );
  const allowed: readonly string[] = ["data-dir", ...commands[command]];
  const extra = others[0] ?? Object.keys(values).find((name) => !allowed.includes(name));
  if (extra !== undefined)
    throw new Error(`audit ${command} does not accept ${JSON.stringify(extra)}`);
  const noted = new Map((values.noted ?? []).map(readNoted));
  const { organization } = values;
  if (organization !== undefined && !isUuid(organization))
    throw new Error("--organization must be the id (a UUID) of an organization");
  const before = command === "remove" ? readBefore(values.before) : undefined;
  const config = readConfig({ dataDir: values["data-dir"] }, environment);
  const cipher = await openCipher(config);
  const catalog = await openCatalog({ ...config, log: silent });
  try {
    const { knex } = catalog;
    if (before) {
      const parts = { knex: catalog.transactions, cipher, now: () => new Date() };
      write(`${await removeEvents(before, parts)} events removed`);
      return 0;
    }
    if (command === "export") {
      for (const { organizationId, place } of await readEnds(knex))
        if (organization === undefined || organization.toLowerCase() === organizationId)
          for await (const event of readChain(knex, organizationId, 0, place))
            write(JSON.stringify(event));
      return 0;
    }
    let status = 0;
    for await (const chain of verifyAudit({
      knex,
      markKeys: await readMarkKeys(knex, cipher),
      noted,
      organizationId: organization?.toLowerCase(),
    })) {
      if (chain.broken) status = 1;
      write(lineOf(chain));
    }
    return status;
  } finally {
    await catalog.close();
  }
}

function lineOf({ organizationId, place, hash, broken, ...counts }: VerifiedChain): string {
  const { checkedCount, removedCount } = counts;
  if (broken) {
    const event = broken.id === undefined ? "" : `, event ${broken.id}`;
    return `BROKEN ${organizationId} at place ${broken.place}${event}: ${broken.problem}`;
  }
  const removed = removedCount > 0 ? `, ${removedCount} removed earlier` : "";
  return `ok ${organizationId}:${place}:${hash} (${checkedCount} events${removed})`;
}

function readNoted(text: string): [string, { readonly place: number; readonly hash: string }] {
  const [, organization = "", place, hash = ""] = /^([^:]+):(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!isUuid(organization))
    throw new Error("--noted must be ORGANIZATION:PLACE:HASH, as printed by audit verify");
  return [organization.toLowerCase(), { place: Number(place), hash }];
}

function readBefore(text: string | undefined): Date {
  const before = new Date(text ?? "");
  if (text !== undefined && /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(before.getTime()))
    return before;
  throw new Error("audit remove needs --before with a date such as 2026-01-01");
}

const silent = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
