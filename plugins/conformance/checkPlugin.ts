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
import { type Subject, subjectOf } from "./subject.ts";

export interface CheckOptions {
  readonly plugin: Plugin;
  readonly credentials?: Credentials;
  readonly signal?: AbortSignal;
  /** The same seed asks the same questions; the clock's time unless told. */
  readonly seed?: number;
  /** Questions of all claims together; 2,000 unless told. */
  readonly questionCount?: number;
  /** Rows up to which a dataset is checked; 5,000 unless told. Every question is answered again from its rows. */
  readonly mostRows?: number;
}

/**
 * Checks what a plugin claims by the values of its answers: it reads the rows of its datasets, asks seeded questions of
 * every capability, and computes each answer again from the rows. Changes nothing in the source. Takes about a
 * millisecond for each question and thousand rows, beside the plugin's own time.
 * @throws {PluginError} what `datasets` throws: a plugin whose datasets cannot be listed is not checked
 */
export async function checkPlugin(options: CheckOptions): Promise<CheckReport> {
  const { plugin, credentials = { properties: {} }, seed = Date.now() % 2 ** 31 } = options;
  const { questionCount = 2000, mostRows = 5000 } = options;
  const call: Call = { credentials, signal: options.signal ?? new AbortController().signal };
  const probed = await plugin.capabilitiesOf?.(call);
  const capabilities = probed?.capabilities ?? plugin.capabilities;
  const findings: Finding[] = [];
  const subjects: Subject[] = [];
  for (const dataset of await plugin.datasets(call)) {
    const table = await readTable(plugin, dataset, call, findings);
    if (table && table.rows.length > 0 && table.rows.length <= mostRows)
      subjects.push(subjectOf(dataset, table, capabilities));
  }
  const checks = claimsOf(capabilities).map((claim) => new ClaimCheck(claim, plugin, call));
  await askInTurns(checks, subjects, { seed, questionCount });
  const claims: ClaimReport[] = [];
  for (const check of checks) claims.push(await check.report());
  claims.push(...notAsked(capabilities));
  const isPassed = findings.length === 0 && claims.every(({ verdict }) => verdict !== "wrong");
  return { seed, questionCount, claims, findings, isPassed };
}

/**
 * Asks questions of all claims that are not settled, a question a claim in each turn. The second half of the questions
 * goes to claims that some deviation still fits.
 */
async function askInTurns(
  checks: readonly ClaimCheck[],
  subjects: readonly Subject[],
  { seed, questionCount }: { readonly seed: number; readonly questionCount: number },
): Promise<void> {
  const random = createRandom(seed);
  let before: Awaited<ReturnType<ClaimCheck["ask"]>>;
  for (let asked = 0; asked < questionCount && subjects.length > 0;) {
    const open = checks.filter(({ isSettled }) => !isSettled);
    if (open.length === 0) return;
    const unclear = asked * 2 < questionCount ? [] : open.filter((check) => !check.isToldApart);
    for (const check of unclear.length > 0 ? unclear : open) {
      before = (await check.ask(random.pick(subjects), random, before)) ?? before;
      asked++;
    }
  }
}

/** Reads the rows of a dataset twice; undefined when the plugin refuses them. */
async function readTable(
  plugin: Plugin,
  dataset: Dataset,
  call: Call,
  findings: Finding[],
): Promise<PlainTable | undefined> {
  const query: Query = {
    id: dataset.id,
    columns: dataset.columns.map(({ id }) => ({ column_id: id })),
    filters: [],
    options: { pushdown: false },
  };
  const first = await askPlugin(plugin, dataset, query, call);
  if ("refusal" in first) {
    findings.push({ does: `refuses its own rows: ${first.refusal}`, query, expected: [] });
    return undefined;
  }
  const again = await askPlugin(plugin, dataset, query, call);
  if (!("rows" in again) || !isSameAnswer(first.rows, again.rows, false))
    findings.push({ does: "answers other rows when it is asked again", query, expected: [] });
  const ids = dataset.columns.map(({ id }) => id);
  return {
    columns: dataset.columns,
    rows: first.rows.map((row) => Object.fromEntries(ids.map((id, at) => [id, row[at] ?? null]))),
  };
}

function notAsked(capabilities: Capabilities): readonly ClaimReport[] {
  return unaskedClaims(capabilities).map((claim) => ({
    claim,
    verdict: "not asked",
    questionCount: 0,
    findings: [],
    undistinguished: [],
  }));
}
