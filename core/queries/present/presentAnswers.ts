import { type ApiError, errorBody, type ErrorBody } from "../../base/index.ts";
import type { PluginError } from "../../../plugins/protocol/index.ts";
import type { AnsweredQuery, QueryPerformance } from "./answeredQuery.ts";
import { timePresenting } from "./createPhases.ts";
import type { Explanation } from "./explain.ts";
import { presentRows } from "./presentRows.ts";
import type { AnswerCell } from "./answerCell.ts";

/** The answer of one query, in wire form. */
export interface QueryAnswer {
  readonly cached: boolean;
  readonly performance: QueryPerformance;
  /** What the answer leaves out, as sentences. Absent if it leaves out nothing. */
  readonly warnings?: readonly string[];
  /** The explanation of the query, if the caller requested one. */
  readonly explain?: Explanation;
  /** Rows of cells: dimensions, then measures, both in the order of the request. */
  readonly data: readonly (readonly AnswerCell[])[];
}

/** The answer of a failed query in a call with several queries. The other queries of the call are still answered. */
export interface QueryFailure extends QueryAnswer {
  /** The error in the same form as the error of a whole call, with the request id of the call. */
  readonly error: ErrorBody;
}

/** The queries of a call, in order, after they ran and before they are presented. */
export interface AnsweredCall {
  /** Whether the call is answered with a list. */
  readonly several: boolean;
  readonly answers: readonly (AnsweredQuery | QueryFailure)[];
}

/**
 * Presents the answers of a call as JSON values; a list if the call has several queries. `writeAnswers` writes the same
 * answers as text. O(cells).
 */
export function presentAnswers({
  several,
  answers,
}: AnsweredCall): QueryAnswer | readonly QueryAnswer[] {
  const presented = answers.map((answer) => ("data" in answer ? answer : presentAnswer(answer)));
  const [only] = presented;
  return several || !only ? presented : only;
}

function presentAnswer(answered: AnsweredQuery): QueryAnswer {
  const { parsed, secured, batch, labels } = answered;
  const members = membersOf(answered);
  const { presented: data, performance } = timePresenting(answered.performance, () =>
    presentRows(batch, secured.cells, secured.query.columns, parsed, labels),
  );
  return { ...members, performance, data };
}

/** Returns the members of an answer other than its rows, in wire order. */
export function membersOf({
  cached,
  performance: taken,
  warnings,
  explain,
}: AnsweredQuery): Omit<QueryAnswer, "data"> {
  return {
    cached,
    performance: taken,
    ...(warnings && { warnings }),
    ...(explain && { explain }),
  };
}

/** Presents the failure of one query in a call with several queries. */
export function presentFailure(error: ApiError | PluginError): QueryFailure {
  return {
    cached: false,
    performance: { validating: 0, preparing: 0, queuing: 0, querying: 0, processing: 0, rows: 0 },
    data: [],
    error: errorBody(error),
  };
}
