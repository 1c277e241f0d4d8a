import type { FieldCalculation } from "../../charts/index.ts";
import { phraseOf } from "./aggregations.ts";
import { nameOf, type ExploredColumn } from "./columns.ts";
import type { Grouping, Measure, MeasureCalculation, Question } from "./question.ts";
import { questionWords } from "./questionWords.ts";

type Columns = ReadonlyMap<string, ExploredColumn>;

/** The names of the calculations of the data service in stored comparisons. */
const storedComparisons = {
  past: "past",
  absolute_change: "absoluteChange",
  percentage_change: "percentageChange",
} as const;

const comparisons = ["past", "absolute_change", "percentage_change"] as const;
const year = 1;
/** The level of a datetime column that names none. */
const usualLevel = 3;

/** Returns whether a calculation compares a measure with an earlier period. */
const isComparison = (
  calculation: MeasureCalculation,
): calculation is Extract<MeasureCalculation, { readonly from: unknown }> => "from" in calculation;

/** Returns the level of the only time by which a question groups; undefined if it groups by none or several. */
function levelIn({ rows, color }: Question, columns: Columns): number | undefined {
  const times = [...rows, ...(color ? [color] : [])].filter(
    ({ id }: Grouping) => columns.get(id)?.type === "datetime",
  );
  const [time] = times;
  return times.length === 1 ? (time?.level ?? usualLevel) : undefined;
}

/**
 * Lists the calculations that a menu offers for a measure. Shares need parts that add up to a whole, and comparisons
 * need one time by which the question groups.
 */
export function offeredCalculations(
  { id, aggregation }: Measure,
  question: Question,
  columns: Columns,
): readonly MeasureCalculation[] {
  // A formula has no aggregation of its own.
  if (aggregation === "" && id !== "*") return [];
  const level = levelIn(question, columns);
  const isAdditive = id === "*" || aggregation === "sum" || aggregation === "count";
  const isNumber = !["min", "max"].includes(aggregation) || columns.get(id)?.type === "numeric";
  if (!isNumber) return [];
  return [
    ...(isAdditive ? [{ type: "share_of_total" } as const] : []),
    { type: "rank" },
    ...comparisons.flatMap((type): MeasureCalculation[] =>
      level === undefined
        ? []
        : [{ type, from: "period" }, ...(level > year ? [{ type, from: "year" } as const] : [])],
    ),
  ];
}

/** Returns the calculation of a measure; undefined if it has none, or if the question no longer allows it. */
export function calculationOf(
  measure: Measure,
  question: Question,
  columns: Columns,
): MeasureCalculation | undefined {
  const { calculation } = measure;
  return (
    calculation &&
    offeredCalculations(measure, question, columns).find((each) =>
      isSameCalculation(each, calculation),
    )
  );
}

/** Returns whether two calculations are the same; two absent ones are. */
export function isSameCalculation(
  one: MeasureCalculation | undefined,
  other: MeasureCalculation | undefined,
): boolean {
  if (!one || !other) return one === other;
  const fromOf = (each: MeasureCalculation) => (isComparison(each) ? each.from : undefined);
  return one.type === other.type && fromOf(one) === fromOf(other);
}

/** Returns the members with which an item stores the calculation of a measure; none if it has no calculation. */
export function storedCalculation(measure: Measure, question: Question, columns: Columns): object {
  const calculation = calculationOf(measure, question, columns);
  if (!calculation) return {};
  if (!isComparison(calculation)) return { calculation: { type: calculation.type } };
  const level = calculation.from === "year" ? year : levelIn(question, columns);
  const type = storedComparisons[calculation.type];
  return { periodOverPeriod: { type, level, quantity: 1 } };
}

/** Reads the calculation of a stored measure in an item whose time has a level. Undefined for others. */
export function readMeasureCalculation(
  stored: FieldCalculation | undefined,
  timeLevel: number | undefined,
): MeasureCalculation | undefined {
  if (!stored) return undefined;
  const { type, level, quantity, period_to_date: isToDate, order } = stored;
  if (type === "share_of_total") return { type };
  if (type === "rank") return order === "asc" ? undefined : { type };
  if (quantity !== 1 || isToDate) return undefined;
  if (level === (timeLevel ?? usualLevel)) return { type, from: "period" };
  return level === year ? { type, from: "year" } : undefined;
}

/** Returns a calculation in words, such as "share of the total". */
export function nameOfCalculation(calculation: MeasureCalculation): string {
  const names = questionWords.calculations;
  return isComparison(calculation)
    ? names[calculation.type][calculation.from]
    : names[calculation.type];
}

/** Returns the value of a measure in words, such as "Total amount". `said` are the words of the language. */
export function phraseOfValue(
  { id, aggregation }: Measure,
  columns: Columns,
  said = questionWords,
): string {
  const column = id === "*" ? undefined : columns.get(id);
  return column ? phraseOf(aggregation, nameOf(column), said) : said.countRows;
}

/** Returns what a measure shows in words, such as "Total amount: previous year". */
export function phraseOfMeasure(measure: Measure, question: Question, columns: Columns): string {
  const value = phraseOfValue(measure, columns);
  const calculation = calculationOf(measure, question, columns);
  return calculation ? questionWords.labelled(value, nameOfCalculation(calculation)) : value;
}
