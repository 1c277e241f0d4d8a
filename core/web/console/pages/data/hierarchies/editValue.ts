import { html, nothing } from "lit";
import type { Api } from "../../../api/index.ts";
import { textOf, withText } from "../../../language/index.ts";
import { notifyFailure, openForm, textField } from "../../../parts/index.ts";
import { colorField } from "./colorField.ts";
import type { LabelledValue, Level } from "./hierarchy.ts";
import { treePositionFields, readTreePosition, storedTreePosition } from "./treePositionFields.ts";
import { readStoredValue } from "./readValues.ts";
import { words } from "./words.ts";

export interface EditValueOptions {
  readonly api: Api;
  readonly columnId: string;
  /** The value to edit; absent for a new value. */
  readonly value?: LabelledValue | undefined;
  /** Levels of the column. */
  readonly levels: readonly Level[];
}

/** Opens the form for the label, colour and position of a value. Returns whether they were stored. */
export async function editValue(options: EditValueOptions): Promise<boolean> {
  const { api, columnId, value: shown, levels } = options;
  let value = shown;
  try {
    // Values found in rows do not contain their position in the tree.
    if (shown) value = { ...shown, ...(await readStoredValue(api, columnId, shown.id)) };
  } catch (failure) {
    notifyFailure(failure);
    return false;
  }
  const state = {
    id: value?.id ?? "",
    label: textOf(value?.name),
    color: value?.color ?? null,
    position: readTreePosition(value),
  };
  const store = async (update: object): Promise<true> => {
    await api.update("hierarchy", columnId, { updates: [{ id: state.id, ...update }] });
    return true;
  };
  const isStored =
    value && [value.name, value.color, value.level, value.trace].some((each) => each ?? false);
  const saved = await openForm<true>({
    title: value ? words.valueTitle(value.id) : words.addValue,
    action: words.save,
    members: ["updates[0].name"],
    body: ({ wrong, mistakeOf }) =>
      html`${
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
        wrong: mistakeOf("updates[0].name") ?? wrong,
        onInput: (text) => (state.label = text),
      })}
      ${colorField({
        id: "value-color",
        value: state.color,
        onChange: (color) => (state.color = color),
      })}
      ${treePositionFields(state.position, levels)}`,
    more: ({ attempt }) =>
      isStored
        ? html`<button
            class="button danger"
            @click=${() => void attempt(() => store(nothingStored))}
          >
            ${words.clear}
          </button>`
        : nothing,
    async save() {
      const { id, label, color, position } = state;
      if (id === "") throw new TypeError(words.valueNeeded);
      const isMoved = JSON.stringify(position) !== JSON.stringify(readTreePosition(value));
      const name = withText(value?.name, label);
      return store({ name, color, ...(isMoved && storedTreePosition(id, position)) });
    },
  });
  return saved === true;
}

/** Properties that remove the label, colour and position of a value. */
const nothingStored = { name: null, color: null, level: null, trace: null };
