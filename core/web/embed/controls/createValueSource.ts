import { fillIn, objectOf, type ChartCell } from "../../charts/index.ts";
import { viewWordsOf } from "../view/index.ts";
import { cellText } from "./cellText.ts";
import { chosenValues, valueOf, type ControlFrame } from "./controlFrame.ts";
import { controlWordsOf } from "./words/controlWordsOf.ts";
import {
  countQueryOf,
  isMissing,
  optionCountOf,
  optionsQueryOf,
  searchFilter,
} from "./optionsQueryOf.ts";

/** Milliseconds after the last key before the host searches. */
const typingMs = 250;

/** The values that a list shows, and a note on those that it does not show. */
export interface FoundValues {
  readonly cells: readonly ChartCell[];
  readonly note: string;
}

/** The values of a list. */
export interface ValueSource {
  /** Whether the list shows only a part of the values. */
  readonly isCut: boolean;
  /**
   * Finds the values that a text finds, and calls `show` at once, and again when the host has answered. Chosen values
   * always come first if the list would not show them.
   */
  find(typed: string, show: (found: FoundValues) => void): void;
}

/** Creates the values of a list. The host searches if the list shows only a part of the values. */
export function createValueSource(frame: ControlFrame): ValueSource {
  const { picture, field, column, draft, signal } = frame;
  const { rows = [], item, localeId, where, query } = picture;
  const words = controlWordsOf(localeId);
  const most = optionCountOf(item);
  const isCut = rows.length >= most;
  const { caseSensitive } = objectOf<"caseSensitive">(item.options.search);
  const fold = (text: string) => (caseSensitive === true ? text : text.toLocaleLowerCase(localeId));
  /** The last search. Answers to earlier searches are dropped. */
  let searching = new AbortController();

  const firstCells = (all: typeof rows) => all.map(([cell = null]) => cell);
  const filtered = (cells: readonly ChartCell[], typed: string) =>
    cells.filter((cell) => fold(cellText(column, cell, localeId)).includes(fold(typed)));

  /** Returns cells after the chosen values that are not among them. */
  function withChosen(cells: readonly ChartCell[], typed: string): readonly ChartCell[] {
    const keys = new Set(cells.map((cell) => column.key(cell)));
    const chosen = chosenValues(frame)
      .map((value) => draft.cells.get(column.key(value)) ?? value)
      .filter((cell) => !keys.has(column.key(cell)));
    return typed === "" || isCut ? [...chosen, ...cells] : cells;
  }

  /** Returns how many values there are, and whether some rows have none. */
  async function count(filters: readonly unknown[]) {
    // Periods of datetimes cannot be counted.
    const counted = field.type === "datetime" ? [] : query(countQueryOf(field, filters), signal);
    const missing = optionsQueryOf(item, [...filters, isMissing(field)]) ?? {};
    const [[row = []], some] = await Promise.all([counted, query(missing, signal)]);
    const [total] = row;
    return { total: typeof total === "number" ? total : undefined, hasMissing: some.length > 0 };
  }

  function noteFor(shown: number, total: number | undefined): string {
    if (total === undefined) return viewWordsOf(localeId).cut;
    const { format } = new Intl.NumberFormat(localeId);
    return total > shown
      ? fillIn(words.shownOf, { shown: format(shown), count: format(total) })
      : "";
  }

  async function search(
    typed: string,
    filters: readonly unknown[],
    show: (found: FoundValues) => void,
  ): Promise<void> {
    searching.abort();
    searching = new AbortController();
    const mine = AbortSignal.any([signal, searching.signal]);
    try {
      const isFirst = typed === "";
      const found = isFirst ? rows : await query(optionsQueryOf(item, filters) ?? {}, mine);
      const isPart = found.length >= most;
      const counts = isPart || isFirst ? await count(filters) : undefined;
      if (mine.aborted) return;
      const cells = firstCells(found).filter(
        (cell) => caseSensitive !== true || fold(cellText(column, cell, localeId)).includes(typed),
      );
      for (const cell of cells) draft.cells.set(column.key(cell), cell);
      const hasOwn = cells.includes(null);
      const shown = counts?.hasMissing === true && isFirst && !hasOwn ? [null, ...cells] : cells;
      const { length } = cells.filter((cell) => cell !== null);
      show({
        cells: withChosen(shown, typed),
        note: isPart ? noteFor(length, counts?.total) : shown.length === 0 ? words.noMatch : "",
      });
    } catch (failure) {
      if (!mine.aborted)
        show({
          cells: withChosen([], typed),
          note: failure instanceof Error ? failure.message : String(failure),
        });
    }
  }

  return {
    isCut,
    find(given, show) {
      const typed = given.trim();
      searching.abort();
      const here = filtered(firstCells(rows), typed);
      const local = withChosen(here, typed);
      if (!isCut) {
        const isEmpty = local.length === 0 && typed !== "";
        return show({ cells: local, note: isEmpty ? words.noMatch : "" });
      }
      const test = typed === "" ? [] : [searchFilter(field, typed)];
      if (test.includes(undefined)) return show({ cells: local, note: words.notOnHost });
      show({ cells: local, note: viewWordsOf(localeId).loading });
      const run = () => void search(typed, [...where, ...test], show);
      if (typed === "") run();
      else frame.later(typingMs, run);
    },
  };
}

/** Returns the chosen values after the reader chose a cell or took the choice back. */
export function toggled(
  frame: ControlFrame,
  cell: ChartCell,
  isMultiple: boolean,
): { readonly values: readonly (string | number | null)[] } | undefined {
  const { column } = frame;
  const key = column.key(cell);
  const before = chosenValues(frame);
  const others = before.filter((value) => column.key(value) !== key);
  const isChosen = others.length < before.length;
  const values = isChosen
    ? isMultiple
      ? others
      : []
    : [...(isMultiple ? others : []), valueOf(cell)];
  return values.length === 0 ? undefined : { values };
}
