import { rangeOfTest, rangeText } from "../../embed/index.ts";
import { readerLocale, readerZone, writeNumber } from "../language/index.ts";
import type { Filter } from "./question.ts";
import { questionWords as words } from "./questionWords.ts";

export interface DescribeOptions {
  /**
   * Writes values that are text.
   *
   * @default leaves them as they are
   */
  writeText?(text: string): string;
  /**
   * The time zone whose days are written.
   *
   * @default the reader's time zone
   */
  readonly timezoneId?: string;
}

/** Describes a filter briefly: the column's name, the operator and the value. */
export function describeFilter(
  filter: Filter,
  columnName: string,
  { writeText = (text) => text, timezoneId = readerZone }: DescribeOptions = {},
): string {
  const describeOne = (one: unknown): string => {
    if (one === null) return words.none;
    return typeof one === "number" ? writeNumber(one) : writeText(String(one));
  };
  const { test, value } = filter;
  const range = rangeOfTest(filter);
  if (range) return words.labelled(columnName, rangeText(range, readerLocale, timezoneId));
  const given =
    test === "? between ?" && Array.isArray(value)
      ? new Intl.ListFormat(readerLocale).format(value.map(describeOne))
      : describeValue(value, describeOne);
  return `${columnName} ${words.tests[test] ?? test} ${given}`.trim();
}

function describeValue(value: unknown, describeOne: (one: unknown) => string): string {
  if (value === undefined) return "";
  if (!Array.isArray(value)) return describeOne(value);
  const shown = value.slice(0, 2).map(describeOne);
  return value.length > 2 ? `${shown.join(", ")} +${value.length - 2}` : shown.join(", ");
}
