import { html, nothing, type TemplateResult } from "lit";
import { selectField } from "../../parts/index.ts";
import { itemTitle } from "../../questions/index.ts";
import type { BoardItem, BoardView, Contents } from "./contents.ts";
import { defaultRangeOf, withDefaultRange } from "./defaultRange.ts";
import type { ChangeItem } from "./lookFields.ts";
import { controlsOf } from "./newFilterItem.ts";
import { words } from "./words.ts";

export interface ControlFieldsOptions {
  readonly contents: Contents;
  readonly view: BoardView;
  /** A filter of the dashboard. */
  readonly item: BoardItem;
  readonly onItem: ChangeItem;
  onContents(contents: Contents): void;
}

/** Fields for the kind of a filter's control, and for the range of dates with which it opens. */
export function controlFields({
  contents,
  view,
  item,
  onItem,
  onContents,
}: ControlFieldsOptions): TemplateResult {
  const field = item.slots?.flatMap(({ content = [] }) => content)[0];
  const type = field?.["type"];
  const offeredControls: readonly string[] =
    controlsOf[type === "numeric" || type === "datetime" ? type : "hierarchy"];
  const isKnown = offeredControls.includes(item.type);
  const range = item.type.startsWith("date-") ? defaultRangeOf(contents, view, item) : undefined;
  return html`<section class="panel-part" aria-label=${words.parts.data}>
    ${selectField({
      id: "item-control",
      label: words.control,
      value: item.type,
      choices: [...(isKnown ? [] : [item.type]), ...offeredControls].map((value) => ({
        value,
        label: itemTitle(value) || value,
      })),
      onSelect: (chosen) => onItem({ ...item, type: chosen }),
    })}
    ${
      range === undefined
        ? nothing
        : selectField({
            id: "item-default",
            label: words.defaultRange,
            value: range,
            choices: [
              { value: "", label: words.allDates },
              ...Object.entries(words.defaultRanges).map(([value, label]) => ({ value, label })),
              ...(range === "other" ? [{ value: "other", label: words.otherRange }] : []),
            ],
            onSelect: (name) => onContents(withDefaultRange(contents, view, item, name)),
          })
    }
    <p class="muted small">${words.defaultHint}</p>
  </section>`;
}
