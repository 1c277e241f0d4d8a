import type { TemplateResult } from "lit";
import { isNumberFormat, readColumns, type ChartCell, type SlotField } from "../../charts/index.ts";
import { readerLocale, readerZone } from "../language/index.ts";
import { textField } from "../parts/index.ts";
import { questionWords as words } from "./questionWords.ts";

export interface FormatFieldOptions {
  readonly id: string;
  readonly label: string;
  readonly type: "numeric" | "datetime";
  readonly subtype?: string | null | undefined;
  readonly value: string;
  /** A value of the column; absent to use a fixed sample. */
  readonly sample?: unknown;
  onInput(format: string): void;
}

/** A field for a number or date format, with an example formatted as in charts and in the reader's language. */
export function formatField(options: FormatFieldOptions): TemplateResult {
  const { id, label, type, value, onInput } = options;
  const isNumber = type === "numeric";
  const example = writeExample(options);
  const hint = `${isNumber ? words.numberFormatHint : words.dateFormatHint} ${words.example(example)}`;
  return textField({ id, label, value, hint, wrong: mistakeIn(type, value), onInput });
}

function mistakeIn(type: FormatFieldOptions["type"], format: string): string | undefined {
  if (format === "") return undefined;
  if (type === "numeric") return isNumberFormat(format) ? undefined : words.noNumberFormat;
  return format.includes("%") ? undefined : words.noDateFormat;
}

/** Formats the sample in the same way as charts. */
export function writeExample({
  type,
  subtype,
  value,
  sample,
  currency,
}: Pick<FormatFieldOptions, "type" | "subtype" | "value" | "sample"> & {
  readonly currency?: string;
}): string {
  const field: SlotField = {
    slot: "",
    type,
    ...(subtype && { subtype }),
    ...(value !== "" && { format: value }),
    ...(currency !== undefined && { currency }),
  };
  const [column] = readColumns({
    fields: [field],
    localeId: readerLocale,
    timezoneId: readerZone,
  });
  const usual: ChartCell = type === "numeric" ? 1234.567 : "2026-01-31T14:05:09.000Z";
  const fits = typeof sample === (type === "numeric" ? "number" : "string");
  const isCell = (cell: unknown): cell is ChartCell => fits && cell !== undefined;
  return column?.text(isCell(sample) ? sample : usual) ?? "";
}
