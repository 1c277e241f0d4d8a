import { html, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { live } from "lit/directives/live.js";
import { textOf } from "../../../language/index.ts";
import { elementOf, field, selectField } from "../../../parts/index.ts";
import type { LabelledValue, Level } from "./hierarchy.ts";
import { words } from "./words.ts";

export interface TreePosition {
  level: number | null;
  /** The parent values from the top, one per line. */
  above: string;
}

/** Fields for the position of a value in the tree of its column. They change `position`. */
export function treePositionFields(
  position: TreePosition,
  levels: readonly Level[],
): TemplateResult {
  const named = new Map(levels.map(({ level, name }) => [level, textOf(name)]));
  // A value may have a level without a name.
  if (position.level !== null && !named.has(position.level)) named.set(position.level, "");
  const choices = [...named]
    .toSorted(([one], [other]) => one - other)
    .map(([level, name]) => ({
      value: String(level),
      label: words.levelCalled(String(level), name),
    }));
  return html`<fieldset class="stack">
    <legend>${words.position}</legend>
    ${selectField({
      id: "value-level",
      label: words.valueLevel,
      value: position.level === null ? "" : String(position.level),
      choices: [{ value: "", label: words.noLevel }, ...choices],
      onSelect: (value) => (position.level = value === "" ? null : Number(value)),
    })}
    ${field(
      { id: "value-above", label: words.above, hint: words.aboveHint },
      ({ id, describedBy }) =>
        html`<textarea
          class="input"
          rows="3"
          id=${id}
          aria-describedby=${ifDefined(describedBy || undefined)}
          .value=${live(position.above)}
          @input=${(event: Event) =>
            (position.above = elementOf(event.target, HTMLTextAreaElement).value)}
        ></textarea>`,
    )}
  </fieldset>`;
}

/** Root of every tree in stored hierarchies. */
const root = "_$root";

/** Returns the position of a stored value. Stored paths start with the root and end with the value itself. */
export function readTreePosition(value: LabelledValue | undefined): TreePosition {
  const path = value?.trace ?? [];
  const from = path[0] === root ? 1 : 0;
  const end = path.at(-1) === value?.id ? path.length - 1 : path.length;
  return { level: value?.level ?? null, above: path.slice(from, end).join("\n") };
}

/** Returns a position in its stored form; null members if it has neither a level nor parent values. */
export function storedTreePosition(id: string, { level, above }: TreePosition) {
  const values = above.split("\n").filter((line) => line !== "");
  const isNone = values.length === 0 && level === null;
  return { level, trace: isNone ? null : [root, ...values, id] };
}
