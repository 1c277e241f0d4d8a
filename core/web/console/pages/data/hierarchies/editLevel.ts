import { html, nothing } from "lit";
import type { Api } from "../../../api/index.ts";
import { textOf, withText } from "../../../language/index.ts";
import { confirm, openDialog, textField, type OpenDialog } from "../../../parts/index.ts";
import { colorField } from "./colorField.ts";
import type { Level } from "./hierarchy.ts";
import { words } from "./words.ts";

export interface EditLevelOptions {
  readonly api: Api;
  readonly columnId: string;
  /** The level that is changed; a new one when left out. */
  readonly level?: Level;
  /** The number that a new level begins with. */
  readonly next: number;
}

/** Asks for the name, number and colour of a level, and stores or deletes it. Returns whether something changed. */
export async function editLevel({
  api,
  columnId,
  level,
  next,
}: EditLevelOptions): Promise<boolean> {
  const state = {
    name: textOf(level?.name),
    level: String(level?.level ?? next),
    color: level?.color ?? null,
    wrong: "",
  };
  const attempt = async (dialog: OpenDialog<boolean>, work: () => Promise<void>) => {
    try {
      await work();
      dialog.close(true);
    } catch (failure) {
      state.wrong = failure instanceof Error ? failure.message : String(failure);
      dialog.redraw();
    }
  };
  const erase = async (dialog: OpenDialog<boolean>, { id }: Level) => {
    const { deleteLevel: action, deleteLevelText: text } = words;
    if (await confirm({ title: action, text, action, isDangerous: true }))
      await attempt(dialog, () => api.remove("hierarchylevel", id));
  };
  const save = (dialog: OpenDialog<boolean>) => {
    const isNumber = /^\d{1,3}$/.test(state.level.trim());
    state.wrong = state.name.trim() === "" ? words.levelNeeded : isNumber ? "" : words.numberNeeded;
    if (state.wrong !== "") return void dialog.redraw();
    const properties = {
      name: withText(level?.name, state.name.trim()),
      level: Number(state.level),
      color: state.color,
    };
    void attempt(dialog, () => store(api, columnId, properties, level));
  };
  const changed = await openDialog<boolean>({
    title: level ? words.changeLevel : words.addLevel,
    body: (dialog) =>
      html`<form
        id="level-form"
        class="stack"
        @submit=${(event: Event) => {
          event.preventDefault();
          save(dialog);
        }}
      >
        ${textField({
          id: "level-name",
          label: words.levelName,
          hint: words.levelNameHint,
          value: state.name,
          wrong: state.wrong,
          onInput: (text) => (state.name = text),
        })}
        ${textField({
          id: "level-number",
          label: words.levelNumber,
          hint: words.levelNumberHint,
          type: "number",
          value: state.level,
          onInput: (text) => (state.level = text),
        })}
        ${colorField({
          id: "level-color",
          value: state.color,
          onChange: (color) => {
            state.color = color;
            dialog.redraw();
          },
        })}
      </form>`,
    foot: (dialog) =>
      html`${
          level
            ? html`<button class="button danger" @click=${() => void erase(dialog, level)}>
                ${words.deleteLevel}
              </button>`
            : nothing
        }<button class="button" @click=${() => dialog.close(false)}>${words.cancel}</button>
        <button class="button primary" form="level-form">${words.save}</button>`,
  });
  return changed === true;
}

/** Stores a level. A new one that the column does not take is deleted, as nothing else shows it. */
async function store(
  api: Api,
  columnId: string,
  properties: Readonly<Record<string, unknown>>,
  level: Level | undefined,
): Promise<void> {
  if (level) return void (await api.update("hierarchylevel", level.id, properties));
  const { id } = await api.create<Level>("hierarchylevel", properties);
  try {
    await api.associate("column", columnId, { role: "HierarchyLevels", id });
  } catch (failure) {
    await api.remove("hierarchylevel", id);
    throw failure;
  }
}
