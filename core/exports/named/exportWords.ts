import type { RelativeWord } from "../../queries/index.ts";
import type { With } from "../../web/charts/index.ts";

/** The words of one language that files show in addition to data and pictures. */
export interface ExportWords {
  readonly page: With<"page"> & With<"count">;
  readonly filters: string;
  /** What separates the values of a list. */
  readonly comma: string;
  readonly and: string;
  readonly or: string;
  readonly none: string;
  /** Filters in words: the name of a column, and values. */
  readonly isNot: FilterText;
  readonly contains: FilterText;
  readonly lacks: FilterText;
  readonly startsWith: FilterText;
  readonly endsWith: FilterText;
  /** The period has a plural form of `Intl`, in the nominative. */
  readonly relative: Readonly<Record<RelativeWord, With<"period">>>;
}

type FilterText = With<"name"> & With<"values">;

/** The words of files in English. */
export const english: ExportWords = {
  page: "Page {page} of {count}",
  filters: "Filters",
  comma: ", ",
  and: "and",
  or: "or",
  none: "(none)",
  isNot: "{name}: not {values}",
  contains: "{name} contains {values}",
  lacks: "{name} does not contain {values}",
  startsWith: "{name} starts with {values}",
  endsWith: "{name} ends with {values}",
  relative: {
    last_now: "last {period}",
    last_available: "last {period} with data",
    next_now: "next {period}",
    ago: "{period} ago",
    more_than_ago: "more than {period} ago",
    or_more_ago: "{period} ago or earlier",
    last_completed: "last {period}, complete",
    next_full: "next {period}, complete",
    to_date: "{period} to date",
  },
};
