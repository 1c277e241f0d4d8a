import { aggregates } from "./aggregates.ts";
import { functions } from "./functions.ts";

/** Lists the functions of the language, and for formulas its aggregates, as `name(parameter, optional?)`. */
export function listSignatures(kind: "column" | "formula"): readonly string[] {
  const known = kind === "formula" ? [...aggregates, ...functions] : functions;
  return known.map(({ name, parameters }) => `${name}(${parameters.join(", ")})`);
}
