import { html, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { live } from "lit/directives/live.js";
import { textOf } from "../../../language/index.ts";
import { elementOf, field, selectField } from "../../../parts/index.ts";
import type { LabelledValue, Level } from "./hierarchy.ts";
import { words } from "./words.ts";

export interface EditedPlace {
  level: number | null;
  /** The values above, from the top, one on each line. */
  above: string;
}

/** Fields for where a value is in the tree of its column; they change `place`. */
export function placeFields(place: EditedPlace, levels: readonly Level[]): TemplateResult {
  const named = new Map(levels.map(({ level, name }) => [level, textOf(name)]));
  // A value may have a level that nobody named.
  if (place.level !== null && !named.has(place.level)) named.set(place.level, "");
  const choices = [...named]
    .toSorted(([one], [other]) => one - other)
    .map(([level, name]) => ({
      value: String(level),
      label: words.levelCalled(String(level), name),
    }));
  return html`<fieldset class="stack">
    <legend>${words.place}</legend>
    ${selectField({
      id: "value-level",
      label: words.valueLevel,
      value: place.level === null ? "" : String(place.level),
      choices: [{ value: "", label: words.noLevel }, ...choices],
      onSelect: (value) => (place.level = value === "" ? null : Number(value)),
    })}
    ${field(
      { id: "value-above", label: words.above, hint: words.aboveHint },
      ({ id, describedBy }) =>
        html`<textarea
          class="input"
          rows="3"
          id=${id}
          aria-describedby=${ifDefined(describedBy || undefined)}
          .value=${live(place.above)}
          @input=${(event: Event) =>
            (place.above = elementOf(event.target, HTMLTextAreaElement).value)}
        ></textarea>`,
    )}
  </fieldset>`;
}

/** The top of every tree, as hierarchies of the field write it. */
const root = "_$root";

/** Reads the place of a stored value. A path of the field begins with the root and ends with the value itself. */
export function readPlace(value: LabelledValue | undefined): EditedPlace {
  const path = value?.trace ?? [];
  const from = path[0] === root ? 1 : 0;
  const end = path.at(-1) === value?.id ? path.length - 1 : path.length;
  return { level: value?.level ?? null, above: path.slice(from, end).join("\n") };
}

/** Writes a place as hierarchies store it; without a level and values above, it is none. */
export function storedPlace(id: string, { level, above }: EditedPlace) {
  const values = above.split("\n").filter((line) => line !== "");
  const isNone = values.length === 0 && level === null;
  return { level, trace: isNone ? null : [root, ...values, id] };
}
