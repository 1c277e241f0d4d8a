import type { Connection } from "../../contracts/index.ts";
import { PluginError, type Batch, type Query } from "../../../plugins/protocol/index.ts";
import type { PlanStep } from "../queryPlan.ts";
import type { QueriedDataset } from "../queriedDataset.ts";
import type { RunAnswer } from "./runAnswer.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/** One query that a plugin was asked on the way to an answer. */
export interface TracedPart {
  /** Absent for what the scratch plugin finishes. */
  readonly datasetId: string | undefined;
  readonly connection: string;
  /** What of the query the plugin was asked to do. */
  readonly clauses: readonly string[];
  /** Rows that it answered; undefined when it failed. */
  readonly rowCount: number | undefined;
  /** The code of its failure. PLUGIN_NOT_OFFERED is followed by another part, which asks for less. */
  readonly failure: string | undefined;
  readonly durationMs: number;
}

/** An answer with what was asked for it, in the order in which the plugins answered. It holds no value of a filter. */
export interface TracedRun {
  readonly batch: Batch;
  readonly mode: RunAnswer["plan"]["mode"];
  readonly steps: readonly PlanStep[];
  readonly parts: readonly TracedPart[];
  readonly preparingMs: number;
  readonly queryingMs: number;
  readonly processingMs: number;
}

/** Runs a secured query over connections that note what they are asked. */
export async function traceRun(
  secured: SecuredQuery,
  scratch: Connection,
  run: (secured: SecuredQuery, scratch: Connection) => Promise<RunAnswer>,
): Promise<TracedRun> {
  const parts: TracedPart[] = [];
  const noting = <Dataset extends QueriedDataset>(dataset: Dataset): Dataset => ({
    ...dataset,
    connection: notingConnection(dataset.connection, dataset.id, parts),
  });
  const { dataset, joined } = secured;
  const observed = { ...secured, dataset: noting(dataset), joined: joined.map(noting) };
  const { plan, ...answer } = await run(observed, notingConnection(scratch, undefined, parts));
  return { ...answer, mode: plan.mode, steps: plan.steps, parts };
}

function notingConnection(
  connection: Connection,
  datasetId: string | undefined,
  parts: TracedPart[],
): Connection {
  return {
    ...connection,
    async query(query, dataset, caller) {
      const askedAt = performance.now();
      const note = (rowCount: number | undefined, failure: string | undefined) => {
        const { name } = connection;
        const durationMs = performance.now() - askedAt;
        const clauses = clausesOf(query);
        parts.push({ datasetId, connection: name, clauses, rowCount, failure, durationMs });
      };
      try {
        const batch = await connection.query(query, dataset, caller);
        note(batch.rowCount, undefined);
        return batch;
      } catch (failure) {
        note(undefined, failure instanceof PluginError ? failure.code : "PLUGIN_BUG");
        throw failure;
      }
    },
  };
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
