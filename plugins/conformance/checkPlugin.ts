import {
  type Call,
  type Capabilities,
  type Credentials,
  type Dataset,
  type Plugin,
  type Query,
} from "../protocol/index.ts";
import type { PlainTable } from "./answerPlainly.ts";
import { queryPlugin } from "./queryPlugin.ts";
import { ClaimCheck } from "./claimCheck.ts";
import { claimsOf, untestedClaims } from "./claims.ts";
import { isSameAnswer } from "./compareAnswers.ts";
import { createRandom } from "./createRandom.ts";
import type { CheckReport, ClaimReport, Finding } from "./report.ts";
import { joinable, type Subject, subjectOf } from "./subject.ts";
import { checkUnclaimed } from "./unclaimed.ts";
import { checkWire } from "./wire/checkWire.ts";
import { createWire, type WireTarget } from "./wire/wire.ts";

/** The options of `checkPlugin`. */
export interface CheckOptions {
  /** The plugin to check. */
  readonly plugin: Plugin;
  /**
   * The credentials to send with every call.
   * @default {properties: {}}
   */
  readonly credentials?: Credentials;
  /**
   * Cancels the check when aborted; the check then fails with the abort reason. Absent: the check cannot be cancelled.
   */
  readonly signal?: AbortSignal;
  /**
   * Seed of the random queries. The same seed produces the same queries.
   * @default the current time
   */
  readonly seed?: number;
  /**
   * Total number of queries over all claims.
   * @default 2000
   */
  readonly queryCount?: number;
  /**
   * Maximum number of queries per claim once its answers rule out every known deviation. Until then, four times as many
   * are allowed.
   * @default Infinity
   */
  readonly mostOfClaim?: number;
  /**
   * Where the plugin listens. Set it to check the HTTP exchange too. It must belong to the same plugin as `plugin`.
   * Absent: the HTTP exchange is not checked.
   */
  readonly wire?: WireTarget;
  /**
   * Whether to send queries that need capabilities the plugin does not claim, which the plugin must refuse. Set it to
   * false for an adapter that refuses such queries itself, because then the refusals say nothing about the plugin.
   * @default true
   */
  readonly checksUnclaimed?: boolean;
  /**
   * Maximum number of rows of a dataset to check. Larger datasets are skipped with a note, because every expected
   * answer is computed from all rows.
   * @default 5000
   */
  readonly mostRows?: number;
  /**
   * Maximum number of datasets to read, in the plugin's order.
   * @default Infinity
   */
  readonly mostDatasets?: number;
  /**
   * Milliseconds after which no more queries are sent. Claims that are not settled by then remain unproved.
   * @default Infinity
   */
  readonly timeLimitMs?: number;
}

/**
 * Checks a plugin's claims against its answers. It reads the rows of the plugin's datasets, sends seeded random queries
 * for every capability, and computes each expected answer from the rows. It changes nothing in the source. A query
 * takes about a millisecond per thousand rows, plus the plugin's own time.
 * @throws {PluginError} the error of `datasets` if the datasets cannot be listed
 */
export async function checkPlugin(options: CheckOptions): Promise<CheckReport> {
  const { plugin, credentials = { properties: {} }, seed = Date.now() % 2 ** 31 } = options;
  const { queryCount = 2000, mostRows = 5000, mostDatasets = Infinity } = options;
  const untilMs = performance.now() + (options.timeLimitMs ?? Infinity);
  const isOver = () => performance.now() > untilMs;
  const call: Call = { credentials, signal: options.signal ?? new AbortController().signal };
  const probed = await plugin.capabilitiesOf?.(call);
  const capabilities = probed?.capabilities ?? plugin.capabilities;
  const state: Reading = { plugin, capabilities, call, findings: [], notes: [] };
  const datasets = await plugin.datasets(call);
  const read: Subject[] = [];
  for (const dataset of datasets.slice(0, mostDatasets)) {
    const table = await readTable(state, dataset);
    if (table) read.push(subjectOf(dataset, table, capabilities));
  }
  const { findings, notes } = state;
  const checked = read.filter(({ dataset, table: { rows } }) => {
    const isChecked = rows.length > 0 && rows.length <= mostRows;
    const why =
      rows.length === 0 ? "has no rows" : `has ${rows.length} rows, more than ${mostRows}`;
    if (!isChecked)
      notes.push(`the dataset ${JSON.stringify(dataset.id)} ${why}, so it was not checked`);
    return isChecked;
  });
  const subjects = joinable(checked);
  if (datasets.length > mostDatasets)
    notes.push(`${datasets.length - mostDatasets} more datasets were not read`);
  if (subjects.length === 0) notes.push("no dataset could be checked, so nothing is proved");
  const checks = claimsOf(capabilities).map(
    (claim) => new ClaimCheck(claim, plugin, call, { isOver }),
  );
  const { mostOfClaim = Infinity } = options;
  await checkInTurns(checks, subjects, { seed, queryCount, mostOfClaim, isOver });
  if (isOver()) notes.push("the time limit was reached before all queries were sent");
  const claims: ClaimReport[] = [];
  for (const check of checks) claims.push(await check.report());
  for (const { claim, declinedCount, queryCount: count } of claims)
    if (declinedCount !== undefined)
      notes.push(
        `${claim}: the plugin declined ${declinedCount} of ${count} queries as not offered`,
      );
  claims.push(...untestedReports(capabilities));
  const random = createRandom(seed);
  if (options.checksUnclaimed !== false)
    claims.push(
      ...(await checkUnclaimed({ plugin, capabilities, subjects, call, random, isOver })),
    );
  if (options.wire) {
    const [largest] = read.toSorted(
      (one, other) => other.table.rows.length - one.table.rows.length,
    );
    const wire = createWire({
      target: options.wire,
      credentials,
      datasets,
      largest: largest?.dataset,
      signal: call.signal,
    });
    claims.push(...(await checkWire(wire, { capabilities, random })));
  }
  call.signal.throwIfAborted();
  return {
    checkedAt: new Date().toISOString(),
    seed,
    queryCount: claims.reduce((sum, claim) => sum + claim.queryCount, 0),
    rowCounts: Object.fromEntries(
      read.map(({ dataset, table }) => [dataset.id, table.rows.length]),
    ),
    claims,
    findings,
    notes,
    isPassed: findings.length === 0 && claims.every(({ verdict }) => verdict !== "wrong"),
  };
}

interface Extent {
  readonly seed: number;
  readonly queryCount: number;
  readonly mostOfClaim: number;
  readonly isOver: () => boolean;
}

/**
 * Sends queries for all open claims, one query per claim in each round. The second half of the queries is reserved for
 * claims whose answers do not yet rule out every deviation.
 */
async function checkInTurns(
  checks: readonly ClaimCheck[],
  subjects: readonly Subject[],
  { seed, queryCount, mostOfClaim, isOver }: Extent,
): Promise<void> {
  const random = createRandom(seed);
  // If there are fewer queries than claims, each seed tests different claims.
  const inOrder = checks
    .map((check) => ({ check, at: queryCount < checks.length ? random.below(2 ** 31) : 0 }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ check }) => check);
  let before: Awaited<ReturnType<ClaimCheck["checkOne"]>>;
  for (let sentCount = 0; sentCount < queryCount && subjects.length > 0;) {
    const open = inOrder.filter((check) => !check.isSettled && !check.isTestedEnough(mostOfClaim));
    if (open.length === 0) return;
    const unclear = sentCount * 2 < queryCount ? [] : open.filter((check) => !check.isToldApart);
    for (const check of unclear.length > 0 ? unclear : open) {
      if (isOver() || sentCount >= queryCount) return;
      before = (await check.checkOne(random.pick(subjects), random, before)) ?? before;
      sentCount++;
    }
  }
}

interface Reading {
  readonly plugin: Plugin;
  readonly capabilities: Capabilities;
  readonly call: Call;
  readonly findings: Finding[];
  readonly notes: string[];
}

/** Reads the rows of a dataset twice. Undefined if the plugin refuses them or returns only some of them. */
async function readTable(
  { plugin, capabilities, call, findings }: Reading,
  dataset: Dataset,
): Promise<PlainTable | undefined> {
  const query: Query = {
    id: dataset.id,
    columns: dataset.columns.map(({ id }) => ({ column_id: id })),
    filters: [],
    options: { pushdown: false },
  };
  const first = await queryPlugin(plugin, dataset, query, call);
  if ("refusal" in first) {
    findings.push({ does: `refuses its own rows: ${first.refusal}`, query });
    return undefined;
  }
  const again = await queryPlugin(plugin, dataset, query, call);
  if (!("rows" in again) || !isSameAnswer(first.rows, again.rows, false))
    findings.push({ does: "returns different rows for the same query", query });
  const counted = await countRows(plugin, capabilities, dataset, call);
  if (counted !== undefined && counted > first.rows.length) {
    findings.push({ does: `truncates its answer: ${first.rows.length} of ${counted} rows`, query });
    return undefined;
  }
  const ids = dataset.columns.map(({ id }) => id);
  return {
    columns: dataset.columns,
    rows: first.rows.map((row) => Object.fromEntries(ids.map((id, at) => [id, row[at] ?? null]))),
  };
}

/** Returns the number of rows that the plugin reports. Undefined if the plugin cannot count. */
async function countRows(
  plugin: Plugin,
  { projection, grouping }: Capabilities,
  dataset: Dataset,
  call: Call,
): Promise<number | undefined> {
  if (!projection || !grouping?.aggregations.includes("count")) return undefined;
  const query: Query = {
    id: dataset.id,
    columns: [{ column_id: "*", aggregation: "count" }],
    filters: [],
    options: { pushdown: true },
  };
  const answer = await queryPlugin(plugin, dataset, query, call);
  const [row, ...others] = "rows" in answer ? answer.rows : [];
  return others.length === 0 && typeof row?.[0] === "number" ? row[0] : undefined;
}

function untestedReports(capabilities: Capabilities): readonly ClaimReport[] {
  return untestedClaims(capabilities).map((claim) => ({
    claim,
    verdict: "not asked",
    queryCount: 0,
    findings: [],
    undistinguished: [],
  }));
}
