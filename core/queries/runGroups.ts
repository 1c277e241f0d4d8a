import { ApiError } from "../errors.ts";
import type { Caller, Connection } from "../connections/connection.ts";
import type { Vector } from "../../plugins/protocol/index.ts";
import { completeGroups, domainOf } from "./completeGroups.ts";
import { finish } from "./finish.ts";
import type { QueryLimits } from "./limits.ts";
import { planGroups } from "./planGroups.ts";
import type { Question, Reference } from "./question.ts";
import { referencesIn } from "./references.ts";
import { run, type RunAnswer } from "./run.ts";
import type { SecuredQuery } from "./secure.ts";
import type { Probe } from "./settle.ts";

export interface GroupsOptions {
  readonly question: Question;
  readonly probe: Probe;
  readonly scratch: Connection;
  readonly caller: Caller;
  readonly limits: Pick<QueryLimits, "answerRowCount" | "periodCount">;
}

/**
 * Answers a query with formulas, or with dimensions that are to be complete: asks its groups and the values of these dimensions, adds the
 * groups that are missing, and has formulas, having, cumulative sums, order and limit done in scratch.
 * @throws {PluginError} of the dataset's plugin or of scratch
 * @throws {ApiError} QUERY_TOO_MANY_ROWS, MEMBER_INVALID for more periods than the limit
 */
export async function runGroups(
  secured: SecuredQuery,
  { question, probe, scratch, caller, limits }: GroupsOptions,
): Promise<RunAnswer> {
  const { answerRowCount, periodCount } = limits;
  const { pushed, residual } = planGroups(secured);
  const isComplete = question.dimensions.some((each) => each.isComplete);
  const limit = isComplete && { limit: { by: answerRowCount + 1, offset: 0 } };
  const types = pushed.columns.map(
    (_, index) => secured.types[residual.vectors.indexOf(index)] ?? "hierarchy",
  );
  const groups = await run(
    { ...secured, query: { ...pushed, ...limit }, formulas: [], types, limited: false },
    scratch,
    caller,
  );
  const askedFrom = performance.now();
  const complete = question.dimensions.flatMap((reference, index) =>
    reference.isComplete
      ? [{ reference, column: residual.vectors[secured.cells[index] ?? -1] }]
      : [],
  );
  const domains = await Promise.all(
    complete.map(async ({ reference, column = -1 }) => {
      const { columns } = await probe(valuesOf(question, reference));
      const [vector = noTexts] = columns;
      const asked = pushed.columns[column] ?? { column_id: reference.columnId };
      const timezone = pushed.options.timezone_id ?? "UTC";
      const values = domainOf(vector, asked, timezone, periodCount);
      if (values) return { column, values };
      throw new ApiError("MEMBER_INVALID", [
        `${reference.path}.include_nonoccurring`,
        `more than ${periodCount} periods or bins lie between the first and the last; take longer ones, or filter the column`,
      ]);
    }),
  );
  const completedFrom = performance.now();
  const distinct = [...new Map(domains.map((domain) => [domain.column, domain])).values()];
  const completed = isComplete
    ? completeGroups(groups.batch, pushed.columns, distinct, answerRowCount)
    : groups.batch;
  const batch = await finish(residual, completed, scratch, caller);
  return {
    batch,
    plan: groups.plan,
    preparingMs: groups.preparingMs,
    queryingMs: groups.queryingMs + completedFrom - askedFrom,
    processingMs: groups.processingMs + performance.now() - completedFrom,
  };
}

const noTexts: Vector = { type: "hierarchy", codes: new Int32Array(0), dictionary: [] };

/** The values that a dimension has in all rows that the caller may see, within the filters on its own column. */
function valuesOf({ path, where, timezoneId }: Question, dimension: Reference): Question {
  const isOwn = ({ columnId, datasetId, expression }: Reference) =>
    columnId === dimension.columnId &&
    datasetId === dimension.datasetId &&
    expression === dimension.expression;
  return {
    path,
    dimensions: [dimension],
    measures: [],
    where: where.filter((condition) => referencesIn(condition).every(isOwn)),
    having: [],
    order: [],
    limit: undefined,
    rollup: true,
    timezoneId,
  };
}
