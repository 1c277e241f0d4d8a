import type { Caller, Connection } from "../../base/index.ts";
import {
  PluginError,
  type AnsweredBatch,
  type AppendRows,
  type Batch,
  type Demotion,
  type KnownDataset,
  type Query,
} from "../../../plugins/protocol/index.ts";
import type { ProvenKey } from "../join/joinDatasets.ts";
import type { QueriedDataset } from "../queriedDataset.ts";
import type { PlannedFilter, PlanStep } from "../queryPlan.ts";
import type { MeasuredPart, SecuredQuery } from "../secure/secure.ts";
import { provenKeys } from "./provenKeys.ts";
import { createStopwatch, type Stopwatch } from "./createStopwatch.ts";
import { usedClaims } from "../plan/usedClaims.ts";
import type { RunAnswer } from "./runAnswer.ts";

/** One plugin call that contributed to an answer. */
export interface TracedPart {
  /** The id of the dataset whose plugin was called; undefined for the scratch plugin. */
  readonly datasetId: string | undefined;
  readonly connection: string;
  /** The clauses that the host asked the plugin to carry out. */
  readonly clauses: readonly string[];
  /** Unproved claims of the plugin on which the answer depends. Empty for plugins of this package. */
  readonly unproved: readonly string[];
  /** Claims on which the answer depends although the kit found them wrong, because the host cannot replace them. */
  readonly disproved: readonly Demotion[];
  /** Number of rows in the plugin's answer; undefined if the call failed. */
  readonly rowCount: number | undefined;
  /** The code of the failure. After PLUGIN_NOT_OFFERED the plugin is called again with fewer clauses. */
  readonly failure: string | undefined;
  readonly durationMs: number;
}

/**
 * An answer and the plugin calls that led to it, in the order in which the plugins answered. Contains no values of
 * filters.
 */
export interface TracedRun {
  readonly batch: Batch;
  /** What the answer leaves out, as sentences for the caller. */
  readonly warnings: readonly string[];
  readonly mode: RunAnswer["plan"]["mode"];
  readonly steps: readonly PlanStep[];
  readonly filters: readonly PlannedFilter[];
  /**
   * The capabilities that are not valid for a dataset's connection, by dataset id. A dataset without such capabilities
   * has no entry.
   */
  readonly demoted: ReadonlyMap<string, readonly Demotion[]>;
  readonly parts: readonly TracedPart[];
  /** The linked columns that the join found unique among all rows. */
  readonly proven: readonly ProvenKey[];
  /** Milliseconds before the first plugin call. */
  readonly preparingMs: number;
  /** Milliseconds during which at least one call to a source was in progress, including subqueries. */
  readonly queryingMs: number;
  /** The remaining milliseconds: work of the host and of the scratch plugin. */
  readonly processingMs: number;
}

/** The query and connections of a run, with every call recorded. */
export interface TracedConnections {
  readonly secured: SecuredQuery;
  readonly scratch: Connection;
  /** Measures subqueries of the run as time of its sources. */
  readonly querying: Stopwatch;
}

/**
 * Runs a secured query over connections that record and time every call. The connections have only the capabilities
 * that are valid with the caller's credentials.
 */
export async function traceRun(
  secured: SecuredQuery,
  scratch: Connection,
  caller: Caller,
  run: (traced: TracedConnections) => Promise<RunAnswer>,
): Promise<TracedRun> {
  const parts: TracedPart[] = [];
  const querying = createStopwatch();
  const startedAt = performance.now();
  let firstCallAt: number | undefined;
  const traced = (
    connection: Connection,
    datasetId: string | undefined,
    time: Stopwatch["during"],
  ): Connection => ({
    ...connection,
    query(query, dataset, caller) {
      firstCallAt ??= performance.now();
      return time(() =>
        recorded(parts, { connection, datasetId, query, dataset }, caller, (counted) =>
          connection.query(query, dataset, counted),
        ),
      );
    },
  });
  const demoted = new Map<string, readonly Demotion[]>();
  const withOwnCapabilities = async ({ id, connection }: QueriedDataset): Promise<Connection> => {
    if (!connection.capabilitiesOf) return connection;
    firstCallAt ??= performance.now();
    const own = await querying.during(async () => connection.capabilitiesOf?.(caller));
    if (!own) return connection;
    if (own.demoted.length > 0) demoted.set(id, own.demoted);
    return { ...connection, capabilities: own.capabilities };
  };
  const overSource = async <Dataset extends QueriedDataset>(
    dataset: Dataset,
  ): Promise<Dataset> => ({
    ...dataset,
    source: withoutKeys(dataset.source, dataset.connection),
    connection: traced(await withOwnCapabilities(dataset), dataset.id, querying.during),
  });
  const overQuery = async (part: SecuredQuery): Promise<SecuredQuery> => ({
    ...part,
    dataset: await overSource(part.dataset),
    joined: await Promise.all(part.joined.map(overSource)),
  });
  const overPart = async (part: MeasuredPart): Promise<MeasuredPart> => {
    const { unmatched } = part;
    return {
      ...part,
      secured: await overQuery(part.secured),
      ...(unmatched && {
        unmatched: {
          ...unmatched,
          all: await overQuery(unmatched.all),
          matched: await overQuery(unmatched.matched),
        },
      }),
    };
  };
  const [dataset, ...joined] = await Promise.all([
    overSource(secured.dataset),
    ...secured.joined.map(overSource),
  ]);
  const overParts = secured.parts && (await Promise.all(secured.parts.map(overPart)));
  const {
    plan,
    batch,
    warnings = [],
  } = await run({
    secured: {
      ...secured,
      dataset,
      joined,
      ...(overParts && { parts: overParts }),
    },
    scratch: traced(scratch, undefined, (work) => work()),
    querying,
  });
  const endedAt = performance.now();
  const preparingMs = (firstCallAt ?? endedAt) - startedAt;
  return {
    batch,
    warnings,
    mode: plan.mode,
    steps: plan.steps,
    filters: plan.filters,
    demoted,
    parts,
    proven: secured.parts ? [] : provenKeys(secured, plan),
    preparingMs,
    queryingMs: querying.elapsedMs,
    processingMs: Math.max(0, endedAt - startedAt - preparingMs - querying.elapsedMs),
  };
}

interface PluginCall extends Pick<TracedPart, "datasetId"> {
  readonly connection: Connection;
  readonly query: Query;
  readonly dataset: KnownDataset;
}

/** Marks columns as not groupable if the host does not rely on the plugin for groups by columns of their type. */
function withoutKeys(
  source: KnownDataset,
  { unreliableKeys: types = [], unused = [] }: Pick<Connection, "unreliableKeys" | "unused">,
): KnownDataset {
  if (types.length === 0) return source;
  const columns = source.columns.map((column) => {
    if (!types.includes(column.type)) return column;
    const { reason } =
      unused.find(({ capability }) => capability === `grouping.keys.${column.type}`) ?? {};
    return {
      ...column,
      narrowed: { ...(reason && { reason }), ...column.narrowed, grouping: false as const },
    };
  });
  return { ...source, columns };
}

async function recorded(
  parts: TracedPart[],
  { connection, datasetId, query, dataset }: PluginCall,
  caller: Caller,
  call: (counted: Caller) => Promise<AnsweredBatch>,
): Promise<AnsweredBatch> {
  const { proved, disproved: wrong, capabilities } = connection;
  const used = proved ? usedClaims(query, dataset, capabilities) : [];
  const unproved = used.filter((claim) => !proved?.has(claim) && !wrong?.has(claim));
  const disproved = used.flatMap((capability): readonly Demotion[] => {
    const found = wrong?.get(capability);
    if (found === undefined) return [];
    return [{ capability, reason: `the conformance kit found this claim wrong: ${found}` }];
  });
  const calledAt = performance.now();
  const { append } = caller;
  let appendedCount = 0;
  const countedAppend: AppendRows = async (rows) => {
    await append?.(rows);
    appendedCount += rows.rowCount;
  };
  const record = (rowCount: number | undefined, failure: string | undefined) => {
    parts.push({
      datasetId,
      connection: connection.name,
      clauses: clausesOf(query),
      unproved,
      disproved,
      rowCount,
      failure,
      durationMs: performance.now() - calledAt,
    });
  };
  try {
    const batch = await call({ ...caller, ...(append && { append: countedAppend }) });
    record(appendedCount + batch.rowCount, undefined);
    return batch;
  } catch (failure) {
    record(undefined, failure instanceof PluginError ? failure.code : "PLUGIN_BUG");
    throw failure;
  }
}

function clausesOf({ joins, filters, options, having, order, limit }: Query): readonly string[] {
  return [
    ...(joins?.length ? ["joins"] : []),
    ...(filters.length > 0 ? ["filters"] : []),
    ...(options.pushdown ? ["grouping"] : []),
    ...(having?.length ? ["having"] : []),
    ...(order?.length ? ["order"] : []),
    ...(limit ? ["limit"] : []),
  ];
}
