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

/** Escapes all of a part but the wildcards of SQL. */
function likePattern(part: string): string {
  const pieces = Array.from(part, (letter) =>
    letter === "%" ? "[^]*" : letter === "_" ? "[^]" : RegExp.escape(letter),
  );
  return pieces.join("");
}

/** The known deviations; of two, the one that changes fewer answers comes first. */
export const deviations: readonly Deviation[] = [
  ...operators.map((operator): Deviation => ({
    does: `ignores the operator ${operator}`,
    semantics: { ignoredOperators: new Set([operator]) },
    concerns: (claim) =>
      claim.kind === "filter" && claim.operator === operator && !claim.isSuperset,
  })),
  {
    does: "compares texts without case",
    semantics: { equalityKey: (text) => text.toLowerCase() },
    concerns: isTextEquality,
  },
  {
    does: "ignores spaces at the end of texts",
    semantics: { equalityKey: (text) => text.trimEnd() },
    concerns: isTextEquality,
  },
  {
    does: "folds the case of ASCII letters alone",
    semantics: {
      matches: (operator, text, part) =>
        new RegExp(pattern(operator, RegExp.escape(asciiLower(part))), "u").test(asciiLower(text)),
    },
    concerns: isTextSearch,
  },
  {
    does: "looks for parts of texts with case",
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
    does: "passes equal values in < and >",
    semantics: { rangesAreClosed: true },
    concerns: (claim) => isTest(claim, /^[<>]$/),
  },
  {
    does: "passes NaN under >",
    semantics: { nanIsGreatest: true },
    concerns: (claim) => isTest(claim, /^>=?$/, "numeric"),
  },
  {
    does: "ignores null in lists",
    semantics: { listsWithoutNull: true },
    concerns: (claim) => isTest(claim, /^(not )?in$/),
  },
  {
    does: "acknowledges several filters and applies the first alone",
    semantics: { firstFilterOnly: true },
    concerns: isOf("together"),
  },
  {
    does: "drops null under negative operators",
    semantics: { negativesPassNull: false },
    // A null is what "is not null" tests.
    concerns(claim) {
      if (claim.kind !== "filter") return false;
      const { complementOf, tests } = operatorDefinitions[claim.operator];
      return complementOf !== undefined && tests !== "null";
    },
  },
  { does: "reads or as and", semantics: { orIsAnd: true }, concerns: isOf("nested") },
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
    does: "truncates in UTC, whatever time zone is asked",
    semantics: { offsets: "utc" },
    concerns: isOf("timezones"),
  },
  {
    does: "uses today's offset of a time zone for all instants",
    semantics: { offsets: "today" },
    concerns: isOf("timezones"),
  },
  {
    does: "leaves out the group of null",
    semantics: { groupsNulls: false },
    concerns: isOf("key"),
  },
  {
    does: "counts nulls",
    semantics: { countsNulls: true },
    concerns: isAggregation("count", "distinctcount"),
  },
  {
    does: "takes null as 0",
    semantics: { nullIsZero: true },
    concerns: isAggregation("average", "median", "percentile", "stddev"),
  },
  {
    does: "answers 0 for the sum of no values",
    semantics: { emptySumIsZero: true },
    concerns: isAggregation("sum"),
  },
  {
    does: "cuts averages to whole numbers",
    semantics: { cutsAverages: true },
    concerns: isAggregation("average"),
  },
  {
    does: "computes the deviation of the population",
    semantics: { populationDeviation: true },
    concerns: isAggregation("stddev"),
  },
  {
    does: "takes the lower of two middle values",
    semantics: { lowerPercentiles: true },
    concerns: isAggregation("median", "percentile"),
  },
  {
    does: "takes NaN as the greatest number",
    semantics: { nanIsGreatest: true },
    concerns: isAggregation("max"),
  },
  {
    does: "starts bins of negative numbers towards 0",
    semantics: { binsTowardsZero: true },
    concerns: isOf("bins"),
  },
  {
    does: "sorts texts as a language does",
    semantics: { compareTexts: (one, other) => collator.compare(one, other) },
    concerns: isOf("order"),
  },
  {
    does: "sorts texts by units of UTF-16",
    semantics: { compareTexts: (one, other) => (one < other ? -1 : Number(one > other)) },
    concerns: () => false,
  },
  ...functionDeviations,
  {
    does: "leaves out rows that meet no joined row",
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
    does: "sorts null as the least value",
    semantics: { nullOrder: "least" },
    concerns: isOf("order"),
  },
  {
    does: "sorts null as the greatest value",
    semantics: { nullOrder: "greatest" },
    concerns: isOf("order"),
  },
  { does: "ignores the order", semantics: { ignoresOrder: true }, concerns: isOf("order") },
  { does: "ignores the limit", semantics: { ignoresLimit: true }, concerns: isOf("limit") },
  { does: "ignores the offset", semantics: { ignoresOffset: true }, concerns: isOf("limit") },
  {
    does: "starts a page with the last row of the page before",
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
