import { html, nothing, type TemplateResult } from "lit";
import { elementOf, rowTable } from "../../../parts/index.ts";
import { inReadersWords } from "./blamedIn.ts";
import { columnTypeOf, columnTypes } from "./columnType.ts";
import type { ColumnChoice } from "./fileSettings.ts";
import type { Preview, PreviewColumn } from "./preview.ts";
import { renderSuggestions } from "./renderSuggestions.ts";
import { seenIn } from "./seenIn.ts";
import { storedText } from "./storedText.ts";
import type { Suggestion } from "./suggestionsIn.ts";
import type { Target } from "./target.ts";
import { words } from "./words.ts";

export interface PreviewOptions {
  readonly preview: Preview;
  /** Choices by the column's name in the file. */
  readonly choices: ReadonlyMap<string, ColumnChoice>;
  /** The dataset that receives the rows, which keeps its own names and types; undefined for a new dataset. */
  readonly target: Target | undefined;
  /** Whether the preview is about to be replaced by that of changed settings. */
  readonly isOld: boolean;
  onChange(column: string, choice: ColumnChoice): void;
  onSuggest(suggestion: Suggestion): void;
}

/** Renders the first rows of a file as they would be stored, below the name and type of each column. */
export function renderPreview(options: PreviewOptions): TemplateResult {
  const { preview, isOld } = options;
  const { columns, rows } = preview;
  return rowTable({
    label: words.preview(rows.length, columns.length),
    look: `surface import-preview ${isOld ? "old" : ""}`,
    isBusy: isOld,
    columns: columns.map((column, at) => ({
      head: renderHead(column, at, options),
      isNumeric: column.type === "numeric",
      cell: (row: readonly unknown[]) => {
        const text = storedText(row[at], column.type);
        return text === "" ? html`<span class="muted">–</span>` : text;
      },
    })),
    rows,
  });
}

function renderHead(column: PreviewColumn, at: number, options: PreviewOptions): TemplateResult {
  const { notes } = column;
  return html`<div class="import-column">
    ${options.target ? renderTarget(column, options.target, options) : renderChoice(column, at, options)}
    <span class="import-seen">${seenIn(column)}</span>
    ${notes.map(
      ({ kind, message, suggestions }) =>
        html`<span class="import-note ${kind === "doubt" ? "doubt" : ""}"
            >${inReadersWords(message)}</span
          >
          ${renderSuggestions(suggestions, options.onSuggest)}`,
    )}
  </div>`;
}

/** Renders the name of a column in the file, and the column of the dataset that receives its values. */
function renderTarget(
  { name, type, subtype }: PreviewColumn,
  { columns }: Target,
  { choices, onChange }: PreviewOptions,
): TemplateResult {
  const chosen = choices.get(name)?.name ?? name;
  return html`<strong>${name}</strong>
    <select
      class="input"
      aria-label=${words.goesTo(name)}
      @change=${(event: Event) =>
        onChange(name, {
          ...choices.get(name),
          name: elementOf(event.target, HTMLSelectElement).value,
        })}
    >
      ${
        columns.some(({ sourceName }) => sourceName === name)
          ? nothing
          : html`<option value=${name} ?selected=${chosen === name}>
              ${words.newColumn(name)}
            </option>`
      }
      ${columns.map(
        (each) =>
          html`<option value=${each.sourceName} ?selected=${chosen === each.sourceName}>
            ${each.name || each.sourceName}
          </option>`,
      )}
    </select>
    <span class="badge info">${words.types[columnTypeOf(type, subtype)]}</span>`;
}

/** Renders the fields for the name, the type and the date format of a column of a new dataset. */
function renderChoice(
  { name, type, subtype }: PreviewColumn,
  at: number,
  { choices, onChange }: PreviewOptions,
): TemplateResult {
  const choice = choices.get(name) ?? {};
  const found = words.types[columnTypeOf(type, subtype)];
  const hasFormat = choice.type === "date" || choice.type === "datetime";
  return html`<input
      class="input"
      aria-label=${words.columnName(name)}
      .value=${choice.name ?? name}
      @input=${(event: Event) =>
        onChange(name, { ...choice, name: elementOf(event.target, HTMLInputElement).value })}
    />
    <select
      class="input"
      id="import-type-${at}"
      aria-label=${words.columnType(name)}
      @change=${(event: Event) => {
        const { type: _, format: __, ...rest } = choice;
        const { value } = elementOf(event.target, HTMLSelectElement);
        onChange(name, value === "" ? rest : { ...rest, type: value });
      }}
    >
      <option value="" ?selected=${choice.type === undefined}>
        ${choice.type === undefined ? words.detected(found) : words.detect}
      </option>
      ${columnTypes.map(
        (each) =>
          html`<option value=${each} ?selected=${choice.type === each}>
            ${words.types[each]}
          </option>`,
      )}
    </select>
    ${
      hasFormat
        ? html`<input
            class="input"
            aria-label=${words.columnFormat(name)}
            placeholder=${words.examples.format}
            .value=${choice.format ?? ""}
            @input=${(event: Event) =>
              onChange(name, {
                ...choice,
                format: elementOf(event.target, HTMLInputElement).value,
              })}
          />`
        : nothing
    }`;
}
