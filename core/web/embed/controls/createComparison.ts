import {
  comparedRange,
  daysBefore,
  fillIn,
  hasTwoDays,
  type Comparison,
  type DateRange,
  type NamedComparison,
} from "../../charts/index.ts";
import { element } from "../view/index.ts";
import { parseDay, writeDay } from "./parseDay.ts";
import { rangeText } from "./rangeText.ts";
import { controlWordsOf } from "./words/controlWordsOf.ts";

export interface ComparisonOptions {
  readonly localeId: string;
  readonly timezoneId: string;
  /** Returns the range that is compared; undefined for all dates. */
  range(): DateRange | undefined;
  compare(): Comparison | undefined;
  onChange(comparison: Comparison | undefined): void;
}

/** The choice of what a range is compared with. */
export interface ComparisonChoice {
  readonly root: HTMLElement;
  /** Shows the comparison of the current range. */
  show(): void;
}

const named: readonly NamedComparison[] = ["none", "period", "year"];
const ofDays = "days";

/**
 * Creates the choice of what a range is compared with: nothing, an earlier period, or as many days from a day on. The
 * last choice needs a range between two days, and says which days are compared.
 */
export function createComparison(options: ComparisonOptions): ComparisonChoice {
  const { localeId, timezoneId, range, compare, onChange } = options;
  const words = controlWordsOf(localeId);
  const select = element(
    "select",
    {},
    ...named.map((each) => element("option", { value: each }, words.compareWith[each])),
    element("option", { value: ofDays }, words.compareDays),
  );
  const day = element("input", { type: "text" });
  const ofDay = element("label", {}, words.compareFrom, day);
  const note = element("div", { class: "mf-note", role: "status" });
  const root = element(
    "div",
    { class: "mf-compare" },
    element("label", {}, words.compare, select),
    ofDay,
    note,
  );

  const hasDays = () => {
    const current = range();
    return current !== undefined && hasTwoDays(current);
  };

  function show(): void {
    const now = compare();
    // A reader who wants to compare days may still have to choose the range.
    if (now !== undefined || select.value !== ofDays)
      select.value = typeof now === "object" ? ofDays : (now ?? "none");
    draw("");
  }

  function draw(problem: string): void {
    const now = compare();
    const current = range();
    ofDay.hidden = select.value !== ofDays || !hasDays();
    day.setAttribute("aria-invalid", String(problem !== ""));
    if (current?.key === "custom" && typeof now === "object") {
      if (problem === "") day.value = writeDay(now.from, localeId);
      const compared = rangeText(comparedRange(current, now.from), localeId, timezoneId);
      note.textContent = problem || fillIn(words.comparedDays, { range: compared });
    } else
      note.textContent =
        problem || (select.value === ofDays && !hasDays() ? words.compareNeedsDays : "");
  }

  function read(): void {
    const current = range();
    const from = parseDay(day.value.trim(), localeId);
    if (!current || from === undefined)
      return draw(fillIn(words.badDay, { example: writeDay("2026-03-01", localeId) }));
    if (daysBefore(current, from) === undefined) return draw(words.compareEarlier);
    onChange({ from });
    draw("");
  }

  select.addEventListener("change", () => {
    const comparison = named.find((each) => each === select.value);
    if (comparison === undefined) {
      draw("");
      if (!ofDay.hidden) day.focus();
      return;
    }
    onChange(comparison === "none" ? undefined : comparison);
    draw("");
  });
  day.addEventListener("change", read);
  show();
  return { root, show };
}
