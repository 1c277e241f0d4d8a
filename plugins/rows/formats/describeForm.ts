import type { DataType } from "../../protocol/index.ts";
import type { DateKind, DateOrder } from "../readDate.ts";
import type { Thousands } from "../readNumber.ts";
import type { ValueForms } from "../readValue.ts";

export interface DescribedForm {
  readonly type: DataType;
  readonly forms: ValueForms;
  /** The kinds of dates that were seen. */
  readonly kinds: ReadonlySet<DateKind>;
  readonly isTimed: boolean;
  /** Whether negative numbers are in parentheses. */
  readonly isParenthesized: boolean;
}

const orderNames = {
  YMD: "year/month/day",
  DMY: "day/month/year",
  MDY: "month/day/year",
} as const satisfies Record<DateOrder, string>;

const kindNames = {
  iso: "ISO 8601",
  year: "year/month/day",
  name: "month names",
  numbers: "numbers",
} as const satisfies Record<DateKind, string>;

const thousandsNames = {
  none: "",
  comma: "commas",
  point: "points",
  space: "spaces",
  apostrophe: "apostrophes",
} as const satisfies Record<Thousands, string>;

/** Describes the form of a column's values for people, such as `dates as day/month/year`. */
export function describeForm({
  type,
  forms,
  kinds,
  isTimed,
  isParenthesized,
}: DescribedForm): string {
  switch (type) {
    case "hierarchy":
      return forms.reading === "boolean" ? "true or false" : "text";
    case "numeric":
      return describeNumbers(forms, isParenthesized);
    case "datetime": {
      const what = isTimed ? "dates and times" : "dates";
      const zone = isTimed && forms.timeZone !== undefined ? ` in ${forms.timeZone}` : "";
      if (forms.format !== undefined) return `${what} as ${forms.format}${zone}`;
      const names = [...kinds].map((kind) =>
        kind === "numbers" && forms.dates ? orderNames[forms.dates] : kindNames[kind],
      );
      const order = forms.dates && kinds.size === 0 ? [orderNames[forms.dates]] : [];
      const ways = [...new Set([...names, ...order])].join(" or ");
      return ways === "" ? `${what}${zone}` : `${what} as ${ways}${zone}`;
    }
    default:
      return type satisfies never;
  }
}

function describeNumbers(
  { reading, decimalComma, thousands = "none", unit }: ValueForms,
  isParenthesized: boolean,
): string {
  if (reading === "duration") return "durations in seconds";
  const marks = [
    ...(decimalComma === true ? ["a decimal comma"] : []),
    ...(thousands === "none" ? [] : [`${thousandsNames[thousands]} between thousands`]),
    ...(isParenthesized ? ["negative numbers in parentheses"] : []),
  ];
  const what =
    unit === "%"
      ? "percentages, 12% as 0.12"
      : unit === undefined
        ? "numbers"
        : `numbers in ${unit}`;
  return marks.length === 0 ? what : `${what} with ${marks.join(" and ")}`;
}
