import type { Query } from "../protocol/index.ts";
import { comparesValues, isOf, isTest } from "./concerns.ts";
import type { Deviation } from "./deviation.ts";

const collator = new Intl.Collator("en");
const isSorted = ({ order = [] }: Query): boolean => order.length > 0;

/** Known deviations in the order of rows. */
export const orderDeviations: readonly Deviation[] = [
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
  {
    does: "compares numbers as strings",
    semantics: {
      compareNumbers: (one, other) =>
        String(one) < String(other) ? -1 : Number(String(one) > String(other)),
    },
    concerns: (claim) => claim.kind === "order" || isTest(claim, /^[<>]=?$/, "numeric"),
    touches: comparesValues,
    isOnlyNamed: true,
  },
  {
    does: "sorts nulls first",
    semantics: { nullOrder: "first" },
    concerns: isOf("order"),
    touches: isSorted,
  },
  {
    does: "sorts null as the lowest value",
    semantics: { nullOrder: "least" },
    concerns: isOf("order"),
    touches: isSorted,
  },
  {
    does: "sorts null as the highest value",
    semantics: { nullOrder: "greatest" },
    concerns: isOf("order"),
    touches: isSorted,
  },
  {
    does: "ignores the order",
    semantics: { readOrder: () => [] },
    concerns: isOf("order"),
    touches: isSorted,
  },
  {
    does: "ignores the direction of the order",
    semantics: { readOrder: (order) => order.map((each) => ({ ...each, order: "asc" })) },
    concerns: isOf("order"),
    touches: isSorted,
    isOnlyNamed: true,
  },
  {
    does: "sorts in the opposite direction",
    semantics: {
      readOrder: (order) =>
        order.map((each) => ({ ...each, order: each.order === "asc" ? "desc" : "asc" })),
    },
    concerns: isOf("order"),
    touches: isSorted,
    isOnlyNamed: true,
  },
  {
    does: "sorts by the first key only",
    semantics: { readOrder: (order) => order.slice(0, 1) },
    concerns: isOf("order"),
    touches: isSorted,
    isOnlyNamed: true,
  },
];
