import {
  leaves,
  type Cell,
  type ColumnFilter,
  type DataType,
  type Query,
} from "../protocol/index.ts";
import { answerQuery, type JoinableTable } from "./answerQuery.ts";
import type { Claim } from "./claims.ts";
import { isSameAnswer } from "./compareAnswers.ts";
import type { Deviation } from "./deviation.ts";
import { deviations } from "./deviations.ts";
import { isAnswerUnder } from "./isAnswerUnder.ts";
import type { Semantics } from "./semantics.ts";

type Rows = readonly (readonly Cell[])[];

/** An answer of the plugin, and the table that was queried. */
export interface KnownAnswer {
  readonly query: Query;
  readonly table: JoinableTable;
  /** The rows that the plugin returned. Absent for a right answer if any version of the expected rows is right. */
  readonly answered?: Rows;
}

/** A wrong answer of the plugin. */
export interface WrongAnswer extends KnownAnswer {
  readonly answered: Rows;
  readonly expected: Rows;
  /** The expected answer to the previous query. Absent for the first query. */
  readonly before?: Rows;
}

/** A claim with wrong answers, and some of the right answers to its queries. */
export interface Suspect {
  readonly claim: Claim;
  readonly wrong: readonly WrongAnswer[];
  readonly right: readonly KnownAnswer[];
}

/** A deviation that explains wrong answers of a claim. */
export interface Explanation {
  /** The behavior, with the columns to which it is limited. */
  readonly does: string;
  /**
   * The semantics of a plugin that behaves like this. Absent if the behavior cannot be expressed as semantics, because
   * answers do not depend on their own query.
   */
  readonly semantics?: Partial<Semantics>;
}

/** Some wrong answers of a claim, and their likely cause. */
export interface CausedAnswers<Answer extends WrongAnswer = WrongAnswer> {
  /** The known deviation that explains all of these answers. Absent if there is none. */
  readonly cause?: Explanation;
  readonly wrong: readonly Answer[];
}

interface Candidate extends Explanation {
  readonly deviation: Deviation;
  readonly isConcerned: boolean;
  /** The columns to which the behavior is limited. Empty: it is not limited. */
  readonly columns: readonly string[];
  /** The columns that every wrong answer is about. */
  readonly shared: readonly string[];
}

const repeatsPrevious: Explanation = { does: "returns the answer to the previous query" };

/**
 * Minimum number of answers that a deviation must explain alone to be one of two causes of a claim. Does not apply if
 * the deviation is also the cause of another claim.
 */
const enoughExplained = 3;
/** Maximum number of deviations that the kit tries as one of two causes of a claim. */
const mostPartial = 8;
/** If this many answers match the previous query, the match is not a coincidence. */
const enoughPrevious = 3;

/**
 * Finds the likely causes of the wrong answers of several claims. A cause is a known deviation that explains every
 * wrong answer of a claim, and that no right answer of this claim contradicts. If several deviations qualify, the cause
 * is the deviation that explains the most claims. A claim may have two causes. Wrong answers that no deviation explains
 * have no cause.
 *
 * `isOver` returns whether the time limit is reached. After that, only deviations that concern a claim are tried.
 */
export function findCauses<Claimed extends Suspect>(
  suspects: readonly Claimed[],
  isOver: () => boolean = () => false,
): ReadonlyMap<Claimed, readonly CausedAnswers<Claimed["wrong"][number]>[]> {
  const causes = new Map<Claimed, readonly CausedAnswers[]>();
  if (isRepeating(suspects)) {
    for (const suspect of suspects) {
      const { wrong } = suspect;
      causes.set(suspect, [{ ...(wrong.some(isPrevious) && { cause: repeatsPrevious }), wrong }]);
    }
    return causes;
  }
  const candidates = new Map(suspects.map((suspect) => [suspect, candidatesOf(suspect, isOver)]));
  const chosen: Candidate[] = [];
  let open = suspects.filter((suspect) => (candidates.get(suspect) ?? []).length > 0);
  while (open.length > 0) {
    const best = mostExplaining(open.map((suspect) => candidates.get(suspect) ?? []));
    if (!best) break;
    chosen.push(best);
    const isCaused = (suspect: Claimed) =>
      (candidates.get(suspect) ?? []).find((candidate) => isSameCause(candidate, best));
    for (const suspect of open) {
      const { semantics } = isCaused(suspect) ?? {};
      const cause = { does: best.does, ...(semantics && { semantics }) };
      if (semantics) causes.set(suspect, [{ cause, wrong: suspect.wrong }]);
    }
    open = open.filter((suspect) => !causes.has(suspect));
  }
  for (const suspect of suspects)
    if (!causes.has(suspect)) causes.set(suspect, splitByCause(suspect, chosen, isOver));
  return causes;
}

/** Returns whether an answer contains the right rows for the previous query, and not those for its own query. */
function isPrevious({ before, answered, expected }: WrongAnswer): boolean {
  if (before === undefined || !isSameAnswer(before, answered, false)) return false;
  return !isSameAnswer(expected, answered, false);
}

/**
 * Returns whether the plugin answers with the rows of previous queries. Some of these answers also look like those of a
 * known deviation.
 */
function isRepeating(suspects: readonly Suspect[]): boolean {
  const wrong = suspects.flatMap((suspect) => suspect.wrong);
  const previousCount = wrong.filter(isPrevious).length;
  return previousCount >= enoughPrevious && previousCount * 2 >= wrong.length;
}

/** Returns whether a candidate is a given cause, which may be limited to columns that the candidate is about. */
function isSameCause(candidate: Candidate, { deviation, does, columns }: Candidate): boolean {
  if (candidate.does === does) return true;
  if (candidate.deviation.does !== deviation.does || candidate.columns.length > 0) return false;
  return columns.length > 0 && columns.every((id) => candidate.shared.includes(id));
}

/**
 * Returns the candidate that explains the most claims. If several candidates explain equally many claims, returns the
 * candidate that concerns most of them.
 */
function mostExplaining(lists: readonly (readonly Candidate[])[]): Candidate | undefined {
  const scores = new Map<string, { candidate: Candidate; explained: number; concerned: number }>();
  for (const list of lists) {
    const seen = new Set<string>();
    for (const candidate of list) {
      const score = scores.get(candidate.does) ?? { candidate, explained: 0, concerned: 0 };
      scores.set(candidate.does, score);
      if (seen.has(candidate.does)) continue;
      seen.add(candidate.does);
      score.explained++;
      score.concerned += Number(
        list.some(({ does, isConcerned }) => does === candidate.does && isConcerned),
      );
    }
  }
  const rankOf = ({ deviation }: Candidate) => deviations.indexOf(deviation);
  const [best] = [...scores.values()].toSorted(
    (one, other) =>
      other.explained - one.explained ||
      other.concerned - one.concerned ||
      rankOf(one.candidate) - rankOf(other.candidate),
  );
  return best?.candidate;
}

/** Lists the deviations that explain every wrong answer of a claim. Deviations that concern the claim come first. */
function candidatesOf(suspect: Suspect, isOver: () => boolean): readonly Candidate[] {
  const isConcerned = (deviation: Deviation) => deviation.concerns(suspect.claim);
  const known = [
    ...deviations.filter(isConcerned),
    ...deviations.filter((deviation) => !isConcerned(deviation)),
  ];
  return known.flatMap((deviation) => {
    if (isOver() && !isConcerned(deviation)) return [];
    if (!suspect.wrong.every((answer) => explains(deviation, answer))) return [];
    const scope = scopeOf(deviation, suspect.wrong, suspect.right);
    if (!scope) return [];
    const { semantics } = deviation;
    return [{ ...scope, semantics, deviation, isConcerned: isConcerned(deviation) }];
  });
}

/** Returns whether a plugin with this deviation would return the given answer. */
export function explains(
  { touches, semantics }: Deviation,
  { query, table, answered }: Pick<WrongAnswer, "query" | "table" | "answered">,
): boolean {
  return touches?.(query) !== false && isAnswerUnder(semantics, query, table, answered);
}

/**
 * Describes where a deviation applies: in all columns, or only in the columns that all wrong answers are about.
 * Undefined if right answers contradict both possibilities.
 */
function scopeOf(
  { does, limitedTo, ...deviation }: Deviation,
  wrong: readonly WrongAnswer[],
  right: readonly KnownAnswer[],
): Pick<Candidate, "does" | "columns" | "shared"> | undefined {
  const against = right.filter((answer) => contradicts(deviation, answer));
  const [first = [], ...others] = wrong.map(({ query }) => columnsOf(query));
  const shared = [...new Set(first)].filter((id) => others.every((ids) => ids.includes(id)));
  if (against.length === 0) return { does, columns: [], shared };
  const limited = shared.filter((id) => limitedTo === "any" || typeOf(id, wrong) === limitedTo);
  const columns = limited.filter(
    (id) => !against.some(({ query }) => columnsOf(query).includes(id)),
  );
  if (limitedTo === undefined || columns.length === 0) return undefined;
  const names = columns.map((id) => JSON.stringify(id)).join(" and ");
  const where = `in the ${columns.length === 1 ? "column" : "columns"} ${names}`;
  return { does: `${does}, ${where}`, columns, shared };
}

function typeOf(id: string, [answer]: readonly WrongAnswer[]): DataType | undefined {
  return answer?.table.columns.find((column) => column.id === id)?.type;
}

function contradicts(
  { touches, semantics }: Pick<Deviation, "touches" | "semantics">,
  answer: KnownAnswer,
): boolean {
  const { query, table } = answer;
  if (touches?.(query) === false) return false;
  return !isAnswerUnder(semantics, query, table, answer.answered ?? answerQuery(query, table));
}

/** Lists the ids of the columns that a query tests, groups, aggregates, sorts or computes with. */
function columnsOf({ columns, filters, order = [], options }: Query): readonly string[] {
  const tested = filters.flatMap(leaves<ColumnFilter>).map(({ column_id }) => column_id);
  const used = options.pushdown ? columns : order.flatMap(({ column }) => columns[column] ?? []);
  return [...tested, ...used.map(({ column_id }) => column_id)].filter((id) => id !== "*");
}

/**
 * Splits the wrong answers of a claim that has no single cause. One part gets one cause; the other part gets another
 * cause, or none.
 */
function splitByCause(
  suspect: Suspect,
  chosen: readonly Candidate[],
  isOver: () => boolean,
): readonly CausedAnswers[] {
  const { wrong, right } = suspect;
  const unexplained = [{ ...(wrong.every(isPrevious) && { cause: repeatsPrevious }), wrong }];
  if (isOver() || wrong.length < 2) return unexplained;
  const isChosen = ({ does }: Deviation) => chosen.some((each) => each.deviation.does === does);
  const partial = deviations
    .filter((deviation) => isChosen(deviation) || deviation.concerns(suspect.claim))
    .map((deviation) => ({
      deviation,
      explained: wrong.filter((answer) => explains(deviation, answer)),
      isChosen: isChosen(deviation),
    }))
    .filter(({ explained, isChosen }) => explained.length >= (isChosen ? 1 : enoughExplained))
    .filter(({ deviation }) => !right.some((answer) => contradicts(deviation, answer)))
    .toSorted((one, other) => other.explained.length - one.explained.length)
    .slice(0, mostPartial);
  for (const [at, one] of partial.entries())
    for (const other of partial.slice(at + 1)) {
      const both = { ...one.deviation.semantics, ...other.deviation.semantics };
      const isExplained = wrong.every(
        (answer) =>
          one.explained.includes(answer) ||
          other.explained.includes(answer) ||
          isAnswerUnder(both, answer.query, answer.table, answer.answered),
      );
      const rest = other.explained.filter((answer) => !one.explained.includes(answer));
      if (isExplained && rest.length > 0)
        return [
          { cause: one.deviation, wrong: one.explained },
          { cause: other.deviation, wrong: rest },
        ];
    }
  const [most] = partial;
  if (!most) return unexplained;
  const rest = wrong.filter((answer) => !most.explained.includes(answer));
  return [{ cause: most.deviation, wrong: most.explained }, { wrong: rest }];
}
