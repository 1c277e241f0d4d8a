import { html, nothing } from "lit";
import type { Api } from "../../../api/index.ts";
import { textOf, withText } from "../../../language/index.ts";
import { confirm, openForm, textField, type OpenForm } from "../../../parts/index.ts";
import { colorField } from "./colorField.ts";
import type { Level } from "./hierarchy.ts";
import { words } from "./words.ts";

export interface EditLevelOptions {
  readonly api: Api;
  readonly columnId: string;
  /** The level to edit; absent for a new level. */
  readonly level?: Level;
  /** The number suggested for a new level. */
  readonly next: number;
}

/**
 * Opens the form for the name, number and colour of a level, and stores or deletes the level. Returns whether anything
 * changed.
 */
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
  };
  const erase = async ({ attempt }: OpenForm<true>, { id }: Level) => {
    const { deleteLevel: action, deleteLevelText: text } = words;
    if (await confirm({ title: action, text, action, isDangerous: true }))
      await attempt(async () => {
        await api.remove("hierarchylevel", id);
        return true;
      });
  };
  const changed = await openForm<true>({
    title: level ? words.changeLevel : words.addLevel,
    action: words.save,
    members: ["name", "level"],
    body: ({ wrong, mistakeOf }) =>
      html`${textField({
        id: "level-name",
        label: words.levelName,
        hint: words.levelNameHint,
        value: state.name,
        wrong: mistakeOf("name") ?? wrong,
        onInput: (text) => (state.name = text),
      })}
      ${textField({
        id: "level-number",
        label: words.levelNumber,
        hint: words.levelNumberHint,
        type: "number",
        value: state.level,
        wrong: mistakeOf("level"),
        onInput: (text) => (state.level = text),
      })}
      ${colorField({
        id: "level-color",
        value: state.color,
        onChange: (color) => (state.color = color),
      })}`,
    more: (form) =>
      level
        ? html`<button class="button danger" @click=${() => void erase(form, level)}>
            ${words.deleteLevel}
          </button>`
        : nothing,
    async save() {
      if (state.name.trim() === "") throw new TypeError(words.levelNeeded);
      if (!/^\d{1,3}$/.test(state.level.trim())) throw new TypeError(words.numberNeeded);
      const properties = {
        name: withText(level?.name, state.name.trim()),
        level: Number(state.level),
        color: state.color,
      };
      await store(api, columnId, properties, level);
      return true;
    },
  });
  return changed === true;
}

/**
 * Stores a level. If a new level cannot be linked to the column, it is deleted again, because no page would show it.
 */
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
