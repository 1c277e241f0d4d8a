import { type Call, type Cell, type Plugin, type Query } from "../protocol/index.ts";
import { answerQuery, type JoinableTable } from "./answerQuery.ts";
import { type PluginAnswer, queryPlugin } from "./queryPlugin.ts";
import type { Claim } from "./claims.ts";
import { differenceOf, isSameAnswer } from "./compareAnswers.ts";
import type { Random } from "./createRandom.ts";
import { describeRows } from "./describeRows.ts";
import type { Deviation } from "./deviation.ts";
import { deviations } from "./deviations.ts";
import { type CausedAnswers, explains, type KnownAnswer, type Suspect } from "./findCauses.ts";
import { findDifference } from "./findDifference.ts";
import { isAnswerUnder } from "./isAnswerUnder.ts";
import { nearestAnswer } from "./nearestAnswer.ts";
import { randomQuery } from "./randomQuery.ts";
import type { ClaimReport, Finding } from "./report.ts";
import { protocolSemantics } from "./semantics.ts";
import { shrinkQuery } from "./shrinkQuery.ts";
import { roundingOf } from "./roundingOf.ts";
import type { Subject } from "./subject.ts";

type Rows = readonly (readonly Cell[])[];

type Answered = Extract<PluginAnswer, { rows: Rows }>;

/** A wrong answer of the plugin, and the answers that would have been right. */
interface KeptAnswer extends KnownAnswer {
  readonly answered: Rows;
  readonly expected: Rows;
  readonly subject: Subject;
  /** The expected answer to the previous query. Absent for the first query. */
  readonly before?: Rows;
}

/** Number of wrong answers to keep. The kit looks for a deviation that explains all of them. */
const mostWrong = 12;
/**
 * Number of wrong answers to keep as long as each of several deviations that concern the claim explains all of them.
 */
const mostAmbiguous = 24;
/** Number of queries for all rows of a dataset. A few are enough, because all of these queries are similar. */
const mostOfRows = 20;
/** Number of declined queries after which a claim counts as refused, if no query was answered. */
const enoughDeclined = 5;
/** Number of rows of the expected answer that the finding for a refusal shows. */
const shownRows = 5;
/** Number of right answers to keep. A deviation that contradicts one of them does not explain the wrong answers. */
const mostRight = 24;

export interface ClaimCheckOptions {
  /** True if the plugin does not make this claim and must therefore refuse its queries. */
  readonly isUnclaimed?: boolean;
  /** Returns whether the time limit is reached. After that, findings are no longer reduced to smaller queries. */
  readonly isOver?: () => boolean;
  /** Called after each query that the plugin did not answer in time. */
  readonly noteUnanswered?: () => void;
}

/** Checks one claim: sends queries for it and records the answers. */
export class ClaimCheck implements Suspect {
  readonly claim: Claim;
  readonly #plugin: Plugin;
  readonly #call: Call;
  readonly wrong: KeptAnswer[] = [];
  readonly right: KnownAnswer[] = [];
  readonly #refusals: Finding[] = [];
  readonly #undistinguished: Set<Deviation>;
  /** The deviations that concern the claim and explain every wrong answer. */
  readonly #explaining: Set<Deviation>;
  readonly #isUnclaimed: boolean;
  readonly #isOver: () => boolean;
  readonly #noteUnanswered: () => void;
  /** Number of queries sent so far. */
  queryCount = 0;
  #declinedCount = 0;
  #isForgetful = false;

  constructor(
    claim: Claim,
    plugin: Plugin,
    call: Call,
    {
      isUnclaimed = false,
      isOver = () => false,
      noteUnanswered = () => {},
    }: ClaimCheckOptions = {},
  ) {
    this.#noteUnanswered = noteUnanswered;
    this.claim = claim;
    this.#isOver = isOver;
    this.#isUnclaimed = isUnclaimed;
    this.#plugin = plugin;
    this.#call = call;
    this.#undistinguished = new Set(
      deviations.filter((each) => !each.isOnlyNamed && each.concerns(claim)),
    );
    this.#explaining = new Set(deviations.filter((each) => each.concerns(claim)));
  }

  /**
   * Whether the plugin has declined every query, and has received enough queries to show that it does not support the
   * claim. A plugin may decline a single query because of its values; the host then fetches plain rows.
   */
  get #isDeclining(): boolean {
    return this.#declinedCount >= enoughDeclined && this.#declinedCount === this.queryCount;
  }

  /** Whether the verdict is final, so that no more queries are needed. */
  get isSettled(): boolean {
    if (this.claim.kind === "rows" && this.queryCount >= mostOfRows) return true;
    const causes = new Set(Array.from(this.#explaining, ({ does }) => does));
    return (
      this.wrong.length >= (causes.size > 1 ? mostAmbiguous : mostWrong) ||
      this.#refusals.length > 0
    );
  }

  /** Whether the answers rule out every known deviation. */
  get isToldApart(): boolean {
    return this.#undistinguished.size === 0;
  }

  /** Returns whether enough queries were sent: `most`, or four times as many while some deviation is not ruled out. */
  isTestedEnough(most: number): boolean {
    return this.queryCount >= (this.isToldApart ? most : 4 * most);
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
    this.queryCount++;
    const expected = answerQuery(query, subject.table);
    const answer = await queryPlugin(this.#plugin, subject.dataset, query, this.#call);
    if ("refusal" in answer && this.#isUnclaimed) {
      this.#refusals.push({ does: "refuses", query });
      return expected;
    }
    if ("refusal" in answer) {
      const isDeclined = answer.code === "PLUGIN_NOT_OFFERED";
      // A query that takes too long is not made smaller, because that would send it many times.
      const isLate = answer.code === "PLUGIN_TIMEOUT";
      if (isDeclined) this.#declinedCount++;
      if (isLate) this.#noteUnanswered();
      if (!isDeclined || this.#isDeclining)
        this.#refusals.push({
          does: isLate
            ? `does not answer in time: ${answer.refusal}`
            : `refuses a query that it promises to answer: ${answer.refusal}`,
          query: isLate ? query : await this.#smallestRefused(query, subject),
          expected: expected.slice(0, shownRows),
        });
      return expected;
    }
    if (this.#isRight(query, expected, answer, subject)) {
      this.#tellApart(query, expected, subject);
      this.#keepRight(query, answer, subject);
    } else {
      const { table } = subject;
      const wrong = { query, expected, answered: answer.rows, subject, table };
      this.wrong.push({ ...wrong, ...(before && { before }) });
      for (const deviation of this.#explaining)
        if (!explains(deviation, wrong)) this.#explaining.delete(deviation);
    }
    return expected;
  }

  /**
   * Removes the wrong answers about some datasets, because the rows of these datasets have changed. The claim can then
   * not be proved.
   */
  forgetAnswers(isChanged: (subject: Subject) => boolean): void {
    const kept = this.wrong.filter(({ subject }) => !isChanged(subject));
    this.#isForgetful ||= kept.length < this.wrong.length;
    this.wrong.splice(0, this.wrong.length, ...kept);
  }

  /**
   * Returns the findings so far, each with the smallest query that shows it. `causes` are the likely causes of the
   * wrong answers.
   */
  async report(causes: readonly CausedAnswers<KeptAnswer>[]): Promise<ClaimReport> {
    if (this.#isUnclaimed) return this.#reportUnclaimed(causes);
    const findings = [...this.#refusals];
    for (const caused of causes) findings.push(await this.#findingOf(caused));
    const undistinguished = [...this.#undistinguished].map(({ does }) => does);
    const isProved =
      this.queryCount > this.#declinedCount && undistinguished.length === 0 && !this.#isForgetful;
    return {
      claim: this.claim.path,
      verdict: findings.length > 0 ? "wrong" : isProved ? "proved" : "unproved",
      queryCount: this.queryCount,
      findings,
      undistinguished: [...new Set(undistinguished)],
      ...(this.#declinedCount > 0 && { declinedCount: this.#declinedCount }),
    };
  }

  async #reportUnclaimed(causes: readonly CausedAnswers<KeptAnswer>[]): Promise<ClaimReport> {
    const [first] = causes;
    const found = first && (await this.#findingOf(first));
    const isRefused = this.#refusals.length > 0;
    return {
      claim: this.claim.path,
      verdict: found ? "wrong" : isRefused ? "refused" : "possible",
      queryCount: this.queryCount,
      findings: found
        ? [
            {
              ...found,
              does: `returns a wrong answer to a query outside its promises: ${found.does}`,
            },
          ]
        : [],
      undistinguished: [],
    };
  }

  /**
   * Describes wrong answers that have one cause. The example is the smallest query whose wrong answer has this cause.
   */
  async #findingOf({ cause, wrong }: CausedAnswers<KeptAnswer>): Promise<Finding> {
    const [first] = wrong;
    if (!first) return { does: "returns wrong rows", isUnexplained: true };
    const { subject } = first;
    let shown: { readonly query: Query; readonly answer: Answered } = {
      query: first.query,
      answer: { rows: first.answered },
    };
    const isWrong = async (query: Query) => {
      if (this.#isOver()) return false;
      const answer = await this.#answer(query, subject);
      if ("refusal" in answer) return false;
      if (this.#isRight(query, answerQuery(query, subject.table), answer, subject)) return false;
      const { semantics } = cause ?? {};
      if (semantics && !isAnswerUnder(semantics, query, subject.table, answer.rows)) return false;
      shown = { query, answer };
      return true;
    };
    await shrinkQuery(first.query, isWrong);
    const { query, answer } = shown;
    const expected = this.#nearest(query, answer, subject);
    return {
      does: cause?.does ?? describeRows(wrong),
      ...(!cause && { isUnexplained: true }),
      query,
      ...findDifference(query, expected, answer.rows, roundingOf(query, subject.table)),
    };
  }

  /** Of all right answers to a query, returns the one that differs least from the plugin's answer. */
  #nearest(query: Query, { rows, applied }: Answered, { table }: Subject): Rows {
    const required = answerQuery(query, table);
    if (this.claim.kind === "filter" && this.claim.isSuperset)
      return nearestAnswer(rows, {
        required,
        allowed: answerQuery({ ...query, filters: [] }, table),
      });
    const filters = query.filters.filter((_, at) => applied?.includes(at) !== false);
    if (filters.length < query.filters.length && !query.options.pushdown)
      return nearestAnswer(rows, { required, allowed: answerQuery({ ...query, filters }, table) });
    if (!query.limit || (query.order?.length ?? 0) > 0) return required;
    const { limit: _, ...whole } = query;
    const allowed = answerQuery(whole, table);
    return nearestAnswer(rows, { required: [], allowed, count: required.length });
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

  #isRight(query: Query, expected: Rows, answer: Answered, { table }: Subject): boolean {
    const { rows } = answer;
    // If the plugin does not promise the filter, only an explicit acknowledgement counts.
    const applied =
      answer.applied ?? (this.#isUnclaimed && query.filters.length > 0 ? [] : undefined);
    const isSuperset = this.claim.kind === "filter" && this.claim.isSuperset;
    if (isSuperset) return differenceOf(expected, rows).missing.length === 0;
    if (applied && applied.length < query.filters.length)
      return isBetween({ query, expected, rows, applied, table });
    const isOrdered = (query.order?.length ?? 0) > 0;
    return query.limit && !isOrdered
      ? isAnswerUnder({}, query, table, rows)
      : isSameAnswer(expected, rows, isOrdered, roundingOf(query, table));
  }

  /** Keeps a right answer, unless other answers to its query would also have been right. */
  #keepRight(query: Query, { rows, applied }: Answered, { table }: Subject): void {
    const isSuperset = this.claim.kind === "filter" && this.claim.isSuperset;
    const isPartial = applied !== undefined && applied.length < query.filters.length;
    if (isSuperset || isPartial || this.#isUnclaimed) return;
    this.right.push({ query, table, ...(query.limit && { answered: rows }) });
    if (this.right.length > mostRight) this.right.shift();
  }

  /** Rules out the deviations that would have produced a different answer to this query. */
  #tellApart(query: Query, expected: Rows, { table }: Subject): void {
    for (const deviation of this.#undistinguished) {
      if (deviation.touches?.(query) === false) continue;
      const semantics = { ...protocolSemantics, ...deviation.semantics };
      const otherwise = answerQuery(query, table, semantics);
      if (!isSameAnswer(expected, otherwise, (query.order?.length ?? 0) > 0))
        this.#undistinguished.delete(deviation);
    }
  }
}

/** An answer that acknowledges only some of the query's filters. */
interface PartlyFiltered {
  readonly query: Query;
  readonly expected: Rows;
  readonly rows: Rows;
  readonly applied: readonly number[];
  readonly table: JoinableTable;
}

/**
 * Returns whether an answer that acknowledges only some of the query's filters is right. Its rows must pass the
 * acknowledged filters, and include every row that passes all filters.
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
