import type { Connection } from "../../base/index.ts";

/**
 * The default of `Connection.lack`: the first words of the reason that is shown if a clause is not pushed down because
 * the plugin lacks it.
 */
const usualLack = "the plugin does not promise";

/**
 * Returns why a plugin does not carry out what `missing` describes, such as "order": the plugin does not promise it, or
 * the host does not rely on the promise.
 */
export function reasonFor(
  { lack = usualLack, unused = [] }: Pick<Connection, "lack" | "unused">,
  missing: string,
): string {
  const left =
    unused.find(({ capability }) => isMeant(capability, missing)) ??
    unused.find(({ capability }) => capability === "projection");
  return left
    ? `the host does not rely on ${left.capability}: ${left.reason}`
    : `${lack} ${missing}`;
}

/** The claims that consist of one clause, and the words of `unsupportedClauses` for them. */
const clauseWords: Readonly<Record<string, string>> = {
  "filters.nested": "nested filters",
  "filters.levels": "filters on levels",
  "grouping.timezones": "levels in a time zone",
  levelsAnywhere: "levels in plain rows and under an aggregation",
  decimalBins: "bins of this width and origin",
  compositeJoins: "joins by several columns",
  joinFilters: "filters on the rows of a joined dataset",
  groupLimit: "limits per group",
};

/** Returns whether the words for a missing promise, from `unsupportedClauses`, describe a claim. */
function isMeant(claim: string, missing: string): boolean {
  const words = clauseWords[claim];
  if (words !== undefined) return missing === words;
  const [clause = "", member = "", ...names] = claim.split(".");
  const [name = "", type = ""] = names;
  switch (`${clause}.${member}`) {
    case "filters.operators":
    case "filters.superset":
      return [
        "filters",
        `${name} on ${type} columns`,
        `an exact ${name} on ${type} columns`,
      ].includes(missing);
    case "grouping.keys":
      return missing.startsWith(`groups by this ${name} column`);
    case "grouping.aggregations":
      return missing === `the aggregation ${name}`;
    case "grouping.levels":
      return missing === `the level ${name}`;
    case "expressions.functions":
      return missing === `the function ${name}` || missing === "derived columns";
    default:
      return missing === claim;
  }
}
