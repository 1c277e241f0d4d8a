import {
  aggregationDefinitions,
  aggregations,
  type Aggregation,
  type AggregationWith,
  type Derived,
  type Expression,
} from "../../../plugins/protocol/index.ts";

/** An aggregation that a formula may use. */
export type FormulaAggregation = AggregationWith<"inFormulas", true>;

/** One aggregate of a group's rows in a formula. Nulls are skipped. */
export interface FormulaAggregate {
  readonly aggregation: FormulaAggregation;
  /** The value to aggregate, computed per row. Absent when `count` counts rows. */
  readonly of?: Pick<Derived, "type" | "expression">;
  /** For `percentile`: the fraction, from 0 to 1. */
  readonly fraction?: number;
  /** For `corr`: the other number, computed per row. */
  readonly other?: Expression;
}

/** An aggregate as users write it. */
export interface LanguageAggregate {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly parameters: readonly string[];
  readonly calls: FormulaAggregation;
  /** `T` stands for the type of the values. */
  readonly result: "number" | "T";
  readonly meaning: string;
}

/** Parses the name and the parameters of a signature such as `name(a, b?)`. */
export function readSignature(signature: string): Pick<LanguageAggregate, "name" | "parameters"> {
  const [name = "", list = ""] = signature.slice(0, -1).split("(");
  return { name, parameters: list === "" ? [] : list.split(", ") };
}

const rows: LanguageAggregate = {
  name: "countr",
  aliases: ["count"],
  parameters: [],
  calls: "count",
  result: "number",
  meaning: "the number of rows",
};

/** Alternative names of aggregates in formulas. */
const aliases: Readonly<Partial<Record<FormulaAggregation, readonly string[]>>> = {
  average: ["avg"],
  distinctcount: ["countd"],
};

const isInFormulas = (name: Aggregation): name is FormulaAggregation =>
  aggregationDefinitions[name].inFormulas;

function aggregateOf(name: FormulaAggregation): LanguageAggregate {
  const { argument, takes, result, meaning } = aggregationDefinitions[name];
  const parameters = [argument === "number" ? "number" : "value", ...(takes ? [takes] : [])];
  return { name, aliases: aliases[name] ?? [], parameters, calls: name, result, meaning };
}

/**
 * The aggregates of formulas, in the order of the documentation. For a group without values, counts return 0 and all
 * other aggregates return null.
 */
export const aggregates: readonly LanguageAggregate[] = [
  ...aggregations.filter(isInFormulas).map(aggregateOf),
  rows,
];

const byName = new Map(
  aggregates
    .filter((each) => each !== rows)
    .flatMap((each) => [each.name, ...each.aliases].map((name) => [name, each] as const)),
);

/** The names of aggregates, including aliases. */
export const aggregateNames: readonly string[] = [...byName.keys()];

/** Finds an aggregate by its name in lower case. `count` without an argument counts rows. */
export function findAggregate(name: string, hasArguments: boolean): LanguageAggregate | undefined {
  if (name === rows.name || (name === "count" && !hasArguments)) return rows;
  return byName.get(name);
}
