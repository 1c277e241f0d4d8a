import {
  type Aggregation,
  type Filter,
  operatorDefinitions,
  type Query,
} from "../protocol/index.ts";
import { leaves } from "../protocol/index.ts";
import type { Claim } from "./claims.ts";

type Concerns = (claim: Claim) => boolean;

/** Returns a function that recognizes claims of any of the given kinds. */
export const isOf =
  (...kinds: readonly Claim["kind"][]): Concerns =>
  ({ kind }) =>
    kinds.includes(kind);

/** Returns whether a claim is about an operator whose name matches `wanted`, on columns of the given type. */
export function isTest(claim: Claim, wanted: RegExp, type?: string): boolean {
  return claim.kind === "filter" && wanted.test(claim.operator) && (!type || claim.type === type);
}

/** Returns whether a claim is about the equality of strings. */
export const isTextEquality: Concerns = (claim) =>
  isTest(claim, /^(=|!=|in|not in)$/, "hierarchy") ||
  (claim.kind === "key" && claim.type === "hierarchy");

/** Returns whether a claim is about an operator that searches for a part of a string. */
export const isTextSearch: Concerns = (claim) =>
  claim.kind === "filter" &&
  claim.type === "hierarchy" &&
  operatorDefinitions[claim.operator].tests === "part";

/** Returns a function that recognizes claims about any of the given aggregations. */
export const isAggregation =
  (...wanted: readonly Aggregation[]): Concerns =>
  (claim) =>
    claim.kind === "aggregation" && wanted.includes(claim.aggregation);

/** Lists the row filters of a query, including the filters of its joins. */
function filtersOf({ filters, joins = [] }: Query): readonly Filter[] {
  return [...filters, ...joins.flatMap((join) => join.filters ?? [])];
}

/** Returns whether a query filters rows or groups. */
export const hasTests = (query: Query): boolean =>
  filtersOf(query).length > 0 || (query.having ?? []).length > 0;

/** Returns whether a query compares values: to filter, group, join or sort rows. */
export const comparesValues = (query: Query): boolean =>
  hasTests(query) ||
  query.options.pushdown ||
  (query.order ?? []).length > 0 ||
  (query.joins ?? []).length > 0 ||
  (query.derived ?? []).length > 0;

/** Returns whether a query tests rows or groups with an operator whose name matches `wanted`. */
export const hasOperator =
  (wanted: RegExp) =>
  (query: Query): boolean =>
    filtersOf(query).some((filter) =>
      leaves(filter).some(({ expression }) => wanted.test(expression)),
    ) ||
    (query.having ?? []).some((tree) =>
      leaves(tree).some(({ expression }) => wanted.test(expression)),
    );

/** Returns whether a query truncates datetimes. */
export const hasLevels = (query: Query): boolean =>
  query.columns.some(({ level }) => level !== undefined) ||
  filtersOf(query).some((filter) => leaves(filter).some(({ level }) => level !== undefined));

/** Returns a function that recognizes queries that use at least one of the given aggregations. */
export const hasAggregation =
  (...wanted: readonly Aggregation[]) =>
  ({ columns }: Query): boolean =>
    columns.some(({ aggregation }) => aggregation !== undefined && wanted.includes(aggregation));
