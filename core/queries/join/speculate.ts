import type { ParsedQuery } from "../parsedQuery.ts";
import type { JoinedQuery, ProvenKey } from "./joinDatasets.ts";

/** Answers a query with its tree. */
type AnswerTree<Answer> = (query: ParsedQuery, signal: AbortSignal) => Promise<Answer>;

/** Work that goes on after its caller looks at something else first. */
type Outcome<Answer> =
  | { readonly isAnswered: true; readonly answer: Answer }
  | { readonly isAnswered: false; readonly failure: unknown };

/**
 * Answers a joined query. The answer to a guessed tree is made while linked columns are counted, and
 * returned only when the counts, and what the answer itself proves, give the same tree; else it is
 * dropped, and the query is answered anew.
 * @throws what counting throws, and what `answer` throws for the right tree
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
