import {
  type Call,
  type Capabilities,
  type Credentials,
  type Dataset,
  type Plugin,
  type Query,
} from "../protocol/index.ts";
import type { PlainTable } from "./answerPlainly.ts";
import { askPlugin } from "./askPlugin.ts";
import { ClaimCheck } from "./claimCheck.ts";
import { claimsOf, unaskedClaims } from "./claims.ts";
import { isSameAnswer } from "./compareAnswers.ts";
import { createRandom } from "./createRandom.ts";
import type { CheckReport, ClaimReport, Finding } from "./report.ts";
import { joinable, type Subject, subjectOf } from "./subject.ts";
import { checkUnclaimed } from "./unclaimed.ts";
import { checkWire } from "./wire/checkWire.ts";
import { createWire, type WireTarget } from "./wire/wire.ts";

export interface CheckOptions {
  readonly plugin: Plugin;
  readonly credentials?: Credentials;
  readonly signal?: AbortSignal;
  /** The same seed asks the same queries; the clock's time unless told. */
  readonly seed?: number;
  /** Queries of all claims together; 2,000 unless told. */
  readonly queryCount?: number;
  /**
   * Queries of one claim that are enough once its answers told it apart from every deviation; four times as many are
   * asked of the others. No bound unless told.
   */
  readonly mostOfClaim?: number;
  /** Where the plugin listens: has the wire checked too. It must be the plugin that `plugin` calls. */
  readonly wire?: WireTarget;
  /** Asks for what is not promised, too; yes unless told. An adapter that refuses by its own proves nothing. */
  readonly asksUnclaimed?: boolean;
  /** Rows up to which a dataset is checked; 5,000 unless told. Every query is answered again from its rows. */
  readonly mostRows?: number;
  /** Datasets that are read, in the plugin's order; all unless told. */
  readonly mostDatasets?: number;
  /** Milliseconds after which no more queries are drawn: claims that are open then stay unproved. */
  readonly timeLimitMs?: number;
}

/**
 * Checks what a plugin claims by the values of its answers: it reads the rows of its datasets, asks seeded queries of
 * every capability, and computes each answer again from the rows. Changes nothing in the source. Takes about a
 * millisecond for each query and thousand rows, beside the plugin's own time.
 * @throws {PluginError} what `datasets` throws: a plugin whose datasets cannot be listed is not checked
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
      notes.push(`the dataset ${JSON.stringify(dataset.id)} ${why}: it was not asked`);
    return isChecked;
  });
  const subjects = joinable(checked);
  if (datasets.length > mostDatasets)
    notes.push(`${datasets.length - mostDatasets} datasets more were not read`);
  if (subjects.length === 0) notes.push("no dataset could be asked: nothing is proved");
  const checks = claimsOf(capabilities).map(
    (claim) => new ClaimCheck(claim, plugin, call, { isOver }),
  );
  const { mostOfClaim = Infinity } = options;
  await askInTurns(checks, subjects, { seed, queryCount, mostOfClaim, isOver });
  if (isOver()) notes.push("the time for the check ended before all queries were asked");
  const claims: ClaimReport[] = [];
  for (const check of checks) claims.push(await check.report());
  for (const { claim, declinedCount, queryCount: count } of claims)
    if (declinedCount !== undefined)
      notes.push(`${claim}: ${declinedCount} of ${count} queries were declined as not offered`);
  claims.push(...notAsked(capabilities));
  const random = createRandom(seed);
  if (options.asksUnclaimed !== false)
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
 * Asks queries of all claims that are not settled, a query a claim in each turn. The second half of the queries
 * goes to claims that some deviation still fits.
 */
async function askInTurns(
  checks: readonly ClaimCheck[],
  subjects: readonly Subject[],
  { seed, queryCount, mostOfClaim, isOver }: Extent,
): Promise<void> {
  const random = createRandom(seed);
  // A check of fewer queries than claims asks other claims with each seed.
  const inOrder = checks
    .map((check) => ({ check, at: queryCount < checks.length ? random.below(2 ** 31) : 0 }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ check }) => check);
  let before: Awaited<ReturnType<ClaimCheck["ask"]>>;
  for (let asked = 0; asked < queryCount && subjects.length > 0;) {
    const open = inOrder.filter((check) => !check.isSettled && !check.isAskedEnough(mostOfClaim));
    if (open.length === 0) return;
    const unclear = asked * 2 < queryCount ? [] : open.filter((check) => !check.isToldApart);
    for (const check of unclear.length > 0 ? unclear : open) {
      if (isOver() || asked >= queryCount) return;
      before = (await check.ask(random.pick(subjects), random, before)) ?? before;
      asked++;
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

/** Reads the rows of a dataset twice; undefined when the plugin refuses them, or answers a part of them. */
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
  const first = await askPlugin(plugin, dataset, query, call);
  if ("refusal" in first) {
    findings.push({ does: `refuses its own rows: ${first.refusal}`, query });
    return undefined;
  }
  const again = await askPlugin(plugin, dataset, query, call);
  if (!("rows" in again) || !isSameAnswer(first.rows, again.rows, false))
    findings.push({ does: "answers other rows when it is asked again", query });
  const counted = await countRows(plugin, capabilities, dataset, call);
  if (counted !== undefined && counted > first.rows.length) {
    findings.push({ does: `cuts its answer off: ${first.rows.length} of ${counted} rows`, query });
    return undefined;
  }
  const ids = dataset.columns.map(({ id }) => id);
  return {
    columns: dataset.columns,
    rows: first.rows.map((row) => Object.fromEntries(ids.map((id, at) => [id, row[at] ?? null]))),
  };
}

/** The number of rows as the plugin counts them; undefined where it does not count. */
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
  const asked = await askPlugin(plugin, dataset, query, call);
  const [row, ...others] = "rows" in asked ? asked.rows : [];
  return others.length === 0 && typeof row?.[0] === "number" ? row[0] : undefined;
}

function notAsked(capabilities: Capabilities): readonly ClaimReport[] {
  return unaskedClaims(capabilities).map((claim) => ({
    claim,
    verdict: "not asked",
    queryCount: 0,
    findings: [],
    undistinguished: [],
  }));
}
