import { element, viewWordsOf } from "../view/index.ts";
import { changeList, type ControlFrame } from "./controlFrame.ts";
import { mostOptions } from "./optionsQueryOf.ts";

/** Minimum number of values for which a list has a search box. */
const searchedOptions = 8;

/** Draws a list of values with checkboxes. A search box stands above lists with many values. */
export function drawList(frame: ControlFrame): Node[] {
  const { picture, column, name, draft } = frame;
  const { rows, localeId } = picture;
  const words = viewWordsOf(localeId);
  if (!rows) return [element("div", { class: "mf-note" }, words.loading)];
  const list = element("div", {
    class: "mf-options",
    tabindex: 0,
    role: "group",
    "aria-label": name,
  });
  const fill = () => {
    const wanted = draft.typed.toLocaleLowerCase(localeId);
    const cells = rows.map(([cell = null]) => cell);
    list.replaceChildren(
      ...cells
        .filter((cell) => column.text(cell).toLocaleLowerCase(localeId).includes(wanted))
        .map((cell) => {
          const key = column.key(cell);
          const box = element("input", { type: "checkbox" });
          box.checked = draft.chosen.has(key);
          box.addEventListener("change", () => {
            if (box.checked) draft.chosen.set(key, cell);
            else draft.chosen.delete(key);
            changeList(frame);
          });
          return element("label", {}, box, element("span", {}, column.text(cell)));
        }),
    );
  };
  fill();
  if (rows.length < searchedOptions) return [list];
  const search = element("input", {
    type: "search",
    "aria-label": words.search,
    placeholder: words.search,
  });
  search.value = draft.typed;
  search.addEventListener("input", () => {
    draft.typed = search.value;
    fill();
  });
  const note = rows.length < mostOptions ? [] : [element("div", { class: "mf-note" }, words.cut)];
  return [element("div", { class: "mf-pair" }, search), list, ...note];
}
