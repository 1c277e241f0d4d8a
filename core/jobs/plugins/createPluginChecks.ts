import type { Knex } from "knex";
import { type Plugin, PluginError } from "../../../plugins/protocol/index.ts";
import type { Cipher, Log } from "../../catalog/index.ts";
import {
  type ApiCall,
  ApiError,
  type Caller,
  type Connection,
  type Connections,
  type Handler,
  isUuid,
  packageVersion,
  type PluginCheckReport,
  type Records,
  type ResourceRow,
} from "../../base/index.ts";
import { expectRecord } from "../actions/actionOptions.ts";
import { readOptions } from "../actions/readOptions.ts";
import type { Job, JobKind } from "../queue/jobKind.ts";
import type { Queue } from "../queue/openQueue.ts";
import { failedReport, toReport, verificationOf } from "./toReport.ts";

/** The job that checks plugins, and the action that requests this job. */
export interface PluginChecks {
  readonly kind: JobKind;
  readonly test: Handler;
}

export interface PluginChecksOptions {
  readonly knex: Knex;
  readonly records: Records;
  readonly cipher: Cipher;
  readonly log: Log;
  readonly connections: Pick<Connections, "underCheck" | "askVersion">;
  /** Returns the queue that runs the checks. Called whenever a check is added. */
  readonly queue: () => Pick<Queue, "add">;
  /** Counts a job against the quota of an organization. @throws {ApiError} if the quota is used up */
  readonly spendJob?: (organizationId: string) => Promise<void>;
}

const checkTask = "check";

/** Limits of a check. The kit computes every expected answer from the rows, on the host's thread. */
const extent = {
  queryCount: 1_500,
  mostOfClaim: 25,
  mostRows: 2_000,
  mostDatasets: 8,
  timeLimitMs: 60_000,
};
/** Seconds after which a check is aborted because the plugin answers too slowly. */
const expireS = 180;

const known = {
  account_id: { expects: "the id of an account", isAllowed: isUuid },
};

/** Creates the job that runs the conformance kit against a plugin, and the action `test` of plugins. */
export function createPluginChecks(options: PluginChecksOptions): PluginChecks {
  const { knex, records } = options;
  return {
    kind: {
      name: checkTask,
      batchSize: 1,
      retryLimit: 1,
      retryDelayS: 5,
      longestDelayS: 60,
      expireS,
      async run({ data, attempt, signal }) {
        const {
          pluginId,
          accountId,
        }: { readonly pluginId?: unknown; readonly accountId?: unknown } = data;
        const check = {
          pluginId: String(pluginId),
          ...(typeof accountId === "string" && { accountId }),
          attempt,
          signal,
        };
        const [row] = await records.find("plugin", { id: check.pluginId });
        if (row) await checkAndRecord(check, options);
      },
    },
    async test(call) {
      const { account_id } = readOptions(call.body.options, known);
      // The queries of a check cost the source work, so only the plugin's owner may request a check.
      const plugin = await expectRecord("plugin", call.body.id, "own", call, options);
      const accountId = await accountOf(plugin, account_id, call, options);
      await options.spendJob?.(call.principal.organizationId);
      const isAdded = await knex.transaction(async (transaction) => {
        // Concurrent callers wait for the same check.
        await transaction("plugin").where({ id: plugin.id }).forUpdate().first("id");
        const { rows } = await transaction.raw<{ rows: readonly object[] }>(waiting, [
          checkTask,
          plugin.id,
        ]);
        if (rows.length > 0) return false;
        const data = { pluginId: plugin.id, ...(accountId !== undefined && { accountId }) };
        await options.queue().add(checkTask, [{ data }], transaction);
        return true;
      });
      const { id, verification, checked_at } = plugin;
      const problem = await problemNow(plugin, options);
      return {
        id,
        state: isAdded ? "waiting" : "running",
        verification,
        checked_at,
        problem: problem ?? null,
      };
    },
  };
}

/** Returns why a plugin cannot be called at the moment; undefined if it can. Contains no text of the plugin. */
async function problemNow(
  row: ResourceRow<"plugin">,
  { connections, records }: Pick<PluginChecksOptions, "connections" | "records">,
): Promise<string | undefined> {
  const { outcome, problem = "" } = await connections.askVersion({
    slug: row.slug,
    base_url: row.base_url,
    pushdown: row.pushdown,
    organizationId: row.organization_id,
    secret: records.reveal("plugin", row, "secret") ?? "",
  });
  if (outcome === "unreachable") return `the plugin could not be called: ${problem}`;
  return outcome === "refused"
    ? "the plugin refuses the host's secret; set the plugin's secret to the secret of its record, or change the record's secret with new_secret"
    : undefined;
}

const waiting = `
  select 1 from jobs.job
   where name = ? and data ->> 'pluginId' = ? and state in ('created', 'retry', 'active') limit 1`;

/** Returns the account whose credentials the check uses; undefined for a plugin that needs none. */
async function accountOf(
  plugin: ResourceRow<"plugin">,
  accountId: unknown,
  call: ApiCall,
  options: PluginChecksOptions,
): Promise<string | undefined> {
  const refuse = (problem: string): never => {
    throw new ApiError("MEMBER_INVALID", ["options.account_id", problem]);
  };
  if (accountId === undefined || accountId === null) {
    if (plugin.authorize === "none") return undefined;
    return refuse(
      `is required, because the plugin's authorize is ${plugin.authorize}; send the id of one of the plugin's accounts`,
    );
  }
  const account = await expectRecord("account", accountId, "use", call, options);
  if (account.plugin_id === plugin.id) return account.id;
  return refuse("must be an account of this plugin, but its plugin_id names another plugin");
}

interface Check extends Pick<Job, "attempt" | "signal"> {
  readonly pluginId: string;
  readonly accountId?: string;
}

async function checkAndRecord(
  { pluginId, accountId, attempt, signal }: Check,
  { connections, records, log }: PluginChecksOptions,
): Promise<void> {
  const record = async (report: PluginCheckReport, declaration: string | null) => {
    const [row] = await records.find("plugin", { id: pluginId });
    const kept = row && wrongBefore(row, report, declaration);
    const recorded = kept ? { ...report, wrong: kept } : report;
    await records.change("plugin", pluginId, {
      verification: verificationOf(recorded),
      checked_at: new Date(),
      check_report: recorded,
      checked_declaration: kept && row ? row.checked_declaration : declaration,
    });
  };
  const version = packageVersion();
  // Imports the kit at its first use.
  const { checkPlugin } = await import("../../../plugins/conformance/index.ts");
  try {
    const candidate = await connections.underCheck(pluginId, accountId);
    const { connection, declaration, protocolVersion } = candidate;
    const report = await checkPlugin({
      ...extent,
      plugin: pluginOf(connection),
      signal,
      // The adapter of numbered versions rejects queries on behalf of the plugin, so a rejection proves nothing.
      checksUnclaimed: protocolVersion === "manifold-1",
    });
    await record(toReport(report, version), declaration);
  } catch (failure) {
    // Another host, or this host after a restart, runs the check again.
    if (signal.aborted && attempt === 1) throw failure;
    const [row] = signal.aborted ? [] : await records.find("plugin", { id: pluginId });
    const known = row && (await problemNow(row, { connections, records }));
    const problem = known ?? problemOf(failure, signal);
    log.warn({ err: failure, pluginId }, "a plugin could not be checked");
    await record(failedReport(problem, version), null);
  }
}

/**
 * Returns what the check before found wrong, if the new check could not test the plugin, and the declaration is not
 * known to have changed. Otherwise, a check of a plugin that does not respond would make the host rely on the wrong
 * claims again.
 */
function wrongBefore(
  { checked_declaration: checked, check_report: before }: ResourceRow<"plugin">,
  { problem }: PluginCheckReport,
  declaration: string | null,
): PluginCheckReport["wrong"] | undefined {
  if (problem === undefined || !checked || (declaration ?? checked) !== checked) return undefined;
  return before && Object.keys(before.wrong).length > 0 ? before.wrong : undefined;
}

/** Wraps a connection as a plugin for the kit, including the host's deadlines and answer checks. */
function pluginOf(connection: Connection): Plugin {
  const { capabilitiesOf } = connection;
  const callerOf = ({ signal }: Caller): Caller => ({ signal });
  return {
    capabilities: connection.capabilities,
    ...(capabilitiesOf && {
      capabilitiesOf: (call) => capabilitiesOf.call(connection, callerOf(call)),
    }),
    datasets: (call) => connection.datasets(callerOf(call)),
    query: (call) => {
      const dataset = call.dataset ?? { id: call.query.id, columns: [] };
      return connection.query(call.query, dataset, callerOf(call));
    },
  };
}

/** Describes a failure without repeating text of the plugin. */
function problemOf(failure: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `the plugin took longer than ${expireS} s, or the host stopped`;
  if (failure instanceof PluginError || failure instanceof ApiError)
    return `the plugin could not be called: ${failure.code}`;
  return "the check failed; the log of the host contains the reason";
}
