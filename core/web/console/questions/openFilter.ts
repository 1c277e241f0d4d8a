import { html, type TemplateResult } from "lit";
import { messageOf, type Api } from "../api/index.ts";
import { writeNumber } from "../language/index.ts";
import { elementOf, openDialog, selectField, textField, type OpenDialog } from "../parts/index.ts";
import { nameOf, type ExploredColumn } from "./columns.ts";
import type { Filter } from "./question.ts";
import { questionWords as words } from "./words.ts";

export interface FilterOptions {
  readonly api: Api;
  readonly datasetId: string;
  readonly column: ExploredColumn;
  /** The filter to edit; absent for a new filter. */
  readonly filter?: Filter | undefined;
}

/** A value of a column with its number of rows. */
export interface Suggestion {
  readonly value: string | null;
  readonly count: number;
}

const testsOf = {
  hierarchy: ["? in ?", "? not in ?", "? like ?", "? is null", "? is not null"],
  numeric: ["? >= ?", "? <= ?", "? > ?", "? < ?", "? = ?", "? != ?", "? is null", "? is not null"],
  datetime: ["? >= ?", "? < ?", "? is null", "? is not null"],
} as const;

const suggestedCount = 200;
const waitMs = 150;
const takesList = (test: string) => test.endsWith("in ?");
const takesValue = (test: string) => !test.endsWith("null");

/** Opens the form for a filter on a column, with its values as suggestions. Undefined if the reader closes it. */
export function openFilter(options: FilterOptions): Promise<Filter | undefined> {
  const { api, datasetId, column, filter } = options;
  const tests: readonly string[] = testsOf[column.type];
  let test = filter?.test ?? tests[0]!;
  let text = takesList(test) ? "" : writeValue(filter?.value, column);
  const chosen = new Set<unknown>(Array.isArray(filter?.value) ? filter.value : []);
  let [suggestions, search, failure]: [readonly Suggestion[] | undefined, string, string] = [
    undefined,
    "",
    "",
  ];
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const suggest = async (dialog: OpenDialog<Filter>) => {
    const searched = search;
    try {
      const found = await readValues(api, datasetId, column.id, searched);
      if (searched === search) [suggestions, failure] = [found, ""];
    } catch (reason) {
      failure = messageOf(reason);
    }
    dialog.redraw();
  };
  const type = (value: string, dialog: OpenDialog<Filter>) => {
    search = value;
    clearTimeout(waiting);
    waiting = setTimeout(() => void suggest(dialog), waitMs);
  };
  const read = (): Filter | undefined => {
    if (!takesValue(test)) return { id: column.id, test };
    if (takesList(test))
      return chosen.size > 0 ? { id: column.id, test, value: [...chosen] } : undefined;
    const value = readValue(text, column);
    return value === undefined ? undefined : { id: column.id, test, value };
  };
  let isAsked = false;
  const list = (dialog: OpenDialog<Filter>): TemplateResult => {
    if (!isAsked) {
      isAsked = true;
      void suggest(dialog);
    }
    return html`<input
        class="input"
        type="search"
        aria-label=${words.searchValues}
        placeholder=${words.searchValues}
        @input=${(event: Event) => type(elementOf(event.target, HTMLInputElement).value, dialog)}
      />
      ${failure ? html`<p class="failure" role="alert">${failure}</p>` : ""}
      <div class="values" role="group" aria-label=${words.values}>
        ${(suggestions ?? []).map(
          ({ value, count }) =>
            html`<label class="value">
              <input
                type="checkbox"
                .checked=${chosen.has(value)}
                @change=${(event: Event) => {
                  if (elementOf(event.target, HTMLInputElement).checked) chosen.add(value);
                  else chosen.delete(value);
                  dialog.redraw();
                }}
              />
              <span class="grow truncate">${value ?? words.none}</span>
              <span class="muted small">${writeNumber(count)}</span>
            </label>`,
        )}
        ${suggestions?.length === 0 ? html`<p class="muted">${words.noValues}</p>` : ""}
      </div>`;
  };
  return openDialog<Filter>({
    title: words.filterTitle(nameOf(column)),
    body: (dialog) =>
      html`${selectField({
        id: "filter-test",
        label: words.test,
        value: test,
        choices: tests.map((value) => ({ value, label: words.tests[value] ?? value })),
        onSelect: (value) => {
          test = value;
          dialog.redraw();
        },
      })}
      ${
        !takesValue(test)
          ? ""
          : takesList(test)
            ? list(dialog)
            : textField({
                id: "filter-value",
                label: words.value,
                value: text,
                hint: rangeOf(column),
                type: column.type === "numeric" ? "number" : "text",
                ...(column.type === "datetime" && { placeholder: "2026-01-31" }),
                onInput: (value) => {
                  text = value;
                  dialog.redraw();
                },
              })
      }`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
        <button
          class="button primary"
          ?disabled=${read() === undefined}
          @click=${() => dialog.close(read())}
        >
          ${words.apply}
        </button>`,
  }).finally(() => clearTimeout(waiting));
}

/** Fetches the values of a column, most frequent first, at most 200. */
export async function readValues(
  api: Api,
  datasetId: string,
  columnId: string,
  search: string,
): Promise<Suggestion[]> {
  const column = { dataset_id: datasetId, column_id: columnId };
  const rows = { dataset_id: datasetId, column_id: "*", aggregation: { type: "count" } };
  const query = {
    dimensions: [column],
    measures: [rows],
    ...(search !== "" && { where: [{ expression: "? like ?", parameters: [column, search] }] }),
    order: [{ ...rows, order: "desc" }],
    limit: { by: suggestedCount },
    options: { cells: "plain" },
  };
  const answer = await api.call<{ readonly data: readonly [string | null, number][] }>(
    "data",
    "get",
    { find: { queries: [query] } },
  );
  return answer.data.map(([value, count]) => ({ value, count }));
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
