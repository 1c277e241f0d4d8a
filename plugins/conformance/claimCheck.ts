import { type Call, type Cell, type Plugin, type Query } from "../protocol/index.ts";
import { answerPlainly } from "./answerPlainly.ts";
import { type Asked, askPlugin } from "./askPlugin.ts";
import type { Claim } from "./claims.ts";
import { differenceOf, isSameAnswer } from "./compareAnswers.ts";
import type { Random } from "./createRandom.ts";
import { type Deviation, deviations } from "./deviations.ts";
import { drawQuestion } from "./drawQuestion.ts";
import { nameDeviation, type WrongAnswer } from "./nameDeviation.ts";
import type { ClaimReport, Finding } from "./report.ts";
import { protocolSemantics } from "./semantics.ts";
import { shrinkQuery } from "./shrinkQuery.ts";
import type { Subject } from "./subject.ts";

type Rows = readonly (readonly Cell[])[];

interface KeptAnswer extends WrongAnswer {
  readonly subject: Subject;
  readonly before?: Rows;
}

/** Wrong answers that are kept to name what the plugin does. */
const mostWrong = 12;
/** Rows of an answer that a finding shows. */
const shownRows = 5;

/** Asks questions of one claim, and remembers how they were answered. */
export class ClaimCheck {
  readonly claim: Claim;
  readonly #plugin: Plugin;
  readonly #call: Call;
  readonly #wrong: KeptAnswer[] = [];
  readonly #refusals: Finding[] = [];
  readonly #undistinguished: Set<Deviation>;
  #questionCount = 0;

  constructor(claim: Claim, plugin: Plugin, call: Call) {
    this.claim = claim;
    this.#plugin = plugin;
    this.#call = call;
    this.#undistinguished = new Set(deviations.filter((each) => each.concerns(claim)));
  }

  /** Whether more questions would say nothing new. */
  get isSettled(): boolean {
    return this.#wrong.length >= mostWrong || this.#refusals.length > 0;
  }

  /** Whether the rows told the claim apart from every known deviation. */
  get isToldApart(): boolean {
    return this.#undistinguished.size === 0;
  }

  /**
   * Asks one question, unless the dataset has no column for the claim. `before` is the answer to the question before;
   * returns the expected answer to this one.
   */
  async ask(subject: Subject, random: Random, before: Rows | undefined): Promise<Rows | undefined> {
    const query = drawQuestion(this.claim, subject, random);
    if (!query) return undefined;
    this.#questionCount++;
    const expected = answerPlainly(query, subject.table);
    const asked = await askPlugin(this.#plugin, subject.dataset, query, this.#call);
    if ("refusal" in asked) {
      this.#refusals.push({
        does: `refuses what it promises: ${asked.refusal}`,
        query: await shrinkQuery(
          query,
          async (smaller) => "refusal" in (await this.#answer(smaller, subject)),
        ),
        expected: expected.slice(0, shownRows),
      });
      return expected;
    }
    if (this.#isRight(query, expected, asked, subject)) this.#tellApart(query, expected, subject);
    else
      this.#wrong.push({
        query,
        expected,
        answered: asked.rows,
        subject,
        ...(before && { before }),
      });
    return expected;
  }

  /** The findings so far, with smallest questions. */
  async report(): Promise<ClaimReport> {
    const findings = [...this.#refusals];
    const [first] = this.#wrong;
    if (first) findings.push(await this.#findingOf(first));
    const undistinguished = [...this.#undistinguished].map(({ does }) => does);
    const isProved = this.#questionCount > 0 && undistinguished.length === 0;
    return {
      claim: this.claim.path,
      verdict: findings.length > 0 ? "wrong" : isProved ? "proved" : "unproved",
      questionCount: this.#questionCount,
      findings,
      undistinguished,
    };
  }

  async #findingOf(first: KeptAnswer): Promise<Finding> {
    const { subject, before } = first;
    const isWrong = async (smaller: Query) => {
      const asked = await this.#answer(smaller, subject);
      if ("refusal" in asked) return false;
      return !this.#isRight(smaller, answerPlainly(smaller, subject.table), asked, subject);
    };
    const query = await shrinkQuery(first.query, isWrong);
    const asked = await this.#answer(query, subject);
    const answered = "refusal" in asked ? first.answered : asked.rows;
    const expected = answerPlainly(query, subject.table);
    const own = this.#wrong.filter((each) => each.subject === subject);
    return {
      does: nameDeviation(this.claim, subject.table, own, before),
      query,
      expected: expected.slice(0, shownRows),
      answered: answered.slice(0, shownRows),
    };
  }

  #answer(query: Query, { dataset }: Subject): Promise<Asked> {
    return askPlugin(this.#plugin, dataset, query, this.#call);
  }

  #isRight(
    query: Query,
    expected: Rows,
    asked: Extract<Asked, { rows: Rows }>,
    { table }: Subject,
  ): boolean {
    const { rows, applied } = asked;
    const isSuperset = this.claim.kind === "filter" && this.claim.isSuperset;
    if (isSuperset) return differenceOf(expected, rows).missing.length === 0;
    if (applied && applied.length < query.filters.length) {
      const filters = query.filters.filter((_, at) => applied.includes(at));
      return isSameAnswer(answerPlainly({ ...query, filters }, table), rows, false);
    }
    const isOrdered = (query.order?.length ?? 0) > 0;
    if (!query.limit || isOrdered) return isSameAnswer(expected, rows, isOrdered);
    // Any rows will do, as many as were asked.
    const { limit: _, ...whole } = query;
    const { surplus } = differenceOf(answerPlainly(whole, table), rows);
    return rows.length === expected.length && surplus.length === 0;
  }

  /** Strikes out the deviations that would have answered otherwise. */
  #tellApart(query: Query, expected: Rows, { table }: Subject): void {
    for (const deviation of this.#undistinguished) {
      const semantics = { ...protocolSemantics, ...deviation.semantics };
      const otherwise = answerPlainly(query, table, semantics);
      if (!isSameAnswer(expected, otherwise, (query.order?.length ?? 0) > 0))
        this.#undistinguished.delete(deviation);
    }
  }
}
