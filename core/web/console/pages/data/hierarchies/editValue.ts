import { html, nothing } from "lit";
import type { Api } from "../../../api/index.ts";
import { textOf, withText } from "../../../language/index.ts";
import { notifyFailure, openDialog, textField, type OpenDialog } from "../../../parts/index.ts";
import { colorField } from "./colorField.ts";
import type { LabelledValue, Level } from "./hierarchy.ts";
import { placeFields, readPlace, storedPlace } from "./placeFields.ts";
import { readStoredValue } from "./readValues.ts";
import { words } from "./words.ts";

export interface EditValueOptions {
  readonly api: Api;
  readonly columnId: string;
  /** A new one when left out. */
  readonly value?: LabelledValue | undefined;
  /** The levels of the column. */
  readonly levels: readonly Level[];
}

/** Asks for the label, colour and place of a value. Returns whether they were stored. */
export async function editValue(options: EditValueOptions): Promise<boolean> {
  const { api, columnId, value: shown, levels } = options;
  let value = shown;
  try {
    // A value of the rows does not say where it is in the tree.
    if (shown) value = { ...shown, ...(await readStoredValue(api, columnId, shown.id)) };
  } catch (failure) {
    notifyFailure(failure);
    return false;
  }
  const state = {
    id: value?.id ?? "",
    label: textOf(value?.name),
    color: value?.color ?? null,
    place: readPlace(value),
    wrong: "",
  };
  const store = async (dialog: OpenDialog<boolean>) => {
    try {
      const { id, label, color, place } = state;
      const isMoved = JSON.stringify(place) !== JSON.stringify(readPlace(value));
      const update = {
        id,
        name: withText(value?.name, label),
        color,
        ...(isMoved && storedPlace(id, place)),
      };
      await api.update("hierarchy", columnId, { updates: [update] });
      dialog.close(true);
    } catch (failure) {
      state.wrong = failure instanceof Error ? failure.message : String(failure);
      dialog.redraw();
    }
  };
  const save = (dialog: OpenDialog<boolean>) => {
    state.wrong = state.id === "" ? words.valueNeeded : "";
    if (state.wrong !== "") dialog.redraw();
    else void store(dialog);
  };
  const saved = await openDialog<boolean>({
    title: value ? words.valueTitle(value.id) : words.addValue,
    body: (dialog) =>
      html`<form
        id="value-form"
        class="stack"
        @submit=${(event: Event) => {
          event.preventDefault();
          save(dialog);
        }}
      >
        ${
          value
            ? nothing
            : textField({
                id: "value-id",
                label: words.value,
                hint: words.valueHint,
                value: state.id,
                onInput: (text) => (state.id = text),
              })
        }
        ${textField({
          id: "value-label",
          label: words.label,
          hint: words.labelHint,
          value: state.label,
          wrong: state.wrong,
          onInput: (text) => (state.label = text),
        })}
        ${colorField({
          id: "value-color",
          value: state.color,
          onChange: (color) => {
            state.color = color;
            dialog.redraw();
          },
        })}
        ${placeFields(state.place, levels)}
      </form>`,
    foot: (dialog) =>
      html`${
          value && [value.name, value.color, value.level, value.trace].some((each) => each ?? false)
            ? html`<button
                class="button danger"
                @click=${() => void clear(api, columnId, value.id, state, dialog)}
              >
                ${words.clear}
              </button>`
            : nothing
        }<button class="button" @click=${() => dialog.close(false)}>${words.cancel}</button>
        <button class="button primary" form="value-form">${words.save}</button>`,
  });
  return saved === true;
}

const nothingStored = { name: null, color: null, level: null, trace: null };

/** Takes the labels of all languages, the colour and the place from a value. */
async function clear(
  api: Api,
  columnId: string,
  id: string,
  state: { wrong: string },
  dialog: OpenDialog<boolean>,
): Promise<void> {
  try {
    await api.update("hierarchy", columnId, { updates: [{ id, ...nothingStored }] });
    dialog.close(true);
  } catch (failure) {
    state.wrong = failure instanceof Error ? failure.message : String(failure);
    dialog.redraw();
  }
}
