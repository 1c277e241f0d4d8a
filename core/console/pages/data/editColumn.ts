import { html, nothing, type TemplateResult } from "lit";
import type { Api } from "../../api/index.ts";
import { textOf, writeNumber } from "../../language/index.ts";
import {
  confirm,
  elementOf,
  errorState,
  loadingState,
  notifyFailure,
  openDialog,
  textField,
} from "../../parts/index.ts";
import type { ColumnRow } from "./columnRow.ts";
import { readProfile, type Profile } from "./readProfile.ts";
import { words } from "./words.ts";

/**
 * Shows a column with the distribution of its values, and saves what the reader changes. `write` changes the expression
 * of a derived column. Returns whether something was changed.
 */
export async function editColumn(
  api: Api,
  column: ColumnRow,
  write: () => Promise<boolean>,
): Promise<boolean> {
  const state = {
    name: textOf(column.name),
    description: textOf(column.description),
    format: column.format ?? "",
    hidden: column.hidden,
    wrong: "",
  };
  let profile: Profile | undefined;
  let failure: unknown;
  const changed = await openDialog<boolean>({
    title: textOf(column.name) || words.column,
    body(dialog) {
      if (!profile && failure === undefined)
        void readProfile(api, column)
          .then((read) => (profile = read))
          .catch((reason: unknown) => (failure = reason))
          .then(() => dialog.redraw());
      return html`${failure === undefined ? (profile ? renderProfile(profile, column) : loadingState(4)) : errorState(failure)}
        ${textField({ id: "column-name", label: words.name, value: state.name, wrong: state.wrong, onInput: (value) => (state.name = value) })}
        ${textField({ id: "column-description", label: words.description, value: state.description, onInput: (value) => (state.description = value) })}
        ${column.expression === null ? html`<p class="muted small">${words.typeHint}</p>` : nothing}
        ${textField({ id: "column-format", hint: formatHint(column.type), label: words.format, value: state.format, onInput: (value) => (state.format = value) })}
        <label class="row"
          ><input
            type="checkbox"
            .checked=${state.hidden}
            @change=${(event: Event) => (state.hidden = elementOf(event.target, HTMLInputElement).checked)}
          />${words.hidden}</label
        >`;
    },
    foot: (dialog) =>
      html`${
          column.expression === null
            ? nothing
            : html`<button
                  class="button danger"
                  @click=${() => void remove(api, column).then((isGone) => isGone && dialog.close(true))}
                >
                  ${words.deleteShort}
                </button>
                <button
                  class="button grow"
                  @click=${() => void write().then((isChanged) => dialog.close(isChanged))}
                >
                  ${words.changeExpression}
                </button>`
        }<button class="button" @click=${() => dialog.close(false)}>${words.cancel}</button>
        <button
          class="button primary"
          @click=${() =>
            void save(api, column, state)
              .then(() => dialog.close(true))
              .catch((reason: unknown) => {
                state.wrong = reason instanceof Error ? reason.message : String(reason);
                dialog.redraw();
              })}
        >
          ${words.save}
        </button>`,
  });
  return changed === true;
}

async function remove(api: Api, { id, name }: ColumnRow): Promise<boolean> {
  const { deleteColumn: action, deleteColumnText: text } = words;
  const title = textOf(name) || action;
  if (!(await confirm({ title, text, action, isDangerous: true }))) return false;
  try {
    await api.remove("column", id);
    return true;
  } catch (failure) {
    notifyFailure(failure);
    return false;
  }
}

const formatHint = (type: string): string | undefined =>
  type === "numeric"
    ? words.numberFormatHint
    : type === "datetime"
      ? words.dateFormatHint
      : undefined;

async function save(
  api: Api,
  column: ColumnRow,
  {
    name,
    description,
    format,
    hidden,
  }: {
    readonly name: string;
    readonly description: string;
    readonly format: string;
    readonly hidden: boolean;
  },
): Promise<void> {
  await api.update("column", column.id, {
    ...(name !== textOf(column.name) && { name: { ...asTexts(column.name), en: name } }),
    ...(description !== textOf(column.description) && {
      description: { ...asTexts(column.description), en: description },
    }),
    ...(format !== (column.format ?? "") && { format }),
    ...(hidden !== column.hidden && { hidden }),
  });
}

const asTexts = (stored: unknown): object =>
  typeof stored === "object" && stored !== null ? stored : {};

function renderProfile(
  { rows, empty, distinct, least, most, bars }: Profile,
  { type }: ColumnRow,
): TemplateResult {
  const largest = Math.max(1, ...bars.map(({ count }) => count));
  const shown = (value: unknown) =>
    typeof value === "number" ? writeNumber(value) : String(value);
  const facts: readonly (readonly [string, string])[] = [
    [words.rows, writeNumber(rows)],
    [words.distinct, writeNumber(distinct)],
    [words.empties, writeNumber(empty)],
    ...(least === null ? [] : [[words.least, shown(least)] as const]),
    ...(most === null ? [] : [[words.most, shown(most)] as const]),
  ];
  return html`<dl class="facts">
      ${facts.map(
        ([label, value]) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    <h3>${type === "numeric" ? words.distribution : words.top}</h3>
    <div class="profile-bars">
      ${bars.map(
        ({ label, count }) =>
          html`<span class="truncate" title=${label ?? words.emptyValue}
              >${label ?? words.emptyValue}</span
            >
            <span class="bar" .style=${`width: ${Math.max(1, (100 * count) / largest)}%`}></span>
            <span>${writeNumber(count)}</span>`,
      )}
    </div>`;
}
