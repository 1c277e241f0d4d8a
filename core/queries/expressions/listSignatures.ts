import { aggregates } from "./aggregates.ts";
import { functions } from "./functions.ts";

/** Lists the functions of the language as `name(parameter, optional?)`. For formulas, includes the aggregates. */
export function listSignatures(kind: "column" | "formula"): readonly string[] {
  const known = kind === "formula" ? [...aggregates, ...functions] : functions;
  return known.map(({ name, parameters }) => `${name}(${parameters.join(", ")})`);
}
