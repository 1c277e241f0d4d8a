import type { Expression, Predicate } from "../../../engine/index.ts";
import { sqlText } from "../strata/benchQuery.ts";
import type { Measure, PublicPart, PublicQuestion, Test } from "./publicPart.ts";
import { typeOf } from "./typeOf.ts";

/** A dataset on a host: its id, and the ids of its columns by name. */
export interface FilledDataset {
  readonly id: string;
  readonly columnIds: Readonly<Record<string, string>>;
}

/** The datasets of a part, by the names of their tables. */
export type FilledDatasets = Readonly<Record<string, FilledDataset>>;

/** Returns a question as a query of the API. */
export function apiQueryOf(
  question: PublicQuestion,
  part: PublicPart,
  datasets: FilledDatasets,
): object {
  const { table, keys, measures, isRaw, where = [], having, order = [], limit } = question;
  const datasetOf = (join: string | undefined): FilledDataset => {
    const name = join === undefined ? table : part.links.find((link) => link.name === join)?.table;
    const found = datasets[name ?? ""];
    if (!found) throw new Error(`the host has no dataset ${name}`);
    return found;
  };
  const mention = ({ name, join }: Extract<Expression, { kind: "column" }>) => {
    const { id, columnIds } = datasetOf(join);
    return { dataset_id: id, column_id: columnIds[name] };
  };
  const spell = createSpelling(mention);
  const subject = (of: Expression): object => {
    if (of.kind === "column") return mention(of);
    if (of.kind === "period" && of.of.kind === "column")
      return { ...mention(of.of), level: levels[of.period] };
    // Only a constant needs to say whose rows it belongs to.
    const isConstant = of.kind === "literal";
    return {
      expression: spell.expression(of),
      ...(isConstant && { dataset_id: datasetOf(undefined).id }),
    };
  };
  const measureOf = (of: Measure): object => {
    if (of.kind === "formula") return { formula: spell.measure(of) };
    if (!of.of)
      return {
        dataset_id: datasetOf(undefined).id,
        column_id: "*",
        aggregation: { type: "count" },
      };
    return { ...subject(of.of), aggregation: { type: of.function } };
  };
  const outputs = [...keys.map(subject), ...measures.map(measureOf)];
  const valueOf = (value: string | number, left: Expression) =>
    typeof value === "number" && typeOf(left, table, part) === "datetime"
      ? new Date(value).toISOString().slice(0, 10)
      : value;
  const testOf = (of: Test, isNegated = false): object => {
    switch (of.kind) {
      case "and":
      case "or":
        return { [of.kind]: of.of.map((each) => testOf(each)) };
      case "not":
        return testOf(of.of, true);
      case "compare":
        return {
          expression: `? ${isNegated ? "!=" : of.operator} ?`,
          parameters: [subject(of.left), valueOf(of.value, of.left)],
        };
      case "columns":
        return {
          expression: `? ${of.operator} ?`,
          parameters: [subject(of.left), subject(of.right)],
        };
      case "in":
        return { expression: "? in ?", parameters: [subject(of.left), of.values] };
      case "match": {
        const word = of.match === "startsWith" ? "starts with" : "like";
        return {
          expression: `? ${isNegated ? "not " : ""}${word} ?`,
          parameters: [subject(of.left), of.text],
        };
      }
      case "isNull":
        return { expression: "? is null", parameters: [subject(of.left)] };
    }
  };
  return {
    dimensions: outputs.slice(0, keys.length),
    measures: outputs.slice(keys.length),
    where: where.map((test) => testOf(test)),
    ...(having && {
      having: [
        { expression: "? > ?", parameters: [outputs[keys.length + having.measure], having.above] },
      ],
    }),
    order: order.map(({ output, descending }) => ({
      ...outputs[output],
      order: descending ? "desc" : "asc",
    })),
    ...(limit && {
      limit: {
        by: limit.count,
        offset: limit.offset,
        ...(limit.per !== undefined && { per: [outputs[limit.per]] }),
      },
    }),
    options: { cells: "plain", ...(isRaw && { rollup_data: false }) },
  };
}

/** The levels of the API for the periods that the questions use. */
const levels: Readonly<Record<string, number>> = { year: 1, month: 3, day: 5, hour: 6, minute: 7 };

const operators: Readonly<Record<string, string>> = {
  add: "+",
  subtract: "-",
  multiply: "*",
  divide: "/",
};

const functions: Readonly<Record<string, string>> = {
  length: "length",
  replace: "replace",
  round: "round",
  splitPart: "split_part",
};

/** Writes expressions in the language of derived columns and formulas. */
function createSpelling(
  mention: (column: Extract<Expression, { kind: "column" }>) => {
    dataset_id: string;
    column_id: string | undefined;
  },
) {
  const expression = (of: Expression): string => {
    switch (of.kind) {
      case "column": {
        const { dataset_id: dataset, column_id: column } = mention(of);
        return `{${dataset}:${column}}`;
      }
      case "literal":
        return typeof of.value === "string" ? sqlText(of.value) : String(of.value);
      case "period":
        return `date_trunc('${of.period}', ${expression(of.of)})`;
      case "case": {
        const branches = of.branches.map(
          ({ when, then }) => `when ${test(when)} then ${expression(then)}`,
        );
        return `case ${branches.join(" ")} else ${of.otherwise ? expression(of.otherwise) : "null"} end`;
      }
      case "call":
        return call(of.function, of.of);
      case "bin":
        throw new Error("no question uses bins");
    }
  };
  const call = (name: string, of: readonly Expression[]): string => {
    const operator = operators[name];
    if (operator !== undefined) return `(${of.map(expression).join(` ${operator} `)})`;
    const [first, second] = of;
    if (name === "datePart" && first?.kind === "literal" && second)
      return `${String(first.value)}(${expression(second)})`;
    const known = functions[name];
    if (known === undefined) throw new Error(`no question uses the function ${name}`);
    return `${known}(${of.map(expression).join(", ")})`;
  };
  const test = (of: Predicate): string => {
    switch (of.kind) {
      case "and":
      case "or":
        return `(${of.of.map(test).join(` ${of.kind} `)})`;
      case "not":
        return `not (${test(of.of)})`;
      case "compare":
        return `${expression(of.left)} ${of.operator} ${typeof of.value === "string" ? sqlText(of.value) : of.value}`;
      case "in":
        return `${expression(of.left)} in (${of.values.map((each) => (typeof each === "string" ? sqlText(each) : String(each))).join(", ")})`;
      case "match":
        return `${expression(of.left)} ${of.match === "startsWith" ? "starts with" : "like"} ${sqlText(of.text)}`;
      case "isNull":
        return `${expression(of.left)} is null`;
    }
  };
  const measure = (of: Measure | number): string => {
    if (typeof of === "number") return String(of);
    if (of.kind === "formula") return `(${of.of.map(measure).join(` ${operators[of.function]} `)})`;
    return of.of ? `${of.function}(${expression(of.of)})` : "countr()";
  };
  return { expression, measure };
}
