import { cleanText, readColumns, titleOf, wordsOf } from "../../charts/index.ts";
import type { Clause } from "../selections/index.ts";
import { applyTheme, element } from "../view/index.ts";
import type { ControlFrame, ControlState, FilterPicture } from "./controlFrame.ts";
import { drawChoice } from "./drawChoice.ts";
import { drawDates, drawNumbers } from "./drawEnds.ts";
import { drawList } from "./drawList.ts";
import { drawSearch } from "./drawSearch.ts";
import { formOf, type Form } from "./formOf.ts";

/** The control of a filter item, drawn in its element. */
export interface FilterControl {
  show(picture: FilterPicture): void;
  /** Empties the control. Called when the reader removes the chip of its filter. */
  clear(): void;
  close(): void;
}

const drawings: Readonly<Record<Form, (frame: ControlFrame) => Node[]>> = {
  list: drawList,
  choice: drawChoice,
  search: drawSearch,
  dates: drawDates,
  range: drawNumbers,
};

/** Creates the control of a filter item in an element: a list of values, a search box, dates or a range of numbers. */
export function createFilterControl(
  container: HTMLElement,
  onChange: (clause: Clause | undefined) => void,
): FilterControl {
  const root = element("div", { class: "mf-control", part: "filter", role: "group" });
  container.append(root);
  let shown: FilterPicture | undefined;
  let draft = emptyState();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function draw(): void {
    if (!shown) return;
    const { item, localeId, timezoneId, theme, failure } = shown;
    applyTheme(root, theme);
    const [field] = item.fields;
    const columns = readColumns({ fields: item.fields.slice(0, 1), localeId, timezoneId });
    const [column] = columns;
    const name = titleOf(item, columns, localeId) || column?.name || item.type;
    root.ariaLabel = name;
    const title = element("h3", {}, name);
    if (!field || !column || failure !== undefined)
      return root.replaceChildren(
        title,
        element("div", { class: "mf-note" }, cleanText(failure ?? wordsOf(localeId).empty)),
      );
    const controls = drawings[formOf(item)]({
      picture: shown,
      field,
      column,
      name,
      draft,
      change(where, label) {
        const datasetIds = new Set(field.datasetId === undefined ? [] : [field.datasetId]);
        onChange(where.length === 0 ? undefined : { where, datasetIds, label });
      },
      later(pauseMs, run) {
        clearTimeout(timer);
        timer = setTimeout(run, pauseMs);
      },
    });
    root.replaceChildren(title, ...controls);
  }

  return {
    show(next) {
      const isSame =
        shown?.rows === next.rows &&
        shown?.theme === next.theme &&
        shown?.failure === next.failure &&
        shown?.localeId === next.localeId &&
        shown?.timezoneId === next.timezoneId;
      shown = next;
      // The control is drawn again only if its input changed. Otherwise the reader would lose the focus.
      if (!isSame) draw();
    },
    clear() {
      clearTimeout(timer);
      draft = emptyState();
      draw();
    },
    close() {
      clearTimeout(timer);
      root.remove();
    },
  };
}

function emptyState(): ControlState {
  return { chosen: new Map(), typed: "", ends: ["", ""] };
}
