import type { Aggregation, Derived } from "../../../plugins/protocol/index.ts";

/** An aggregation that a formula may name. */
export type FormulaAggregation = Exclude<Aggregation, "weightedaverage" | "cumulativesum">;

/** One fold of a group's rows in a formula. Nulls are skipped. */
export interface FormulaAggregate {
  readonly aggregation: FormulaAggregation;
  /** The value of each row that is folded; absent for `count` of rows. */
  readonly of?: Pick<Derived, "type" | "expression">;
  /** For `percentile`, from 0 to 1. */
  readonly fraction?: number;
}

/** An aggregate as it is written in a source text. */
export interface LanguageAggregate {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly parameters: readonly string[];
  readonly calls: FormulaAggregation;
  /** `T`: the type of the values. */
  readonly result: "numeric" | "T";
  readonly meaning: string;
}

function declare(
  signature: string,
  calls: FormulaAggregation,
  meaning: string,
  aliases: readonly string[] = [],
): LanguageAggregate {
  const { name, parameters } = readSignature(signature);
  const result = calls === "min" || calls === "max" ? "T" : "numeric";
  return { name, parameters, aliases, calls, result, meaning };
}

/** Reads the name and the parameters of `name(a, b?)`. */
export function readSignature(signature: string): Pick<LanguageAggregate, "name" | "parameters"> {
  const [name = "", list = ""] = signature.slice(0, -1).split("(");
  return { name, parameters: list === "" ? [] : list.split(", ") };
}

const rows = declare("countr()", "count", "the number of rows", ["count"]);

/** The aggregates of formulas, in the order of the documentation. Over no values counts are 0 and all others null. */
export const aggregates: readonly LanguageAggregate[] = [
  declare("sum(number)", "sum", "the sum"),
  declare("average(number)", "average", "the sum divided by the count", ["avg"]),
  declare("min(value)", "min", "the value that comes first"),
  declare("max(value)", "max", "the value that comes last"),
  declare("count(value)", "count", "the number of values that are not null"),
  rows,
  declare("distinctcount(value)", "distinctcount", "the exact number of different values", [
    "countd",
  ]),
  declare("median(number)", "median", "the percentile at 0.5"),
  declare(
    "percentile(number, fraction)",
    "percentile",
    "the value at that fraction (a constant from 0 to 1) of the sorted values, interpolated between neighbours as SQL's percentile_cont does",
  ),
  declare(
    "stddev(number)",
    "stddev",
    "the standard deviation of the sample; null for a single value",
  ),
];

const byName = new Map(
  aggregates
    .filter((each) => each !== rows)
    .flatMap((each) => [each.name, ...each.aliases].map((name) => [name, each] as const)),
);

/** The names of aggregates, aliases included. */
export const aggregateNames: readonly string[] = [...byName.keys()];

/** Finds an aggregate by a name in lower case. `count` without an argument counts rows. */
export function findAggregate(name: string, hasArguments: boolean): LanguageAggregate | undefined {
  if (name === rows.name || (name === "count" && !hasArguments)) return rows;
  return byName.get(name);
}
