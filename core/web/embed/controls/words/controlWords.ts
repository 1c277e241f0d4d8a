import type { NamedComparison, RelativeKey, With, Plural } from "../../../charts/index.ts";

/** Words that depend on the plural category of a count. */
export type Forms = { readonly other: string } & Partial<Omit<Plural, "other">>;

/** A range of several periods. Languages whose adjectives depend on the gender of the unit have two sentences. */
export type RangeForms =
  | PeriodForms
  | { readonly masculine: PeriodForms; readonly feminine: PeriodForms };

/** A sentence with `{count}` and `{unit}`. The forms for one and two may leave out the count. */
export type PeriodForms = { readonly other: With<"count"> & With<"unit"> } & Readonly<
  Partial<Record<Exclude<Intl.LDMLPluralRule, "other">, With<"unit">>>
>;

/** The words of controls in one language. Lists of units begin with the year, and end with the second. */
export interface ControlWords {
  readonly apply: string;
  readonly choose: string;
  readonly noMatch: string;
  readonly shownOf: With<"shown"> & With<"count">;
  readonly notOnHost: string;
  readonly allDates: string;
  readonly custom: string;
  readonly last: string;
  readonly number: string;
  readonly unit: string;
  readonly isComplete: string;
  readonly earlierMonth: string;
  readonly laterMonth: string;
  readonly badDay: With<"example">;
  readonly badOrder: string;
  readonly weekFrom: With<"range"> & With<"day">;
  readonly compare: string;
  readonly compareWith: Readonly<Record<NamedComparison, string>>;
  /** The choice of a comparison with as many days from a day on. */
  readonly compareDays: string;
  readonly compareFrom: string;
  readonly comparedDays: With<"range">;
  readonly compareNeedsDays: string;
  readonly compareEarlier: string;
  readonly units: PerUnit<Forms>;
  /** The units in sentences with "ago", where their case differs; otherwise empty. */
  readonly unitsAgo: PerUnit<Forms> | readonly [];
  /** The levels of units whose names are feminine. Read only for sentences with two genders. */
  readonly feminine: readonly number[];
  readonly current: PerUnit<string>;
  readonly previous: PerUnit<string>;
  readonly toDate: PerUnit<string>;
  readonly ranges: Readonly<Record<Exclude<RelativeKey, "to_date">, RangeForms>>;
}

/** One word for each datetime level: year, quarter, month, week, day, hour, minute, second. */
export type PerUnit<Word> = readonly [Word, Word, Word, Word, Word, Word, Word, Word];

/** The words of controls in English, which load with the controls. */
export const english: ControlWords = {
  apply: "Apply",
  choose: "Select a range",
  noMatch: "No values match",
  shownOf: "{shown} of {count} values; type to find others",
  notOnHost: "The search covers only the values in this list",
  allDates: "All dates",
  custom: "Custom range",
  last: "Last",
  number: "Number of periods",
  unit: "Unit",
  isComplete: "Only complete periods",
  earlierMonth: "Previous month",
  laterMonth: "Next month",
  badDay: "Enter a date such as {example}",
  badOrder: "The first day must not be after the last day",
  weekFrom: "{range} (from {day})",
  compare: "Compare with",
  compareWith: { none: "nothing", period: "the previous period", year: "one year earlier" },
  compareDays: "as many days from a date",
  compareFrom: "From",
  comparedDays: "Compared with {range}",
  compareNeedsDays: "Choose a first and a last day above to compare them with other days",
  compareEarlier: "Choose a day before the first day of the range",
  units: [
    { one: "year", other: "years" },
    { one: "quarter", other: "quarters" },
    { one: "month", other: "months" },
    { one: "week", other: "weeks" },
    { one: "day", other: "days" },
    { one: "hour", other: "hours" },
    { one: "minute", other: "minutes" },
    { one: "second", other: "seconds" },
  ],
  unitsAgo: [],
  feminine: [],
  current: [
    "This year",
    "This quarter",
    "This month",
    "This week",
    "Today",
    "This hour",
    "This minute",
    "This second",
  ],
  previous: [
    "Last year",
    "Last quarter",
    "Last month",
    "Last week",
    "Yesterday",
    "Last hour",
    "Last minute",
    "Last second",
  ],
  toDate: [
    "Year to date",
    "Quarter to date",
    "Month to date",
    "Week to date",
    "Today so far",
    "This hour so far",
    "This minute so far",
    "This second so far",
  ],
  ranges: {
    last_now: { other: "Last {count} {unit}" },
    last_completed: { other: "Last {count} complete {unit}" },
    last_available: { other: "Last {count} {unit} with data" },
    ago: { other: "{count} {unit} ago" },
    next_now: { other: "Next {count} {unit}" },
    next_full: { other: "Next {count} complete {unit}" },
    more_than_ago: { other: "More than {count} {unit} ago" },
    or_more_ago: { other: "{count} {unit} ago or earlier" },
  },
};
