import { objectOf } from "../../charts/index.ts";
import { element, viewWordsOf } from "../view/index.ts";
import { cellText } from "./cellText.ts";
import { chosenValues, type ControlFrame } from "./controlFrame.ts";
import { createValueSource, toggled, type FoundValues } from "./createValueSource.ts";

/** Minimum number of values for which a list has a search box. */
const searchedOptions = 8;

/** Draws a list of values with checkboxes. A search box stands above lists with many values. */
export function drawList(frame: ControlFrame): Node[] {
  const { picture, column, name, draft } = frame;
  const { rows, localeId, item } = picture;
  const words = viewWordsOf(localeId);
  if (!rows) return [element("div", { class: "mf-note" }, words.loading)];
  const { options } = item;
  const { search: isSearched } = objectOf<"search">(options.display);
  const { alignment } = objectOf<"alignment">(options.layout);
  const isMultiple = options.multiselect !== false;
  const source = createValueSource(frame);
  const list = element("div", {
    class:
      alignment === "horizontal" || alignment === "table" ? "mf-options mf-across" : "mf-options",
    tabindex: 0,
    role: "group",
    "aria-label": name,
  });
  const note = element("div", { class: "mf-note", role: "status" });
  const boxes = new Map<string, HTMLInputElement>();
  const show = ({ cells, note: text }: FoundValues) => {
    const chosen = new Set(chosenValues(frame).map((value) => column.key(value)));
    boxes.clear();
    list.replaceChildren(
      ...cells.map((cell) => {
        const key = column.key(cell);
        const box = element("input", { type: "checkbox" });
        box.checked = chosen.has(key);
        boxes.set(key, box);
        box.addEventListener("change", () => {
          frame.change(toggled(frame, cell, isMultiple));
          if (isMultiple) return;
          for (const [other, each] of boxes) if (other !== key) each.checked = false;
        });
        return element("label", {}, box, element("span", {}, cellText(column, cell, localeId)));
      }),
    );
    note.textContent = text;
    note.hidden = text === "";
  };
  const hasSearch = isSearched !== false && rows.length >= searchedOptions;
  source.find(hasSearch ? draft.typed : "", show);
  if (!hasSearch) return [list, note];
  const search = element("input", {
    type: "search",
    "aria-label": `${words.search}: ${name}`,
    placeholder: words.search,
  });
  search.value = draft.typed;
  search.addEventListener("input", () => {
    draft.typed = search.value;
    source.find(search.value, show);
  });
  return [element("div", { class: "mf-pair" }, search), list, note];
}
