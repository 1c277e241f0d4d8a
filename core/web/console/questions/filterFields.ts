import { html, LitElement, type TemplateResult } from "lit";
import { rangeOfTest, testOfRange, type DateRange } from "../../embed/index.ts";
import type { Api } from "../api/index.ts";
import { readerZone, writeNumber } from "../language/index.ts";
import { define, selectField, textField } from "../parts/index.ts";
import { adoptStyles } from "../styles/index.ts";
import { nameOf, type ExploredColumn } from "./columns.ts";
import { DateRangeField } from "./dateRangeField.ts";
import type { Filter } from "./question.ts";
import { questionWords as words } from "./questionWords.ts";
import { filterStyles } from "./styles.ts";
import { ValueList } from "./valueList.ts";

/** What the form for a filter uses of a column. */
export type FilteredColumn = Pick<
  ExploredColumn,
  "id" | "name" | "type" | "subtype" | "minimum" | "maximum"
>;

/** A test as the form offers it: an expression such as `? >= ?`, or `range` for a range of dates. */
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
} as const satisfies Readonly<Record<ExploredColumn["type"], readonly string[]>>;

const takesList = (test: string) => test.endsWith("in ?");
const takesValue = (test: string) => !test.endsWith("null");

/** Tests that the form shows if a filter has them, although it does not offer them for texts. */
const shownTests = ["? = ?", "? != ?"];

/** Returns whether the form can show a filter of a column. A filter that it cannot show would look like another one. */
export function isFormFilter(filter: Filter, { type }: Pick<FilteredColumn, "type">): boolean {
  const { test, value } = filter;
  const offered: readonly string[] = testsOf[type];
  if (type === "datetime" && rangeOfTest(filter)) return true;
  const isShown = type === "hierarchy" && shownTests.includes(test);
  if (!isShown && !offered.includes(test)) return false;
  if (!takesValue(test)) return value === undefined || value === null;
  const isKind = (one: unknown) => typeof one === (type === "numeric" ? "number" : "string");
  if (takesList(test))
    return Array.isArray(value) && value.every((one) => one === null || isKind(one));
  if (test === "? between ?")
    return Array.isArray(value) && value.length === 2 && value.every(isKind);
  return isKind(value);
}

/**
 * The fields of a filter on a column: its test, and the value, the values or the range of dates. Properties: `api`,
 * `datasetId`, `column`, `filter` (the filter at first), `timezoneId` (whose days a range of dates has), `onChange`
 * (called with undefined while the filter is incomplete).
 */
export class FilterFields extends LitElement {
  static override properties = { test: { state: true } };
  declare api: Api;
  declare datasetId: string;
  declare column: FilteredColumn;
  declare filter: Filter | undefined;
  declare timezoneId: string | undefined;
  declare onChange: (filter: Filter | undefined) => void;
  declare private test: string;
  private tests: readonly string[] = [];
  private range: DateRange | undefined;
  private texts: string[] = [];
  private chosen = new Set<unknown>();

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-date-range", DateRangeField);
    define("console-value-list", ValueList);
    adoptStyles(filterStyles);
    const { column, filter } = this;
    const offered: readonly string[] = testsOf[column.type];
    this.range = filter && column.type === "datetime" ? rangeOfTest(filter) : undefined;
    this.test = this.range ? "range" : (filter?.test ?? offered[0] ?? "");
    this.tests = offered.includes(this.test) ? offered : [...offered, this.test];
    const ends: readonly unknown[] = Array.isArray(filter?.value) ? filter.value : [filter?.value];
    this.texts = ends.map((end) => writeValue(end, column));
    this.chosen = new Set(filter && takesList(this.test) ? ends : []);
  }

  /** The time zone whose days the filter has. Columns of days have no time zone. */
  private get zone(): { readonly isDay: boolean; readonly timezoneId: string } {
    const isDay = this.column.subtype === "date";
    return { isDay, timezoneId: isDay ? "UTC" : (this.timezoneId ?? readerZone) };
  }

  /** The filter; undefined while it is incomplete. */
  private get entered(): Filter | undefined {
    const { test, column, range, chosen } = this;
    const { id } = column;
    const value = (index: number) => readValue(this.texts[index] ?? "", column);
    if (!takesValue(test)) return { id, test };
    if (test === "range") return range && { id, ...testOfRange(range, this.zone) };
    if (takesList(test)) return chosen.size > 0 ? { id, test, value: [...chosen] } : undefined;
    const [first, last] = [value(0), value(1)];
    if (test === "? between ?")
      return first === undefined || last === undefined || first > last
        ? undefined
        : { id, test, value: [first, last] };
    return first === undefined ? undefined : { id, test, value: first };
  }

  private readonly change = (): void => this.onChange(this.entered);

  private renderText(index: number, label: string): TemplateResult {
    return textField({
      id: `filter-value-${this.column.id}-${index}`,
      label,
      value: this.texts[index] ?? "",
      hint: index === 0 ? rangeOf(this.column) : undefined,
      type: this.column.type === "numeric" ? "number" : "text",
      onInput: (text) => {
        this.texts[index] = text;
        this.change();
      },
    });
  }

  private renderValue(): TemplateResult | readonly TemplateResult[] | "" {
    const { test, column, api, datasetId } = this;
    if (!takesValue(test)) return "";
    if (test === "range")
      return html`<console-date-range
        .name=${nameOf(column)}
        .timezoneId=${this.zone.timezoneId}
        .value=${this.range}
        .onChange=${(next: DateRange | undefined) => {
          this.range = next;
          this.change();
        }}
      ></console-date-range>`;
    if (takesList(test))
      return html`<console-value-list
        .options=${{ api, datasetId, column }}
        .chosen=${this.chosen}
        .onChange=${this.change}
      ></console-value-list>`;
    if (test === "? between ?")
      return [this.renderText(0, words.atLeast), this.renderText(1, words.atMost)];
    return this.renderText(0, words.value);
  }

  protected override render(): TemplateResult {
    const { test, tests, column } = this;
    return html`${selectField({
      id: `filter-test-${column.id}`,
      label: words.test,
      value: test,
      choices: tests.map((each) => ({ value: each, label: words.tests[each] ?? each })),
      onSelect: (next) => {
        this.test = next;
        this.change();
      },
    })}
    ${this.renderValue()}`;
  }
}

/** Returns a hint with the minimum and maximum of a column. */
function rangeOf({ minimum, maximum }: FilteredColumn): string | undefined {
  if (typeof minimum !== "number" || typeof maximum !== "number") return undefined;
  return `${writeNumber(minimum)} – ${writeNumber(maximum)}`;
}

function writeValue(value: unknown, { type }: FilteredColumn): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return "";
  return type === "datetime" ? value.replace("T00:00:00.000Z", "") : value;
}

/** Parses a value for a column, depending on the type of the column; undefined if the value is invalid. */
function readValue(text: string, { type }: FilteredColumn): string | number | undefined {
  const given = text.trim();
  if (given === "") return undefined;
  if (type === "hierarchy") return given;
  if (type === "numeric") return Number.isFinite(Number(given)) ? Number(given) : undefined;
  const atMs = Date.parse(given);
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString();
}
