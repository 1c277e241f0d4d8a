import { type Call, type Cell, type Plugin, type Query } from "../protocol/index.ts";
import { answerQuery, type JoinableTable } from "./answerQuery.ts";
import { type PluginAnswer, queryPlugin } from "./queryPlugin.ts";
import type { Claim } from "./claims.ts";
import { differenceOf, isSameAnswer } from "./compareAnswers.ts";
import type { Random } from "./createRandom.ts";
import type { Deviation } from "./deviation.ts";
import { deviations } from "./deviations.ts";
import { randomQuery } from "./randomQuery.ts";
import { nameDeviation, type WrongAnswer } from "./nameDeviation.ts";
import type { ClaimReport, Finding } from "./report.ts";
import { protocolSemantics } from "./semantics.ts";
import { shrinkQuery } from "./shrinkQuery.ts";
import { roundingOf } from "./roundingOf.ts";
import type { Subject } from "./subject.ts";

type Rows = readonly (readonly Cell[])[];

interface KeptAnswer extends WrongAnswer {
  readonly subject: Subject;
  readonly before?: Rows;
}

/** Number of wrong answers that are kept to find the deviation behind them. */
const mostWrong = 12;
/** Number of queries for all rows of a dataset. A few are enough, because they are all alike. */
const mostOfRows = 20;
/** Number of declined queries after which a claim counts as refused, if no query was answered. */
const enoughDeclined = 5;
/** Number of rows that a finding shows of an answer. */
const shownRows = 5;

export interface ClaimCheckOptions {
  /** Whether the claim is one that the plugin does not make, so that its queries must be refused. */
  readonly isUnclaimed?: boolean;
  /** Returns whether the time limit is reached. After that, findings are no longer reduced to smaller queries. */
  readonly isOver?: () => boolean;
}

/** Sends queries for one claim and records the answers. */
export class ClaimCheck {
  readonly claim: Claim;
  readonly #plugin: Plugin;
  readonly #call: Call;
  readonly #wrong: KeptAnswer[] = [];
  readonly #refusals: Finding[] = [];
  readonly #undistinguished: Set<Deviation>;
  readonly #isUnclaimed: boolean;
  readonly #isOver: () => boolean;
  #queryCount = 0;
  #declinedCount = 0;

  constructor(
    claim: Claim,
    plugin: Plugin,
    call: Call,
    { isUnclaimed = false, isOver = () => false }: ClaimCheckOptions = {},
  ) {
    this.claim = claim;
    this.#isOver = isOver;
    this.#isUnclaimed = isUnclaimed;
    this.#plugin = plugin;
    this.#call = call;
    this.#undistinguished = new Set(deviations.filter((each) => each.concerns(claim)));
  }

  /**
   * Whether the plugin declined every query, and enough queries to conclude that it does not support the claim. A
   * plugin may decline a single query because of its values; the host then fetches plain rows.
   */
  get #isDeclining(): boolean {
    return this.#declinedCount >= enoughDeclined && this.#declinedCount === this.#queryCount;
  }

  /** Whether more queries cannot change the verdict. */
  get isSettled(): boolean {
    if (this.claim.kind === "rows" && this.#queryCount >= mostOfRows) return true;
    return this.#wrong.length >= mostWrong || this.#refusals.length > 0;
  }

  /** Whether the answers rule out every known deviation. */
  get isToldApart(): boolean {
    return this.#undistinguished.size === 0;
  }

  /** Returns whether enough queries were sent: `most`, or four times as many while some deviation is not ruled out. */
  isTestedEnough(most: number): boolean {
    return this.#queryCount >= (this.isToldApart ? most : 4 * most);
  }

  /**
   * Sends one query, unless the dataset has no suitable column. `before` is the expected answer to the previous query.
   * Returns the expected answer to the query that was sent.
   */
  async checkOne(
    subject: Subject,
    random: Random,
    before: Rows | undefined,
  ): Promise<Rows | undefined> {
    const query = randomQuery(this.claim, subject, random);
    if (!query) return undefined;
    this.#queryCount++;
    const expected = answerQuery(query, subject.table);
    const answer = await queryPlugin(this.#plugin, subject.dataset, query, this.#call);
    if ("refusal" in answer && this.#isUnclaimed) {
      this.#refusals.push({ does: "refuses", query });
      return expected;
    }
    if ("refusal" in answer) {
      if (answer.isDeclined) this.#declinedCount++;
      if (!answer.isDeclined || this.#isDeclining)
        this.#refusals.push({
          does: `refuses what it promises: ${answer.refusal}`,
          query: await this.#smallestRefused(query, subject),
          expected: expected.slice(0, shownRows),
        });
      return expected;
    }
    if (this.#isRight(query, expected, answer, subject)) this.#tellApart(query, expected, subject);
    else
      this.#wrong.push({
        query,
        expected,
        answered: answer.rows,
        subject,
        ...(before && { before }),
      });
    return expected;
  }

  /** Returns the findings so far, each with the smallest query that shows it. */
  async report(): Promise<ClaimReport> {
    if (this.#isUnclaimed) return this.#reportUnclaimed();
    const findings = [...this.#refusals];
    const [first] = this.#wrong;
    if (first) findings.push(await this.#findingOf(first));
    const undistinguished = [...this.#undistinguished].map(({ does }) => does);
    const isProved = this.#queryCount > this.#declinedCount && undistinguished.length === 0;
    return {
      claim: this.claim.path,
      verdict: findings.length > 0 ? "wrong" : isProved ? "proved" : "unproved",
      queryCount: this.#queryCount,
      findings,
      undistinguished,
      ...(this.#declinedCount > 0 && { declinedCount: this.#declinedCount }),
    };
  }

  async #reportUnclaimed(): Promise<ClaimReport> {
    const [first] = this.#wrong;
    const found = first && (await this.#findingOf(first));
    const isRefused = this.#refusals.length > 0;
    return {
      claim: this.claim.path,
      verdict: found ? "wrong" : isRefused ? "refused" : "possible",
      queryCount: this.#queryCount,
      findings: found
        ? [{ ...found, does: `answers a query outside its promises, and wrongly: ${found.does}` }]
        : [],
      undistinguished: [],
    };
  }

  async #findingOf(first: KeptAnswer): Promise<Finding> {
    const { subject, before } = first;
    const isWrong = async (smaller: Query) => {
      if (this.#isOver()) return false;
      const answer = await this.#answer(smaller, subject);
      if ("refusal" in answer) return false;
      return !this.#isRight(smaller, answerQuery(smaller, subject.table), answer, subject);
    };
    const query = await shrinkQuery(first.query, isWrong);
    const answer = await this.#answer(query, subject);
    const answered = "refusal" in answer ? first.answered : answer.rows;
    const expected = answerQuery(query, subject.table);
    const own = this.#wrong.filter((each) => each.subject === subject);
    return {
      does: nameDeviation(this.claim, subject.table, own, before),
      query,
      expected: expected.slice(0, shownRows),
      answered: answered.slice(0, shownRows),
    };
  }

  #smallestRefused(query: Query, subject: Subject): Promise<Query> {
    return shrinkQuery(
      query,
      async (smaller) => !this.#isOver() && "refusal" in (await this.#answer(smaller, subject)),
    );
  }

  #answer(query: Query, { dataset }: Subject): Promise<PluginAnswer> {
    return queryPlugin(this.#plugin, dataset, query, this.#call);
  }

  #isRight(
    query: Query,
    expected: Rows,
    answer: Extract<PluginAnswer, { rows: Rows }>,
    { table }: Subject,
  ): boolean {
    const { rows } = answer;
    // If the plugin does not promise the filter, only an explicit acknowledgement counts.
    const applied =
      answer.applied ?? (this.#isUnclaimed && query.filters.length > 0 ? [] : undefined);
    const isSuperset = this.claim.kind === "filter" && this.claim.isSuperset;
    if (isSuperset) return differenceOf(expected, rows).missing.length === 0;
    if (applied && applied.length < query.filters.length)
      return isBetween({ query, expected, rows, applied, table });
    const isOrdered = (query.order?.length ?? 0) > 0;
    if (!query.limit || isOrdered)
      return isSameAnswer(expected, rows, isOrdered, roundingOf(query, table));
    // Without an order, any rows of the complete answer are right, as long as their number is.
    const { limit: _, ...whole } = query;
    const { surplus } = differenceOf(answerQuery(whole, table), rows);
    return rows.length === expected.length && surplus.length === 0;
  }

  /** Rules out the deviations that would have given a different answer to this query. */
  #tellApart(query: Query, expected: Rows, { table }: Subject): void {
    for (const deviation of this.#undistinguished) {
      const semantics = { ...protocolSemantics, ...deviation.semantics };
      const otherwise = answerQuery(query, table, semantics);
      if (!isSameAnswer(expected, otherwise, (query.order?.length ?? 0) > 0))
        this.#undistinguished.delete(deviation);
    }
  }
}

/** An answer that acknowledges only some of its filters. */
interface PartlyFiltered {
  readonly query: Query;
  readonly expected: Rows;
  readonly rows: Rows;
  readonly applied: readonly number[];
  readonly table: JoinableTable;
}

/**
 * Returns whether an answer that acknowledges only some of its filters is right. Its rows must pass the acknowledged
 * filters, and include every row that passes all filters.
 */
function isBetween({ query, expected, rows, applied, table }: PartlyFiltered): boolean {
  const filters = query.filters.filter((_, at) => applied.includes(at));
  const most = answerQuery({ ...query, filters }, table);
  if (isSameAnswer(most, rows, false)) return true;
  if (query.options.pushdown) return isSameAnswer(expected, rows, false);
  return (
    differenceOf(expected, rows).missing.length === 0 &&
    differenceOf(most, rows).surplus.length === 0
  );
}
