import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import type { Principals } from "../../identity/index.ts";
import type { Log, Outbox } from "../../catalog/index.ts";
import {
  ApiError,
  type Caller,
  type Connection,
  type Connections,
  JobCancelled,
  type Records,
  type ResourceRow,
} from "../../base/index.ts";
import { tenantOf } from "../../queries/index.ts";
import { synchronizeDataset } from "../synchronization/index.ts";
import { PluginError, type PluginErrorCode } from "../../../plugins/protocol/index.ts";
import { claimCopy, type Claim } from "./claimCopy.ts";
import { fillCopy, Superseded, type Filled, type Filling } from "./fillCopy.ts";
import { mergeDelta, MissedDeletion } from "./mergeDelta.ts";
import { type DeltaPlan, type LoadPlan, namedColumn, planLoad } from "./planLoad.ts";
import { countBefore, readDelta, TooMuch, withoutDeleted } from "./readDelta.ts";
import { readRows } from "./readRows.ts";

export interface AccelerateContext {
  readonly records: Records;
  readonly connections: Pick<Connections, "ofAccount" | "store" | "elsewhere">;
  readonly outbox: Pick<Outbox, "guard">;
  readonly principals: Pick<Principals, "ofUsers">;
  readonly knex: Knex;
  readonly log: Pick<Log, "info" | "warn">;
  /** Maximum number of rows per copy. */
  readonly mostRows: number;
  /** Called after a change that lets this host's queries use another copy, or that changes the age of a copy. */
  readonly onSwitched: () => void;
}

/**
 * The outcome of a load. `unchanged`: the copy already has the rows of the source. `busy`: another load is running.
 * `gone`: the dataset is no longer accelerated. `failed`: another attempt would fail too; the record contains the
 * reason. `retry`: the source did not answer.
 */
export type Accelerated = "copied" | "unchanged" | "busy" | "gone" | "failed" | "retry";

/** State that the steps of a load share. */
interface Load {
  readonly copy: ResourceRow<"datasetcopy">;
  readonly plan: LoadPlan;
  readonly connection: Connection;
  readonly caller: Caller;
  readonly context: AccelerateContext;
  /** The time at which the first row was requested. */
  readonly asOf: Date;
}

/**
 * Copies the rows of an accelerated dataset into the store, either all rows or only the changes. One transaction
 * switches queries to the new copy. The previous copy is dropped once no query uses it. After a failure, the previous
 * copy remains, the new copy is removed, and the record contains the reason. A load may take any time, but its source
 * must not stay silent for longer than a call may take.
 * @throws the failures of the catalog, and the signal's reason
 */
export async function accelerate(
  securableId: string,
  signal: AbortSignal,
  context: AccelerateContext,
): Promise<Accelerated> {
  const claim = await claimCopy(securableId, context.knex);
  if (claim === undefined) return "gone";
  if (claim === "busy") return "busy";
  try {
    const accelerated = await loadOrFollow(claim, signal, context);
    context.onSwitched();
    return accelerated;
  } catch (failure) {
    return await end(claim, failure, signal, context);
  }
}

/** Error codes that mean that the source differs from the catalog. */
const changedCodes = new Set<PluginErrorCode>([
  "PLUGIN_UNKNOWN_COLUMN",
  "PLUGIN_UNKNOWN_DATASET",
  "PLUGIN_BAD_ANSWER",
  "PLUGIN_SOURCE_FAILED",
  "PLUGIN_UNREADABLE",
]);

/** Loads a copy. If the columns of the source have changed, updates the catalog and loads once more. */
async function loadOrFollow(
  claim: Claim,
  signal: AbortSignal,
  context: AccelerateContext,
): Promise<Accelerated> {
  try {
    return await load(claim, signal, context);
  } catch (failure) {
    if (signal.aborted || !(failure instanceof PluginError) || !changedCodes.has(failure.code))
      throw failure;
    const [dataset] = await context.records.find("securable", { id: claim.copy.securable_id });
    const owners = dataset && (await context.principals.ofUsers([dataset.owner_id]));
    const principal = dataset && owners?.get(dataset.owner_id);
    if (!principal) throw failure;
    const requestId = randomUUID();
    const call = { principal, requestId, address: undefined, signal };
    const report = await synchronizeDataset(dataset, context, call);
    const isFollowed =
      report.synced && report.added.length + report.missing.length + report.retyped.length > 0;
    if (!isFollowed) throw failure;
    return load(claim, signal, context);
  }
}

async function load(
  claim: Claim,
  signal: AbortSignal,
  context: AccelerateContext,
): Promise<Accelerated> {
  const { copy } = claim;
  const { records, connections, principals } = context;
  const asOf = new Date();
  const plan = await planLoad(copy, records, asOf.getTime());
  if (!plan) throw new Superseded("the dataset is no longer accelerated");
  const [owner] = await records.find("user", { id: plan.dataset.owner_id });
  const principal = (await principals.ofUsers([plan.dataset.owner_id])).get(plan.dataset.owner_id);
  const caller: Caller = {
    signal,
    // Nobody waits for a load, so it yields to queries.
    ...(principal && { tenant: tenantOf(principal, true) }),
    ...(owner && { user: { id: owner.id, name: owner.name ?? "", email: owner.email ?? "" } }),
  };
  const bound = await connections.ofAccount(String(plan.dataset.account_id));
  const probed = await bound.capabilitiesOf?.(caller);
  const connection = probed ? { ...bound, capabilities: probed.capabilities } : bound;
  const own = { copy, plan, connection, caller, context, asOf };
  const { delta } = plan;
  // A copy in another store than the host's is loaded in full, which moves it to the host's store.
  if (delta && !context.connections.elsewhere?.has(String(copy.copy_id)))
    try {
      return await loadDelta(claim, delta, own);
    } catch (failure) {
      if (!(failure instanceof TooMuch) && !(failure instanceof MissedDeletion)) throw failure;
    }
  const buildId = await renewBuild(claim, context);
  return build(buildId, own, "full", async (filling) => {
    const { source, columns, deletedPlace } = plan;
    const columnIds = columns.map((column) => column.source_name);
    await readRows({ connection, dataset: source, columnIds }, caller, (rows, isGivenAway, share) =>
      filling.add(withoutDeleted(rows, deletedPlace), isGivenAway, share),
    );
    return { full_at: asOf, newest_print: null };
  });
}

/** Assigns a new dataset to a load, because the outbox may drop the dataset of an earlier, failed load. */
async function renewBuild({ copy }: Claim, { knex }: AccelerateContext): Promise<string> {
  const buildId = randomUUID();
  const renewed = await knex("datasetcopy")
    .where({ id: copy.id })
    .update({
      building_id: buildId,
      copied_rows: 0,
      progress: null,
      started_at: knex.raw("now()"),
    });
  if (renewed === 0) throw new Superseded("the dataset is no longer accelerated");
  return buildId;
}

async function loadDelta(claim: Claim, delta: DeltaPlan, own: Load): Promise<Accelerated> {
  const { copy, plan, connection, caller, context, asOf } = own;
  const { store } = context.connections;
  const read = await readDelta(plan, delta, connection, caller);
  const isWatched = delta.strategy === "insert-update-delete" && delta.deletedPlace === undefined;
  const count = isWatched ? await countBefore(plan.source, delta, connection, caller) : undefined;
  if (isWatched && count === undefined)
    throw new MissedDeletion("the source cannot count its rows");
  const old = {
    id: String(copy.copy_id),
    columns: plan.columns.map(({ id, type }) => ({ id, type, name: {} })),
  };
  if (read.print === copy.newest_print) {
    const ids = plan.columns.map(({ id }) => id);
    const has = isWatched
      ? await countBefore(old, { ...delta, timeName: ids[delta.timePlace]! }, store, caller)
      : count;
    if (has === count) {
      await keep(own);
      return "unchanged";
    }
  }
  return build(await renewBuild(claim, context), own, "delta", async (filling) => {
    await mergeDelta({ read, delta, old, store, caller, filling, expectedCount: count });
    for (const rows of read.batches) await filling.add(rows);
    return { newest_print: read.print, full_at: copy.full_at ?? asOf };
  });
}

/** Records that the copy has the source's rows as of the start of the load. */
async function keep({ copy, context, asOf }: Load): Promise<void> {
  const { knex, records } = context;
  await knex.transaction(async (transaction) => {
    // Increments the version of the catalog, by which hosts detect that the age of a copy has changed.
    await records.change("securable", copy.securable_id, {}, transaction);
    await transaction("datasetcopy")
      .where({ id: copy.id })
      .update({
        status: "ready",
        building_id: null,
        progress: 1,
        as_of: asOf,
        completed_at: transaction.raw("now()"),
        failure: null,
        failed_at: null,
      });
  });
}

type Written = Readonly<Record<string, unknown>>;

/** Fills a new dataset of the store, and switches the queries of the accelerated dataset to it. */
async function build(
  buildId: string,
  { copy, plan, caller, context, asOf }: Load,
  kind: "full" | "delta",
  fill: (filling: Filling) => Promise<Written>,
): Promise<Accelerated> {
  const { outbox, knex, records, connections, mostRows } = context;
  const { dataset, columns, settings, rowsPerSecond, timePlace } = plan;
  await outbox.guard<undefined, { filled: Filled; values: Written }, void>(
    { action: "drop", securableId: buildId },
    {
      prepare: async () => undefined,
      async write() {
        const filling = await fillCopy({
          datasetId: dataset.id,
          buildId,
          columns,
          timePlace,
          store: connections.store,
          knex,
          caller,
          rowsPerSecond: kind === "full" ? rowsPerSecond : Infinity,
          mostRows,
        });
        const values = await fill(filling);
        await filling.finish();
        return { filled: filling.filled, values };
      },
      async commit(transaction, _prepared, { filled, values }) {
        const { rowCount, sizeBytes, newestMs } = filled;
        // Locks the dataset first, like every transaction that can remove an acceleration.
        await records.change("securable", dataset.id, { rows: rowCount }, transaction);
        const switched = await transaction("datasetcopy")
          .where({ id: copy.id, building_id: buildId })
          .update({
            status: "ready",
            copy_id: buildId,
            building_id: null,
            columns: JSON.stringify(columns.map(namedColumn)),
            settings,
            load: kind,
            rows: rowCount,
            bytes: sizeBytes,
            copied_rows: rowCount,
            progress: 1,
            completed_at: transaction.raw("now()"),
            as_of: asOf,
            newest_at: newestMs > -Infinity ? new Date(newestMs) : null,
            failure: null,
            failed_at: null,
            updated_at: transaction.raw("now()"),
            ...values,
          });
        if (switched === 0) throw new Superseded("the dataset is no longer accelerated");
      },
    },
  );
  return "copied";
}

const retriedStatuses = [429, 502, 504];

/** Records why a load ended without a new copy. */
async function end(
  { copy }: Claim,
  failure: unknown,
  signal: AbortSignal,
  { knex, log }: AccelerateContext,
): Promise<Accelerated> {
  if (failure instanceof Superseded) return "gone";
  const isCancelled = signal.reason instanceof JobCancelled;
  const isNamed = failure instanceof PluginError || failure instanceof ApiError;
  // A host that is closing does not fail: the next host loads the dataset again.
  const isEnded = signal.aborted && !isCancelled;
  await knex("datasetcopy")
    .where({ id: copy.id })
    .update({
      building_id: null,
      status: isEnded ? (copy.copy_id === null ? "waiting" : "ready") : "failed",
      ...(!isEnded && {
        failure: isCancelled
          ? "the load was cancelled; the next load starts at the next slot of the schedule, or when the state of its job is set to waiting"
          : isNamed
            ? failure.message
            : "the host failed; its log contains the details",
        failed_at: knex.raw("now()"),
      }),
      updated_at: knex.raw("now()"),
    });
  signal.throwIfAborted();
  if (!isNamed) throw failure;
  log.info({ err: failure, datasetId: copy.securable_id }, "a dataset could not be copied");
  const isRetried = failure instanceof PluginError && retriedStatuses.includes(failure.status);
  return isRetried ? "retry" : "failed";
}
