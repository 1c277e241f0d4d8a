import { html, nothing } from "lit";
import type { Api } from "../../../api/index.ts";
import { textOf, withText } from "../../../language/index.ts";
import { openDialog, textField, type OpenDialog } from "../../../parts/index.ts";
import { colorField } from "./colorField.ts";
import type { LabelledValue } from "./hierarchy.ts";
import { words } from "./words.ts";

/** Asks for the label and colour of a value, of a new one when none is given. Returns whether they were stored. */
export async function editValue(
  api: Api,
  columnId: string,
  value?: LabelledValue,
): Promise<boolean> {
  const state = {
    id: value?.id ?? "",
    label: textOf(value?.name),
    color: value?.color ?? null,
    wrong: "",
  };
  const store = async (dialog: OpenDialog<boolean>, label: string, color: string | null) => {
    try {
      const update = { id: state.id, name: withText(value?.name, label), color };
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
    else void store(dialog, state.label, state.color);
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
      </form>`,
    foot: (dialog) =>
      html`${
          value && (value.name !== null || value.color !== null)
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

/** Takes the labels of all languages and the colour from a value. */
async function clear(
  api: Api,
  columnId: string,
  id: string,
  state: { wrong: string },
  dialog: OpenDialog<boolean>,
): Promise<void> {
  try {
    await api.update("hierarchy", columnId, { updates: [{ id, name: null, color: null }] });
    dialog.close(true);
  } catch (failure) {
    state.wrong = failure instanceof Error ? failure.message : String(failure);
    dialog.redraw();
  }
}
