import { html, nothing } from "lit";
import type { Api } from "../../api/index.ts";
import { textOf, withText } from "../../language/index.ts";
import {
  confirmAndRun,
  elementOf,
  errorState,
  loadingState,
  openForm,
  textField,
} from "../../parts/index.ts";
import { formatField, readProfile, type Profile } from "../../questions/index.ts";
import type { ColumnRow } from "./columnRow.ts";
import { profileView } from "./profileView.ts";
import { words } from "./words.ts";

/**
 * Shows a column with the distribution of its values, and saves the reader's changes. `write` opens the editor for the
 * expression of a derived column. Returns whether anything changed.
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
  };
  let profile: Profile | undefined;
  let failure: unknown;
  const changed = await openForm<true>({
    title: textOf(column.name) || words.column,
    action: words.save,
    members: ["name", "description", "format"],
    body({ wrong, mistakeOf, redraw }) {
      if (!profile && failure === undefined)
        void readProfile(api, column.securable_id, column)
          .then((read) => (profile = read))
          .catch((reason: unknown) => (failure = reason))
          .then(redraw);
      return html`${failure === undefined ? (profile ? profileView(profile, { ...column, format: state.format }) : loadingState(4)) : errorState(failure)}
        ${textField({ id: "column-name", label: words.name, value: state.name, wrong: mistakeOf("name") ?? wrong, onInput: (value) => (state.name = value) })}
        ${textField({ id: "column-description", label: words.description, value: state.description, wrong: mistakeOf("description"), onInput: (value) => (state.description = value) })}
        ${column.expression === null ? html`<p class="muted small">${words.typeHint}</p>` : nothing}
        ${
          column.type === "numeric" || column.type === "datetime"
            ? formatField({
                id: "column-format",
                label: words.format,
                type: column.type,
                subtype: column.subtype,
                value: state.format,
                sample: profile?.most,
                onInput: (value) => (state.format = value),
              })
            : nothing
        }
        <label class="check"
          ><input
            type="checkbox"
            .checked=${state.hidden}
            @change=${(event: Event) => (state.hidden = elementOf(event.target, HTMLInputElement).checked)}
          />${words.hidden}</label
        >`;
    },
    more: (form) =>
      column.expression === null
        ? nothing
        : html`<button
              class="button danger"
              @click=${() => void remove(api, column).then((isGone) => isGone && form.close(true))}
            >
              ${words.deleteShort}
            </button>
            <button
              class="button grow"
              @click=${() => void write().then((isChanged) => form.close(isChanged || undefined))}
            >
              ${words.changeExpression}
            </button>`,
    async save() {
      await save(api, column, state);
      return true;
    },
  });
  return changed === true;
}

const remove = (api: Api, { id, name }: ColumnRow): Promise<boolean> =>
  confirmAndRun({
    action: words.deleteColumn,
    title: textOf(name) || words.deleteColumn,
    text: words.deleteColumnText,
    run: () => api.remove("column", id),
  });

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
    ...(name !== textOf(column.name) && { name: withText(column.name, name) }),
    ...(description !== textOf(column.description) && {
      description: withText(column.description, description),
    }),
    ...(format !== (column.format ?? "") && { format }),
    ...(hidden !== column.hidden && { hidden }),
  });
}
