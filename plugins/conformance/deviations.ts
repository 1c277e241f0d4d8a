import { type Aggregation, operatorDefinitions, operators } from "../protocol/index.ts";
import type { Claim } from "./claims.ts";
import { functionDeviations } from "./functionDeviations.ts";
import type { Deviation } from "./deviation.ts";
import { pattern } from "./semantics.ts";

type Kind = Claim["kind"];

const isOf =
  (...kinds: readonly Kind[]) =>
  ({ kind }: Claim) =>
    kinds.includes(kind);

function isTest(claim: Claim, wanted: RegExp, type?: string): boolean {
  return claim.kind === "filter" && wanted.test(claim.operator) && (!type || claim.type === type);
}

const isTextEquality = (claim: Claim) =>
  isTest(claim, /^(=|!=|in|not in)$/, "hierarchy") ||
  (claim.kind === "key" && claim.type === "hierarchy");
const isTextSearch = (claim: Claim) =>
  claim.kind === "filter" &&
  claim.type === "hierarchy" &&
  operatorDefinitions[claim.operator].tests === "part";
const isAggregation =
  (...wanted: readonly Aggregation[]) =>
  (claim: Claim) =>
    claim.kind === "aggregation" && wanted.includes(claim.aggregation);

const collator = new Intl.Collator("en");
const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Escapes all special characters in a pattern except the wildcards of SQL. */
function likePattern(part: string): string {
  const pieces = Array.from(part, (letter) =>
    letter === "%" ? "[^]*" : letter === "_" ? "[^]" : RegExp.escape(letter),
  );
  return pieces.join("");
}

/** The known deviations. Of two similar deviations, the one that changes fewer answers comes first. */
export const deviations: readonly Deviation[] = [
  ...operators.map((operator): Deviation => ({
    does: `ignores the operator ${operator}`,
    semantics: { ignoredOperators: new Set([operator]) },
    concerns: (claim) =>
      claim.kind === "filter" && claim.operator === operator && !claim.isSuperset,
  })),
  {
    does: "ignores case in text comparisons",
    semantics: { equalityKey: (text) => text.toLowerCase() },
    concerns: isTextEquality,
  },
  {
    does: "ignores trailing spaces in text",
    semantics: { equalityKey: (text) => text.trimEnd() },
    concerns: isTextEquality,
  },
  {
    does: "folds the case of ASCII letters only",
    semantics: {
      matches: (operator, text, part) =>
        new RegExp(pattern(operator, RegExp.escape(asciiLower(part))), "u").test(asciiLower(text)),
    },
    concerns: isTextSearch,
  },
  {
    does: "matches parts of text case-sensitively",
    semantics: {
      matches: (operator, text, part) =>
        new RegExp(pattern(operator, RegExp.escape(part)), "u").test(text),
    },
    concerns: isTextSearch,
  },
  {
    does: "reads % and _ as wildcards",
    semantics: {
      matches: (operator, text, part) =>
        new RegExp(pattern(operator, likePattern(part)), "iu").test(text),
    },
    concerns: isTextSearch,
  },
  {
    does: "includes equal values in < and >",
    semantics: { rangesAreClosed: true },
    concerns: (claim) => isTest(claim, /^[<>]$/),
  },
  {
    does: "lets NaN pass >",
    semantics: { nanIsGreatest: true },
    concerns: (claim) => isTest(claim, /^>=?$/, "numeric"),
  },
  {
    does: "ignores null in lists",
    semantics: { listsWithoutNull: true },
    concerns: (claim) => isTest(claim, /^(not )?in$/),
  },
  {
    does: "acknowledges several filters and applies only the first",
    semantics: { firstFilterOnly: true },
    concerns: isOf("together"),
  },
  {
    does: "drops null under negative operators",
    semantics: { negativesPassNull: false },
    // "is not null" is the only negative operator that must drop null.
    concerns(claim) {
      if (claim.kind !== "filter") return false;
      const { complementOf, tests } = operatorDefinitions[claim.operator];
      return complementOf !== undefined && tests !== "null";
    },
  },
  { does: "treats or as and", semantics: { orIsAnd: true }, concerns: isOf("nested") },
  {
    does: "ignores levels in filters",
    semantics: { ignoresFilterLevels: true },
    concerns: isOf("filterLevels"),
  },
  {
    does: "ignores levels",
    semantics: { ignoresLevels: true },
    concerns: (claim) => claim.kind === "level" && claim.level !== "millisecond",
  },
  {
    does: "starts weeks on Sunday",
    semantics: { weekStart: 7 },
    concerns: (claim) => claim.kind === "level" && claim.level === "week",
  },
  {
    does: "truncates in UTC, whatever the time zone of the query",
    semantics: { offsets: "utc" },
    concerns: isOf("timezones"),
  },
  {
    does: "uses today's offset of a time zone for all instants",
    semantics: { offsets: "today" },
    concerns: isOf("timezones"),
  },
  {
    does: "omits the group of null",
    semantics: { groupsNulls: false },
    concerns: isOf("key"),
  },
  {
    does: "counts nulls",
    semantics: { countsNulls: true },
    concerns: isAggregation("count", "distinctcount"),
  },
  {
    does: "treats null as 0",
    semantics: { nullIsZero: true },
    concerns: isAggregation("average", "median", "percentile", "stddev"),
  },
  {
    does: "returns 0 for the sum of no values",
    semantics: { emptySumIsZero: true },
    concerns: isAggregation("sum"),
  },
  {
    does: "truncates averages to whole numbers",
    semantics: { cutsAverages: true },
    concerns: isAggregation("average"),
  },
  {
    does: "computes the population standard deviation",
    semantics: { populationDeviation: true },
    concerns: isAggregation("stddev"),
  },
  {
    does: "returns the lower of two middle values",
    semantics: { lowerPercentiles: true },
    concerns: isAggregation("median", "percentile"),
  },
  {
    does: "treats NaN as the greatest number",
    semantics: { nanIsGreatest: true },
    concerns: isAggregation("max"),
  },
  {
    does: "starts bins of negative numbers towards 0",
    semantics: { binsTowardsZero: true },
    concerns: isOf("bins"),
  },
  {
    does: "sorts text by the rules of a language",
    semantics: { compareTexts: (one, other) => collator.compare(one, other) },
    concerns: isOf("order"),
  },
  {
    does: "sorts text by UTF-16 code unit",
    semantics: { compareTexts: (one, other) => (one < other ? -1 : Number(one > other)) },
    concerns: () => false,
  },
  ...functionDeviations,
  {
    does: "omits rows without a joined row",
    semantics: { joinsInner: true },
    concerns: isOf("joins"),
  },
  {
    does: "ignores the filters of a join",
    semantics: { ignoresJoinFilters: true },
    concerns: isOf("joinFilters"),
  },
  { does: "ignores having", semantics: { ignoresHaving: true }, concerns: isOf("having") },
  { does: "sorts nulls first", semantics: { nullOrder: "first" }, concerns: isOf("order") },
  {
    does: "sorts null as the lowest value",
    semantics: { nullOrder: "least" },
    concerns: isOf("order"),
  },
  {
    does: "sorts null as the highest value",
    semantics: { nullOrder: "greatest" },
    concerns: isOf("order"),
  },
  { does: "ignores the order", semantics: { ignoresOrder: true }, concerns: isOf("order") },
  { does: "ignores the limit", semantics: { ignoresLimit: true }, concerns: isOf("limit") },
  { does: "ignores the offset", semantics: { ignoresOffset: true }, concerns: isOf("limit") },
  {
    does: "starts each page with the last row of the previous page",
    semantics: { pagesOverlap: true },
    concerns: isOf("limit"),
  },
  {
    does: "applies the limit before the order",
    semantics: { limits: "beforeOrder" },
    concerns: isOf("limit"),
  },
  {
    does: "applies the limit before the filters",
    semantics: { limits: "beforeFilters" },
    concerns: isOf("limit"),
  },
];
