import { html, type TemplateResult } from "lit";
import { rangeOfTest, testOfRange, type DateRange } from "../../embed/index.ts";
import type { Api } from "../api/index.ts";
import { readerZone, writeNumber } from "../language/index.ts";
import { define, openDialog, selectField, textField, type OpenDialog } from "../parts/index.ts";
import { adoptStyles } from "../styles/index.ts";
import { nameOf, type ExploredColumn } from "./columns.ts";
import { DateRangeField } from "./dateRangeField.ts";
import type { Filter } from "./question.ts";
import { filterStyles } from "./styles.ts";
import { ValueList } from "./valueList.ts";
import { questionWords as words } from "./questionWords.ts";

export interface FilterOptions {
  readonly api: Api;
  readonly datasetId: string;
  readonly column: ExploredColumn;
  /** The filter to edit; absent for a new filter. */
  readonly filter?: Filter | undefined;
}

const testsOf = {
  hierarchy: ["? in ?", "? not in ?", "? like ?", "? is null", "? is not null"],
  numeric: [
    "? between ?",
    "? >= ?",
    "? <= ?",
    "? > ?",
    "? < ?",
    "? = ?",
    "? != ?",
    "? is null",
    "? is not null",
  ],
  datetime: ["range", "? is null", "? is not null"],
} as const;

const takesList = (test: string) => test.endsWith("in ?");
const takesValue = (test: string) => !test.endsWith("null");

/** Opens the form for a filter on a column, with its values as suggestions. Undefined if the reader closes it. */
export function openFilter(options: FilterOptions): Promise<Filter | undefined> {
  const { column, filter } = options;
  define("console-date-range", DateRangeField);
  define("console-value-list", ValueList);
  adoptStyles(filterStyles);
  const isDay = column.subtype === "date";
  const timezoneId = isDay ? "UTC" : readerZone;
  const offered: readonly string[] = testsOf[column.type];
  let range = filter && column.type === "datetime" ? rangeOfTest(filter) : undefined;
  let test = range ? "range" : (filter?.test ?? offered[0]!);
  const tests = offered.includes(test) ? offered : [...offered, test];
  const ends: unknown[] = Array.isArray(filter?.value) ? filter.value : [filter?.value];
  const texts = ends.map((end) => writeValue(end, column));
  const chosen = new Set<unknown>(filter && takesList(test) ? ends : []);
  const value = (index: number) => readValue(texts[index] ?? "", column);
  const read = (): Filter | undefined => {
    const { id } = column;
    if (!takesValue(test)) return { id, test };
    if (test === "range") return range && { id, ...testOfRange(range, { isDay, timezoneId }) };
    if (takesList(test)) return chosen.size > 0 ? { id, test, value: [...chosen] } : undefined;
    const [first, last] = [value(0), value(1)];
    if (test === "? between ?")
      return first === undefined || last === undefined || first > last
        ? undefined
        : { id, test, value: [first, last] };
    return first === undefined ? undefined : { id, test, value: first };
  };
  const field = (dialog: OpenDialog<Filter>, index: number, label: string) =>
    textField({
      id: `filter-value-${index}`,
      label,
      value: texts[index] ?? "",
      hint: index === 0 ? rangeOf(column) : undefined,
      type: column.type === "numeric" ? "number" : "text",
      onInput: (text) => {
        texts[index] = text;
        dialog.redraw();
      },
    });
  const fields = (dialog: OpenDialog<Filter>): TemplateResult | TemplateResult[] | "" => {
    if (!takesValue(test)) return "";
    if (test === "range")
      return html`<console-date-range
        .name=${nameOf(column)}
        .timezoneId=${timezoneId}
        .value=${range}
        .onChange=${(next: DateRange | undefined) => {
          range = next;
          dialog.redraw();
        }}
      ></console-date-range>`;
    if (takesList(test))
      return html`<console-value-list
        .options=${options}
        .chosen=${chosen}
        .onChange=${() => dialog.redraw()}
      ></console-value-list>`;
    if (test === "? between ?")
      return [field(dialog, 0, words.atLeast), field(dialog, 1, words.atMost)];
    return field(dialog, 0, words.value);
  };
  return openDialog<Filter>({
    title: words.filterTitle(nameOf(column)),
    body: (dialog) =>
      html`${selectField({
        id: "filter-test",
        label: words.test,
        value: test,
        choices: tests.map((each) => ({ value: each, label: words.tests[each] ?? each })),
        onSelect: (next) => {
          test = next;
          dialog.redraw();
        },
      })}
      ${fields(dialog)}`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
        <button
          class="button primary"
          ?disabled=${read() === undefined}
          @click=${() => dialog.close(read())}
        >
          ${words.apply}
        </button>`,
  });
}

/** Returns a hint with the minimum and maximum of a column. */
function rangeOf({ minimum, maximum }: ExploredColumn): string | undefined {
  if (typeof minimum !== "number" || typeof maximum !== "number") return undefined;
  return `${writeNumber(minimum)} – ${writeNumber(maximum)}`;
}

function writeValue(value: unknown, { type }: ExploredColumn): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return "";
  return type === "datetime" ? value.replace("T00:00:00.000Z", "") : value;
}

/** Parses a value for a column, depending on the type of the column; undefined if the value is invalid. */
function readValue(text: string, { type }: ExploredColumn): string | number | undefined {
  const given = text.trim();
  if (given === "") return undefined;
  if (type === "hierarchy") return given;
  if (type === "numeric") return Number.isFinite(Number(given)) ? Number(given) : undefined;
  const atMs = Date.parse(given);
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString();
}
