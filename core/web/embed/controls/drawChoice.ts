import { localizedText, objectOf, wordsOf, type ChartCell } from "../../charts/index.ts";
import { element, viewWordsOf } from "../view/index.ts";
import { cellText } from "./cellText.ts";
import { chosenValues, type ControlFrame } from "./controlFrame.ts";
import { createPanelButton } from "./createPanelButton.ts";
import { createValueSource, toggled, type ValueSource } from "./createValueSource.ts";

/** Minimum number of values for which a menu has a search box. */
const searchedOptions = 8;

let listCount = 0;

/** Draws a button that opens a menu of values, in which the reader chooses one value or several. */
export function drawChoice(frame: ControlFrame): Node[] {
  const { picture, column, name, draft } = frame;
  const { rows, localeId, item } = picture;
  const { options } = item;
  const { placeholder: hasPlaceholder } = objectOf<"placeholder">(options.display);
  const words = wordsOf(localeId);
  const empty =
    (hasPlaceholder !== false && localizedText(options.placeholder, localeId)) || words.all;
  const source = rows && createValueSource(frame);
  const textNow = () => {
    const names = chosenValues(frame).map((value) =>
      cellText(column, draft.cells.get(column.key(value)) ?? value, localeId),
    );
    return names.length === 0 ? empty : names.join("; ");
  };
  const button = createPanelButton({
    name,
    text: rows ? textNow() : viewWordsOf(localeId).loading,
    hasPopup: "listbox",
    fill: async (panel) =>
      source &&
      fillMenu(panel, {
        frame,
        source,
        onChange: () => button.setText(textNow()),
        close: () => button.close(),
      }),
  });
  button.root.disabled = rows === undefined;
  return [element("div", { class: "mf-pair" }, button.root)];
}

interface MenuOptions {
  readonly frame: ControlFrame;
  readonly source: ValueSource;
  onChange(): void;
  close(): void;
}

/** Fills a panel with a list box, and with a search box for lists with many values. */
function fillMenu(
  panel: HTMLElement,
  { frame, source, onChange, close }: MenuOptions,
): HTMLElement {
  const { picture, column, name, draft } = frame;
  const { rows = [], localeId, item } = picture;
  const { options } = item;
  const { search: isSearched, clear: isCleared } = objectOf<"search" | "clear">(options.display);
  const isMultiple = options.multiselect === true;
  const viewWords = viewWordsOf(localeId);
  const id = `mf-list-${++listCount}`;
  const list = element("div", {
    class: "mf-choices",
    role: "listbox",
    id,
    "aria-label": name,
    "aria-multiselectable": isMultiple,
  });
  const note = element("div", { class: "mf-note", role: "status" });
  const hasSearch = isSearched !== false && (rows.length >= searchedOptions || source.isCut);
  const search = element("input", {
    type: "search",
    role: "combobox",
    "aria-label": `${viewWords.search}: ${name}`,
    "aria-expanded": "true",
    "aria-controls": id,
    "aria-autocomplete": "list",
    placeholder: viewWords.search,
  });
  const keys: HTMLElement = hasSearch ? search : list;
  if (!hasSearch) list.tabIndex = 0;
  /** The cells of the list; undefined stands for "all", which takes the choice back. */
  let cells: readonly (ChartCell | undefined)[] = [];
  let active = 0;

  function draw(): void {
    const chosen = new Set(chosenValues(frame).map((value) => column.key(value)));
    list.replaceChildren(
      ...cells.map((cell, index) => {
        const isChosen = cell === undefined ? chosen.size === 0 : chosen.has(column.key(cell));
        const text = cell === undefined ? wordsOf(localeId).all : cellText(column, cell, localeId);
        const option = element(
          "div",
          { role: "option", id: `${id}-${index}`, "aria-selected": String(isChosen) },
          text,
        );
        option.addEventListener("click", () => choose(index));
        return option;
      }),
    );
    activate(active);
  }

  function activate(index: number): void {
    active = Math.max(0, Math.min(index, cells.length - 1));
    for (const [at, option] of [...list.children].entries()) {
      option.classList.toggle("mf-active", at === active);
      if (at === active) option.scrollIntoView({ block: "nearest" });
    }
    if (cells.length === 0) keys.removeAttribute("aria-activedescendant");
    else keys.setAttribute("aria-activedescendant", `${id}-${active}`);
  }

  function choose(index: number): void {
    const cell = cells[index];
    active = index;
    frame.change(cell === undefined ? undefined : toggled(frame, cell, isMultiple));
    onChange();
    if (isMultiple && cell !== undefined) draw();
    else close();
  }

  const find = () => {
    source.find(search.value, (found) => {
      const hasAll = isCleared !== false && search.value.trim() === "";
      cells = [...(hasAll ? [undefined] : []), ...found.cells];
      note.textContent = found.note;
      note.hidden = found.note === "";
      draw();
    });
  };
  keys.addEventListener("keydown", (event) => {
    const page = 10;
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      ...(keys === list && { Home: 0, End: cells.length - 1 }),
    }[event.key];
    const isChoice = event.key === "Enter" || (keys === list && event.key === " ");
    if (to !== undefined) activate(to);
    else if (isChoice && cells.length > 0) choose(active);
    else if (event.key === "Tab") return close();
    else return;
    event.preventDefault();
  });
  search.addEventListener("input", () => {
    draft.typed = search.value;
    active = 0;
    find();
  });
  panel.append(...(hasSearch ? [search] : []), list, note);
  find();
  const first = chosenValues(frame)[0];
  const at = cells.findIndex(
    (cell) => cell !== undefined && first !== undefined && column.key(cell) === column.key(first),
  );
  active = Math.max(0, at);
  activate(active);
  return keys;
}
