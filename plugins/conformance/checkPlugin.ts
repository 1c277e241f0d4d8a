import {
  type Call,
  type Capabilities,
  type Credentials,
  type Dataset,
  type Plugin,
  PluginError,
  type Query,
} from "../protocol/index.ts";
import type { PlainTable } from "./answerPlainly.ts";
import { queryPlugin } from "./queryPlugin.ts";
import { ClaimCheck } from "./claimCheck.ts";
import { claimsOf, untestedClaims } from "./claims.ts";
import { isSameAnswer } from "./compareAnswers.ts";
import { createRandom } from "./createRandom.ts";
import { findDifference } from "./findDifference.ts";
import { leastSecretLength } from "./wire/findSecret.ts";
import { findCauses } from "./findCauses.ts";
import type { CheckReport, ClaimReport, Finding } from "./report.ts";
import { joinable, type Subject, subjectOf } from "./subject.ts";
import { checkUnclaimed } from "./unclaimed.ts";
import { checkWire } from "./wire/checkWire.ts";
import { createWire, type WireTarget } from "./wire/wire.ts";

/** The plugin to check, and the limits of the check. */
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
   * Maximum number of queries for a claim if their answers rule out every known deviation. Other claims may take four
   * times as many queries.
   * @default Infinity
   */
  readonly mostOfClaim?: number;
  /**
   * The address at which `plugin` listens. Set this option to check the HTTP exchange as well.
   * Absent: the HTTP exchange is not checked.
   */
  readonly wire?: WireTarget;
  /**
   * Whether to send queries that need capabilities the plugin does not claim, which the plugin must refuse. Set it to
   * false for an adapter that refuses these queries itself, because its refusals say nothing about the plugin.
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
   * Milliseconds after which no more queries are sent. Claims without a final verdict by then remain unproved.
   * @default Infinity
   */
  readonly timeLimitMs?: number;
}

/**
 * Checks a plugin's claims against its answers. It reads the rows of the plugin's datasets, sends seeded random queries
 * for every capability, and computes each expected answer from the rows. The check changes nothing in the source. A
 * query takes about a millisecond per thousand rows, plus the plugin's own time.
 * @throws {PluginError} the error of `datasets` if the datasets cannot be listed; PLUGIN_FORBIDDEN if the credentials
 * may not read any of them
 */
export async function checkPlugin(options: CheckOptions): Promise<CheckReport> {
  const { plugin, credentials = { properties: {} }, seed = Date.now() % 2 ** 31 } = options;
  const { queryCount = 2000, mostRows = 5000, mostDatasets = Infinity } = options;
  const untilMs = performance.now() + (options.timeLimitMs ?? Infinity);
  let unansweredCount = 0;
  const isGone = () => unansweredCount >= mostUnanswered;
  const isOver = () => isGone() || performance.now() > untilMs;
  const noteUnanswered = () => void unansweredCount++;
  const call: Call = { credentials, signal: options.signal ?? new AbortController().signal };
  const probed = await plugin.capabilitiesOf?.(call);
  const capabilities = probed?.capabilities ?? plugin.capabilities;
  const state: Reading = { plugin, capabilities, call, findings: [], notes: [], forbidden: [] };
  const { findings, notes, forbidden } = state;
  const listed = await plugin.datasets(call);
  const datasets = uniqueDatasets(listed, findings);
  if (listed.length === 0) notes.push("the plugin lists no datasets");
  const read: Subject[] = [];
  for (const dataset of datasets.slice(0, mostDatasets)) {
    const table = await readTable(state, dataset);
    if (table) read.push(subjectOf(dataset, table, capabilities));
  }
  const [refusal] = forbidden;
  if (refusal !== undefined && read.length === 0 && forbidden.length === datasets.length)
    throw refusal;
  for (const { message } of forbidden) notes.push(`a dataset was not checked: ${message}`);
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
    (claim) => new ClaimCheck(claim, plugin, call, { isOver, noteUnanswered }),
  );
  const { mostOfClaim = Infinity } = options;
  await checkInTurns(checks, subjects, { seed, queryCount, mostOfClaim, isOver });
  if (isOver() && !isGone()) notes.push("the time limit was reached before all queries were sent");
  const random = createRandom(seed);
  const unclaimed =
    options.checksUnclaimed === false
      ? []
      : await checkUnclaimed({
          plugin,
          capabilities,
          subjects,
          call,
          random,
          isOver,
          noteUnanswered,
        });
  if (isGone())
    findings.push({
      does: `stops answering: ${unansweredCount} queries were not answered in time, so the check stopped`,
    });
  const every = [...checks, ...unclaimed];
  const doubtful = every.flatMap(({ wrong }) => wrong.map(({ subject }) => subject));
  const changed = isGone() ? [] : await changedSubjects(state, [...new Set(doubtful)]);
  for (const check of every) check.forgetAnswers((subject) => changed.includes(subject));
  const suspects = every.filter(({ wrong }) => wrong.length > 0);
  const causes = findCauses(suspects, isOver);
  const claims: ClaimReport[] = [];
  for (const check of checks) claims.push(await check.report(causes.get(check) ?? []));
  for (const { claim, declinedCount, queryCount: count } of claims)
    if (declinedCount !== undefined)
      notes.push(
        `${claim}: the plugin declined ${declinedCount} of ${count} queries as unsupported`,
      );
  claims.push(...untestedReports(capabilities));
  for (const check of unclaimed) claims.push(await check.report(causes.get(check) ?? []));
  if (options.wire && !isGone()) {
    // The wire checks request all rows of a dataset many times.
    const bySize = (one: Subject, other: Subject) =>
      other.table.rows.length - one.table.rows.length;
    const largest = checked.toSorted(bySize)[0] ?? read.toSorted(bySize).at(-1);
    const wire = createWire({
      target: options.wire,
      credentials,
      datasets,
      largest: largest?.dataset,
      signal: call.signal,
    });
    claims.push(...(await checkWire(wire, { capabilities, random })));
    for (const { name, value } of wire.secrets)
      if (value.length < leastSecretLength)
        notes.push(
          `${name} has fewer than ${leastSecretLength} characters, so the check did not look for it in errors; use a random value of at least ${leastSecretLength} characters`,
        );
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

/** Number of unanswered queries after which the check stops. Each unanswered query takes as long as the deadline. */
const mostUnanswered = 3;
/** Matches the message of an error with which a plugin reports, under another code, that its source refused access. */
const refusedBySource =
  /\b(401|403|unauthori[sz]ed|forbidden|invalid (api )?(key|token|credentials))\b/i;

/**
 * Omits each dataset whose id is not unique, or that has two columns with the same id. Records a finding for each of
 * these datasets.
 */
function uniqueDatasets(listed: readonly Dataset[], findings: Finding[]): readonly Dataset[] {
  const seen = new Set<string>();
  return listed.filter(({ id, columns }) => {
    const ids = columns.map((column) => column.id);
    const repeated = ids.find((columnId, at) => ids.indexOf(columnId) < at);
    if (seen.has(id)) findings.push({ does: `lists the dataset ${JSON.stringify(id)} twice` });
    else if (repeated !== undefined)
      findings.push({
        does: `lists the column ${JSON.stringify(repeated)} of the dataset ${JSON.stringify(id)} twice`,
      });
    return !seen.has(id) && repeated === undefined && seen.size < seen.add(id).size;
  });
}

/** Reads the rows of datasets again, and returns those whose rows have changed since the start of the check. */
async function changedSubjects(
  { plugin, call, findings }: Reading,
  subjects: readonly Subject[],
): Promise<readonly Subject[]> {
  const changed: Subject[] = [];
  for (const subject of subjects) {
    const { dataset, table } = subject;
    const query = rowsQuery(dataset);
    // The first answer may be that of an earlier query, which is another fault.
    await queryPlugin(plugin, dataset, query, call);
    const answer = await queryPlugin(plugin, dataset, query, call);
    const before = table.rows.map((row) => dataset.columns.map(({ id }) => row[id] ?? null));
    if ("refusal" in answer || isSameAnswer(before, answer.rows, false)) continue;
    changed.push(subject);
    findings.push({
      does: "changes its rows during the check, so answers about them cannot be judged; check it on rows that stay the same",
      query,
      ...findDifference(query, before, answer.rows),
    });
  }
  return changed;
}

function rowsQuery({ id, columns }: Dataset): Query {
  return {
    id,
    columns: columns.map((column) => ({ column_id: column.id })),
    filters: [],
    options: { pushdown: false },
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
 * claims whose answers do not yet rule out every deviation, and for wrong claims, because their cause is not yet known.
 */
async function checkInTurns(
  checks: readonly ClaimCheck[],
  subjects: readonly Subject[],
  { seed, queryCount, mostOfClaim, isOver }: Extent,
): Promise<void> {
  const random = createRandom(seed);
  const isUnclear = ({ isToldApart, wrong }: ClaimCheck) => !isToldApart || wrong.length > 0;
  // If there are fewer queries than claims, the seed decides which claims are tested.
  const inOrder = checks
    .map((check) => ({ check, at: queryCount < checks.length ? random.below(2 ** 31) : 0 }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ check }) => check);
  let before: Awaited<ReturnType<ClaimCheck["checkOne"]>>;
  for (let sentCount = 0; sentCount < queryCount && subjects.length > 0;) {
    const open = inOrder.filter((check) => !check.isSettled && !check.isTestedEnough(mostOfClaim));
    if (open.length === 0) return;
    const unclear = sentCount * 2 < queryCount ? [] : open.filter(isUnclear);
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
  /** The errors of datasets that the credentials may not read. */
  readonly forbidden: PluginError[];
}

/**
 * Reads the rows of a dataset twice, and reports a finding if the two results differ. Undefined if the plugin refuses
 * the rows or returns only some of them.
 */
async function readTable(
  { plugin, capabilities, call, findings, forbidden }: Reading,
  dataset: Dataset,
): Promise<PlainTable | undefined> {
  const query = rowsQuery(dataset);
  const first = await queryPlugin(plugin, dataset, query, call);
  if ("refusal" in first) {
    if (first.code === "PLUGIN_FORBIDDEN" || refusedBySource.test(first.refusal)) {
      const where = `the dataset ${JSON.stringify(dataset.id)}: ${first.refusal}`;
      forbidden.push(new PluginError("PLUGIN_FORBIDDEN", [where]));
      return undefined;
    }
    findings.push({ does: `refuses its own rows: ${first.refusal}`, query });
    return undefined;
  }
  const again = await queryPlugin(plugin, dataset, query, call);
  if ("refusal" in again)
    findings.push({
      does: `refuses its own rows when they are read again: ${again.refusal}`,
      query,
    });
  else if (!isSameAnswer(first.rows, again.rows, false))
    findings.push({
      does: "returns different rows for the same query",
      query,
      ...findDifference(query, first.rows, again.rows),
    });
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

/** Returns the number of rows of a dataset, as counted by the plugin. Undefined if the plugin cannot count rows. */
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
