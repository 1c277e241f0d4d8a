import {
  objectOf,
  wordsOf,
  readColumns,
  titleOf,
  cleanText,
  type ListCell,
  type ControlValue,
  type ControlForm,
} from "../../charts/index.ts";
import { adoptStyles, applyTheme, element } from "../view/index.ts";
import { cellText } from "./cellText.ts";
import type { ControlFrame, ControlState, FilterPicture } from "./controlFrame.ts";
import { controlWordsOf } from "./words/controlWordsOf.ts";
import { controlStyles } from "./controlStyles.ts";
import { drawChoice } from "./drawChoice.ts";
import { drawDates } from "./drawDates.ts";
import { drawList } from "./drawList.ts";
import { drawNumbers } from "./drawNumbers.ts";
import { drawSearch } from "./drawSearch.ts";
import { formOf } from "./formOf.ts";

/** The control of a filter item, drawn in its element. */
export interface FilterControl {
  show(picture: FilterPicture): void;
  close(): void;
}

/** Called when the reader chooses a value. `nameOf` returns the name of a value that the control has offered. */
export type OnValue = (
  value: ControlValue | undefined,
  nameOf: (value: ListCell) => string | undefined,
) => void;

const drawings: Readonly<Record<ControlForm, (frame: ControlFrame) => Node[]>> = {
  list: drawList,
  choice: drawChoice,
  search: drawSearch,
  dates: drawDates,
  range: drawNumbers,
};
/** Controls that can have a button with which the reader applies the value. */
const applied: readonly ControlForm[] = ["list", "choice", "search"];

/** Creates the control of a filter item in an element: a list of values, a search box, dates or a range of numbers. */
export function createFilterControl(container: HTMLElement, onValue: OnValue): FilterControl {
  const root = element("div", { class: "mf-control", part: "filter", role: "group" });
  container.append(root);
  adoptStyles(container, controlStyles());
  let shown: FilterPicture | undefined;
  /** What the control shows as chosen. It differs from the filter while the reader has not applied it. */
  let current: ControlValue | undefined;
  /** What the dashboard filters by. */
  let filtered: ControlValue | undefined;
  const draft: ControlState = { typed: "", cells: new Map() };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let drawing = new AbortController();
  let isOutdated = false;

  function draw(): void {
    if (!shown) return;
    isOutdated = false;
    drawing.abort();
    drawing = new AbortController();
    const { item, localeId, timezoneId, theme, failure } = shown;
    applyTheme(root, theme);
    const [field] = item.fields;
    const columns = readColumns({ fields: item.fields.slice(0, 1), localeId, timezoneId });
    const [column] = columns;
    const name = titleOf(item, columns, localeId) || column?.name || item.type;
    root.ariaLabel = name;
    const { title: isTitled } = objectOf<"title">(item.options.display);
    const title = isTitled === false ? [] : [element("h3", {}, name)];
    if (!field || !column || failure !== undefined)
      return root.replaceChildren(
        ...title,
        element("div", { class: "mf-note" }, cleanText(failure ?? wordsOf(localeId).empty)),
      );
    const nameOf = (value: ListCell) => {
      const cell = draft.cells.get(column.key(value));
      return cell === undefined ? undefined : cellText(column, cell, localeId);
    };
    for (const [cell = null] of shown.rows ?? []) draft.cells.set(column.key(cell), cell);
    const emit = (value: ControlValue | undefined) => {
      filtered = value;
      onValue(value, nameOf);
    };
    const form = formOf(item);
    const isApplied = applied.includes(form) && item.options.applyFiltersWithButton === true;
    const apply = element(
      "button",
      { type: "button", class: "mf-button mf-apply" },
      controlWordsOf(localeId).apply,
    );
    apply.disabled = true;
    apply.addEventListener("click", () => {
      apply.disabled = true;
      emit(current);
    });
    const controls = drawings[form]({
      picture: shown,
      field,
      column,
      name,
      draft,
      value: () => current,
      change(value) {
        current = value;
        if (isApplied) apply.disabled = false;
        else emit(value);
      },
      later(pauseMs, run) {
        clearTimeout(timer);
        timer = setTimeout(run, pauseMs);
      },
      signal: drawing.signal,
    });
    const focused = focusable().findIndex((each) => each.matches(":focus"));
    root.replaceChildren(...title, ...controls, ...(isApplied ? [apply] : []));
    if (focused !== -1) focusable()[focused]?.focus();
  }

  const focusable = () => [
    ...root.querySelectorAll<HTMLElement>("button, input, select, [tabindex]"),
  ];

  // A panel that the reader has opened stays open. The control is drawn again when the panel closes.
  root.addEventListener(
    "toggle",
    () => {
      if (isOutdated && !root.querySelector(":popover-open")) draw();
    },
    true,
  );

  return {
    show(next) {
      // While other values load, the control keeps those that it shows.
      const rows = next.rows ?? (next.failure === undefined ? shown?.rows : undefined);
      const isOther = !isEqual(filtered, next.value);
      const isSame =
        shown !== undefined &&
        !isOther &&
        shown.item === next.item &&
        shown.rows === rows &&
        shown.theme === next.theme &&
        shown.failure === next.failure &&
        shown.localeId === next.localeId &&
        shown.timezoneId === next.timezoneId;
      if (isOther) {
        filtered = current = next.value;
        clearTimeout(timer);
      }
      shown = { ...next, ...(rows && { rows }) };
      // The control is drawn again only if its input changed. The focus stays at its place.
      if (isSame) return;
      if (root.querySelector(":popover-open")) isOutdated = true;
      else draw();
    },
    close() {
      clearTimeout(timer);
      drawing.abort();
      root.remove();
    },
  };
}

const isEqual = (one: ControlValue | undefined, other: ControlValue | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
