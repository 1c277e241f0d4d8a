import { isList, isRecord } from "../../api/index.ts";
import { emptyQuestion, type Question } from "../../questions/index.ts";
import type { Condition } from "./condition.ts";

/** What an alert measures, as a question whose groups are its periods, its groups, or both. */
export interface MeasuredQuestion {
  readonly datasetId: string;
  readonly question: Question;
  /** The filters of the question, in the format of the data service. */
  readonly where: readonly unknown[];
  /** The time zone of the periods. */
  readonly timezoneId: string;
}

/** Number of latest periods that are measured. */
const periodCount = 60;

/**
 * Returns the question behind an alert. Its filter on the last period becomes a grouping by periods. Undefined for an
 * alert that measures one number without a period, and for queries that no chart with a value axis can show: formulas,
 * several groupings, groups of numbers.
 */
export function measuredQuestion(
  query: unknown,
  condition: Condition,
): MeasuredQuestion | undefined {
  if (!isRecord(query)) return undefined;
  const measure = listIn(query, "measures")[condition.measure];
  const { dataset_id: datasetId, column_id: columnId, aggregation } = measure ?? {};
  if (typeof datasetId !== "string" || typeof columnId !== "string") return undefined;
  const aggregated = isRecord(aggregation) ? aggregation["type"] : undefined;
  const clauses = listIn(query, "where");
  const periods = clauses.map(periodOf);
  const period = periods.find((each) => each !== undefined);
  const dimensions = listIn(query, "dimensions");
  const [dimension, other] = dimensions;
  const groupId = dimension?.["column_id"];
  if (other || (dimension && typeof groupId !== "string")) return undefined;
  if (dimension?.["discretization"] || dimension?.["level"]) return undefined;
  if (!period && !dimension) return undefined;
  const group = dimension && { id: String(groupId) };
  const options = isRecord(query["options"]) ? query["options"] : {};
  return {
    datasetId,
    question: {
      ...emptyQuestion,
      rows: period ? [{ id: period.columnId, level: period.level }] : group ? [group] : [],
      ...(period && group && { color: group }),
      measures: [
        { id: columnId, aggregation: typeof aggregated === "string" ? aggregated : "sum" },
      ],
      chart: period ? "line-chart" : "bar-chart",
    },
    where: [
      ...clauses.filter((_, index) => periods[index] === undefined),
      ...(period
        ? [
            {
              expression: "last_available",
              parameters: [period.column, { unit: period.level, quantity: periodCount }],
            },
          ]
        : []),
    ],
    timezoneId: typeof options["timezone_id"] === "string" ? options["timezone_id"] : "UTC",
  };
}

type Json = Readonly<Record<string, unknown>>;

const listIn = (query: Json, member: string): readonly Json[] => {
  const list = query[member];
  return isList(list) ? list.filter(isRecord) : [];
};

/** Returns the column and the level of a filter on the last period; undefined for every other filter. */
function periodOf({ expression, parameters }: Json) {
  const [column, range] = isList(parameters) ? parameters : [];
  if (expression !== "ago" || !isRecord(column) || !isRecord(range)) return undefined;
  const { unit: level, quantity } = range;
  const columnId = column["column_id"];
  if (typeof level !== "number" || quantity !== 1 || typeof columnId !== "string") return undefined;
  return { column, columnId, level };
}
