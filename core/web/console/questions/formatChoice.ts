import { html, nothing, type TemplateResult } from "lit";
import { selectField, textField } from "../parts/index.ts";
import { formatField, writeExample } from "./formatField.ts";
import { questionWords as words } from "./questionWords.ts";

/** A format of numbers or dates as columns store it. */
export interface ChosenFormat {
  /** A D3 format; "" for the automatic one. */
  readonly format: string;
  /** An ISO 4217 code; "" for no currency. */
  readonly currency: string;
}

export interface FormatChoiceOptions extends ChosenFormat {
  readonly id: string;
  readonly label: string;
  readonly type: "numeric" | "datetime";
  readonly subtype?: string | null | undefined;
  /** Datetime level of the column: from 1 (year) to 9 (millisecond). Absent: single instants or days. */
  readonly level?: number | undefined;
  onChange(format: ChosenFormat, step?: string): void;
}

/** A share of about an eighth, as percentages show it. */
const share = 0.1234;
const currencies = ["EUR", "USD", "GBP"];

const numbers: readonly ChosenFormat[] = [
  ...[",.0f", ",.1f", ",.2f", ".0%", ".1%", ".3s", "+,.1f"].map((format) => ({
    format,
    currency: "",
  })),
  ...currencies.flatMap((currency) => [
    { format: ",.0f", currency },
    { format: ",.2f", currency },
  ]),
];

/** Formats of dates by the smallest unit that they show, as a datetime level. */
const dates: Readonly<Partial<Record<number, readonly string[]>>> = {
  1: ["%Y"],
  2: ["Q%q %Y", "%Y Q%q"],
  3: ["%b %Y", "%B %Y", "%m/%Y", "%Y-%m"],
  5: ["%-d %b %Y", "%b %-d, %Y", "%d/%m/%Y", "%m/%d/%Y", "%Y-%m-%d", "%a %-d %b"],
  6: ["%-d %b %Y %H:%M", "%Y-%m-%d %H:%M"],
};
const levelOfDays = 5;
const levelOfHours = 6;

/** Fields whose reader chose "Custom", by id. An example closes them again. */
const opened = new Set<string>();

/**
 * A field in which the reader chooses a format by an example. A stored format that is not offered is an example, too.
 * "Custom" offers every D3 format.
 */
export function formatChoice(options: FormatChoiceOptions): TemplateResult {
  const { id, label, type, subtype, format, currency, onChange } = options;
  const isNumber = type === "numeric";
  const usual = isNumber
    ? numbers
    : datesAt(options).map((each) => ({ format: each, currency: "" }));
  const isAutomatic = format === "" && currency === "";
  const isSame = (each: ChosenFormat) => each.format === format && each.currency === currency;
  const offered = isAutomatic || usual.some(isSame) ? usual : [{ format, currency }, ...usual];
  const isCustom = opened.has(id);
  const exampleOf = (each: ChosenFormat) =>
    writeExample({
      type,
      subtype,
      value: each.format,
      ...(each.currency !== "" && { currency: each.currency }),
      ...(each.format.endsWith("%") && isNumber && { sample: share }),
    });
  const examples = offered.map(exampleOf);
  return html`${selectField({
    id,
    label,
    value: isCustom ? "custom" : isAutomatic ? "" : String(offered.findIndex(isSame)),
    choices: [
      { value: "", label: words.automaticFormat },
      ...examples.map((example, index) => ({
        value: String(index),
        // Two formats can write the same example.
        label:
          examples.indexOf(example) === index
            ? example
            : `${example} (${offered[index]?.format ?? ""})`,
      })),
      { value: "custom", label: words.customFormat },
    ],
    onSelect: (chosen) => {
      if (chosen === "custom") opened.add(id);
      else opened.delete(id);
      if (chosen === "custom") onChange({ format, currency });
      else onChange(offered[Number(chosen || "-1")] ?? { format: "", currency: "" });
    },
  })}
  ${isCustom ? customFields(options) : nothing}`;
}

/** Fields for every D3 format, and for the currency of numbers. */
function customFields(options: FormatChoiceOptions): TemplateResult {
  const { id, label, type, subtype, format, currency, onChange } = options;
  return html`<div class="stack custom-format">
    ${formatField({
      id: `${id}-custom`,
      label: words.customFormatOf(label),
      type,
      subtype,
      value: format,
      onInput: (text) => onChange({ format: text, currency }, "format"),
    })}
    ${
      type === "numeric"
        ? textField({
            id: `${id}-currency`,
            label: words.currency,
            hint: words.currencyHint,
            value: currency,
            onInput: (text) =>
              onChange({ format, currency: text.trim().toUpperCase() }, "currency"),
          })
        : nothing
    }
  </div>`;
}

function datesAt({ level, subtype }: FormatChoiceOptions): readonly string[] {
  if (level !== undefined && level > 0) {
    // Weeks are written as their first day, and smaller units than hours as hours are.
    const unit = level === levelOfDays - 1 ? levelOfDays : Math.min(level, levelOfHours);
    return dates[unit] ?? [];
  }
  const days = dates[levelOfDays] ?? [];
  return subtype === "date" ? days : [...days, ...(dates[levelOfHours] ?? [])];
}
