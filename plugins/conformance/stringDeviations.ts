import { compareValues } from "../meanings/index.ts";
import { comparesValues, isOf, isTest, isTextEquality } from "./concerns.ts";
import type { Deviation } from "./deviation.ts";

/** A way in which sources change strings before they compare them. */
interface Folding {
  readonly does: string;
  readonly sorts: string;
  fold(text: string): string;
  readonly isOnlyNamed?: true;
}

const withoutMarks = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "");

const foldings: readonly Folding[] = [
  {
    does: "ignores case when it compares strings",
    sorts: "ignores case when it sorts strings",
    fold: (text) => text.toLowerCase(),
  },
  {
    does: "ignores case when it compares strings",
    sorts: "ignores case when it sorts strings",
    fold: (text) => text.toUpperCase(),
    isOnlyNamed: true,
  },
  {
    does: "ignores the case of ASCII letters when it compares strings",
    sorts: "ignores the case of ASCII letters when it sorts strings",
    fold: (text) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
    isOnlyNamed: true,
  },
  {
    does: "ignores trailing spaces when it compares strings",
    sorts: "ignores trailing spaces when it sorts strings",
    fold: (text) => text.replace(/ +$/, ""),
  },
  {
    does: "trims strings before it compares them",
    sorts: "ignores surrounding spaces when it sorts strings",
    fold: (text) => text.trim(),
    isOnlyNamed: true,
  },
  {
    does: "ignores accents when it compares strings",
    sorts: "ignores accents when it sorts strings",
    fold: withoutMarks,
    isOnlyNamed: true,
  },
  {
    does: "ignores case and accents when it compares strings",
    sorts: "ignores case and accents when it sorts strings",
    fold: (text) => withoutMarks(text.toLowerCase()),
    isOnlyNamed: true,
  },
  {
    does: "ignores case and surrounding spaces when it compares strings",
    sorts: "ignores case and surrounding spaces when it sorts strings",
    fold: (text) => text.toLowerCase().trim(),
    isOnlyNamed: true,
  },
  {
    does: "normalizes Unicode before it compares strings",
    sorts: "normalizes Unicode before it sorts strings",
    fold: (text) => text.normalize("NFC"),
    isOnlyNamed: true,
  },
];

/** Known deviations in the comparison of whole strings. */
export const stringDeviations: readonly Deviation[] = [
  // The same words describe a plugin that folds in tests of equality only, and one that folds in all comparisons.
  ...foldings.map(({ does, fold, isOnlyNamed }): Deviation => ({
    does,
    semantics: { equalityKey: fold, answerKey: fold },
    concerns: isTextEquality,
    touches: comparesValues,
    limitedTo: "hierarchy",
    ...(isOnlyNamed && { isOnlyNamed }),
  })),
  ...foldings.map(({ does, fold }): Deviation => ({
    does,
    semantics: {
      equalityKey: fold,
      answerKey: fold,
      compareTexts: (one, other) => compareValues(fold(one), fold(other)),
    },
    concerns: (claim) => isTest(claim, /^[<>]=?$/, "hierarchy"),
    touches: comparesValues,
    limitedTo: "hierarchy",
    isOnlyNamed: true,
  })),
  ...foldings.map(({ sorts, fold }): Deviation => ({
    does: sorts,
    semantics: {
      answerKey: fold,
      compareTexts: (one, other) => compareValues(fold(one), fold(other)),
    },
    concerns: isOf("order"),
    touches: comparesValues,
    limitedTo: "hierarchy",
    isOnlyNamed: true,
  })),
];
