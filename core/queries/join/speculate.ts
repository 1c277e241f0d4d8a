import type { ParsedQuery } from "../parsedQuery.ts";
import type { JoinedQuery, ProvenKey } from "./joinDatasets.ts";

/** Executes a query along its tree. */
type AnswerTree<Answer> = (query: ParsedQuery, signal: AbortSignal) => Promise<Answer>;

/**
 * The outcome of a promise that is awaited only later, so that a failure is not reported as unhandled in the meantime.
 */
type Outcome<Answer> =
  | { readonly isAnswered: true; readonly answer: Answer }
  | { readonly isAnswered: false; readonly failure: unknown };

/**
 * Executes a joined query. If its tree is a guess, executes it while linked columns are counted. Returns the answer
 * only if the counts, together with the keys that the answer itself proves, lead to the same tree. Otherwise discards
 * the answer and executes the query again with the correct tree.
 * @throws the errors of counting, and the errors of `answer` for the correct tree
 */
export async function speculate<Answer>(
  { query, check }: JoinedQuery,
  signal: AbortSignal,
  answer: AnswerTree<Answer>,
  provenBy: (answer: Answer) => readonly ProvenKey[],
): Promise<Answer> {
  if (!check) return answer(query, signal);
  const dropped = new AbortController();
  const guess = outcomeOf(answer(query, AbortSignal.any([signal, dropped.signal])));
  try {
    const { unique, isAsGuessed } = await check.countAhead();
    const outcome = isAsGuessed ? await guess : undefined;
    const proven = outcome?.isAnswered ? provenBy(outcome.answer) : [];
    const found = await check.confirm(unique, proven);
    if (found !== query) {
      dropped.abort();
      return await answer(found, signal);
    }
    const right = outcome ?? (await guess);
    if (right.isAnswered) return right.answer;
    throw right.failure;
  } finally {
    dropped.abort();
  }
}

function outcomeOf<Answer>(work: Promise<Answer>): Promise<Outcome<Answer>> {
  return work.then(
    (answer) => ({ isAnswered: true, answer }),
    (failure: unknown) => ({ isAnswered: false, failure }),
  );
}
