import type { Expression, Plan } from "../../../engine/index.ts";
import { factColumns } from "./columns.ts";
import type { BenchQuery } from "./benchQuery.ts";

/** Returns the type of each output of a plan over the bench tables. */
export function typesOf({ outputs }: Plan): BenchQuery["types"] {
  const typeOf = (expression: Expression): "number" | "datetime" | "text" => {
    switch (expression.kind) {
      case "column":
        if (expression.join) return expression.name === "kid" ? "number" : "text";
        return factColumns.find(({ name }) => name === expression.name)?.type ?? "number";
      case "literal":
        return expression.type;
      case "period":
        return "datetime";
      case "call":
        return expression.function === "left" ? "text" : "number";
      case "case":
        return typeOf(expression.branches[0]!.then);
      case "bin":
        return "number";
    }
  };
  return outputs.map((output) => {
    if (output.kind === "key") return typeOf(output.of);
    const keepsType = output.function === "min" || output.function === "max";
    return keepsType && output.of ? typeOf(output.of) : "number";
  });
}
