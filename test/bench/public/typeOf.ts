import type { DataType, Expression } from "../../../engine/index.ts";
import type { Measure, PublicPart, PublicQuestion } from "./publicPart.ts";

/** Returns the type of an expression in a question about the table `table`. */
export function typeOf(expression: Expression, table: string, part: PublicPart): DataType {
  switch (expression.kind) {
    case "column": {
      const { name, join } = expression;
      const from = join ? part.links.find((link) => link.name === join)?.table : table;
      const found = part.tables
        .find((each) => each.name === from)
        ?.columns.find((column) => column.name === name);
      if (!found) throw new Error(`${part.name}: ${from} has no column ${name}`);
      return found.type;
    }
    case "literal":
      return expression.type;
    case "period":
      return "datetime";
    case "bin":
      return "number";
    case "case":
      return typeOf(expression.branches[0]!.then, table, part);
    case "call":
      return ["splitPart", "replace"].includes(expression.function) ? "text" : "number";
  }
}

/** Returns the type of each column of an answer. */
export function typesOf(question: PublicQuestion, part: PublicPart): readonly DataType[] {
  const ofMeasure = (measure: Measure): DataType =>
    measure.kind === "aggregate" &&
    measure.of &&
    (measure.function === "min" || measure.function === "max")
      ? typeOf(measure.of, question.table, part)
      : "number";
  return [
    ...question.keys.map((key) => typeOf(key, question.table, part)),
    ...question.measures.map(ofMeasure),
  ];
}
