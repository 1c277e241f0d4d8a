import {
  isDay,
  objectOf,
  fillIn,
  wallClock,
  type DateRange,
  daysBefore,
} from "../../charts/index.ts";
import { element, viewWordsOf } from "../view/index.ts";
import type { ControlFrame } from "./controlFrame.ts";
import { controlWordsOf } from "./words/controlWordsOf.ts";
import { createCalendar } from "./createCalendar.ts";
import { createComparison } from "./createComparison.ts";
import { firstDayOf, offeredRanges } from "./offeredRanges.ts";
import { parseDay, writeDay } from "./parseDay.ts";
import { unitText } from "./rangeText.ts";

/** What a panel of dates uses of the frame of its control. */
export interface DateFrame extends Pick<ControlFrame, "name" | "value" | "change"> {
  readonly picture: Pick<ControlFrame["picture"], "item" | "localeId" | "timezoneId">;
}

export interface DatePanelOptions {
  readonly frame: DateFrame;
  onChange(): void;
  close(): void;
}

/** Datetime levels that readers choose for a number of periods: days, weeks, months, quarters, years. */
const units = [5, 4, 3, 2, 1];

/** Fills the panel of a control of dates. Returns the element that gets the focus. */
export function fillDatePanel(
  panel: HTMLElement,
  { frame, onChange, close }: DatePanelOptions,
): HTMLElement | undefined {
  const { item, localeId } = frame.picture;
  const { displayRanges, showCustomRangeLabel, alwaysShowCalendars } = objectOf<
    "displayRanges" | "showCustomRangeLabel" | "alwaysShowCalendars"
  >(item.options.dateRange);
  const words = controlWordsOf(localeId);

  const before = frame.value();
  /** The comparison that applies to the range, and to the next range that the reader chooses. */
  let compare = before && "range" in before ? before.compare : undefined;
  function choose(range: DateRange | undefined): void {
    // Days are compared with as many days, which a range without two days does not have.
    if (typeof compare === "object" && (!range || daysBefore(range, compare.from) === undefined))
      compare = undefined;
    frame.change(range && { range, ...(compare && { compare }) });
    onChange();
    showComparison?.();
  }
  let showComparison: (() => void) | undefined;
  const chosen = (): DateRange | undefined => {
    const value = frame.value();
    return value && "range" in value ? value.range : undefined;
  };

  panel.classList.add("mf-dates");
  const parts: HTMLElement[] = [];
  if (displayRanges !== false) {
    const side = element("div", { class: "mf-ranges" });
    side.append(
      rangeList({ frame, chosen, choose, close }),
      lastPeriods({ frame, chosen, choose }),
    );
    parts.push(side);
  }
  if (showCustomRangeLabel !== false) {
    const custom = customRange({ frame, chosen, choose, close });
    if (alwaysShowCalendars === false && chosen()?.key !== "custom") {
      custom.hidden = true;
      const more = element("button", { type: "button", class: "mf-button" }, words.custom);
      more.addEventListener("click", () => {
        custom.hidden = false;
        more.remove();
        custom.querySelector("input")?.focus();
      });
      parts.push(more);
    }
    parts.push(custom);
  }
  panel.append(element("div", { class: "mf-dates-parts" }, ...parts));
  if (item.type === "date-comparison-filter") {
    const comparison = createComparison({
      localeId,
      timezoneId: frame.picture.timezoneId,
      range: chosen,
      compare: () => compare,
      onChange(next) {
        compare = next;
        if (chosen()) choose(chosen());
      },
    });
    showComparison = comparison.show;
    panel.append(comparison.root);
  }
  return panel.querySelector<HTMLElement>('[aria-pressed="true"], button, input') ?? undefined;
}

interface PartOptions {
  readonly frame: DateFrame;
  chosen(): DateRange | undefined;
  choose(range: DateRange | undefined): void;
}

/** The relative ranges. Arrow keys, Home and End move between them. */
function rangeList({ frame, chosen, choose, close }: PartOptions & { close(): void }): HTMLElement {
  const { item, localeId, timezoneId } = frame.picture;
  const now = JSON.stringify(chosen());
  const all = [
    { range: undefined, label: controlWordsOf(localeId).allDates },
    ...offeredRanges(item, localeId, timezoneId),
  ];
  const buttons = all.map(({ range, label }) => {
    const isChosen = JSON.stringify(range) === now;
    const button = element("button", { type: "button", "aria-pressed": String(isChosen) }, label);
    button.addEventListener("click", () => {
      choose(range);
      close();
    });
    return button;
  });
  const list = element("div", { class: "mf-range-list", role: "group" }, ...buttons);
  list.ariaLabel = frame.name;
  list.addEventListener("keydown", (event) => {
    const at = buttons.findIndex((each) => each.matches(":focus"));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (at === -1 || to === undefined) return;
    buttons.at(to % buttons.length)?.focus();
    event.preventDefault();
  });
  return list;
}

/** A number of periods up to now, running or complete. */
function lastPeriods({ frame, chosen, choose }: PartOptions): HTMLElement {
  const { localeId } = frame.picture;
  const words = controlWordsOf(localeId);
  const before = chosen();
  const isLast = before?.key === "last_now" || before?.key === "last_completed";
  const count = element("input", {
    type: "number",
    min: 1,
    max: 10_000,
    step: 1,
    "aria-label": words.number,
  });
  count.value = isLast ? String(before.quantity) : "7";
  const unit = element("select", { "aria-label": words.unit });
  for (const each of units) unit.append(element("option", { value: each }));
  unit.value = String(isLast && units.includes(before.unit) ? before.unit : 5);
  const complete = element("input", { type: "checkbox" });
  complete.checked = before?.key === "last_completed";
  const nameUnits = () => {
    for (const each of unit.options)
      each.textContent = unitText(Number(each.value), Number(count.value), localeId);
  };
  nameUnits();
  const change = () => {
    nameUnits();
    const quantity = Number(count.value);
    if (!Number.isInteger(quantity) || quantity < 1 || quantity > 10_000) return;
    choose({
      key: complete.checked ? "last_completed" : "last_now",
      unit: Number(unit.value),
      quantity,
    });
  };
  for (const each of [count, unit, complete]) each.addEventListener("change", change);
  return element(
    "div",
    { class: "mf-last", role: "group" },
    element("div", {}, element("span", {}, words.last), count, unit),
    element("label", {}, complete, words.isComplete),
  );
}

/** Two fields and a calendar for the first and the last day. The range includes both. */
function customRange({
  frame,
  chosen,
  choose,
  close,
}: PartOptions & { close(): void }): HTMLElement {
  const { item, localeId, timezoneId } = frame.picture;
  const { firstDay } = objectOf<"firstDay">(item.options.dateRange);
  const words = controlWordsOf(localeId);
  const viewWords = viewWordsOf(localeId);
  const today = new Date(wallClock(Date.now(), timezoneId)).toISOString().slice(0, 10);
  const range = chosen();
  const ends = range?.key === "custom" ? range.customRange : { from: "", to: "" };
  let [from, to] = [ends.from, ends.to].map((end) => dayOf(end, timezoneId));
  const problem = element("div", { class: "mf-note", role: "alert" });
  const calendar = createCalendar({
    localeId,
    today,
    firstDay:
      typeof firstDay === "number" && firstDay >= 0 && firstDay <= 6
        ? Math.floor(firstDay)
        : firstDayOf(localeId),
    onPick(day) {
      const isFirst = from === "" || to !== "";
      if (isFirst) [from, to] = [day, ""];
      else [from, to] = from !== undefined && day < from ? [day, from] : [from, day];
      show();
      if (isFirst) return;
      apply();
      close();
    },
  });
  const fields = [viewWords.from, viewWords.to].map((name) => {
    const input = element("input", { type: "text", placeholder: writeDay(today, localeId) });
    input.addEventListener("change", read);
    return { input, label: element("label", {}, name, input) };
  });

  function show(): void {
    for (const [index, { input }] of fields.entries()) {
      const day = index === 0 ? from : to;
      input.value = day ? writeDay(day, localeId) : "";
      input.removeAttribute("aria-invalid");
    }
    problem.textContent = "";
    calendar.show(from ?? "", to ?? "");
  }

  function read(): void {
    const days = fields.map(({ input }) => {
      const typed = input.value.trim();
      const day = typed === "" ? "" : parseDay(typed, localeId);
      input.setAttribute("aria-invalid", String(day === undefined));
      return day;
    });
    const [first, last] = days;
    problem.textContent =
      first === undefined || last === undefined
        ? fillIn(words.badDay, { example: writeDay(today, localeId) })
        : first !== "" && last !== "" && first > last
          ? words.badOrder
          : "";
    if (first === undefined || last === undefined || problem.textContent !== "") return;
    [from, to] = [first, last];
    show();
    apply();
  }

  const apply = () =>
    choose(
      from || to ? { key: "custom", customRange: { from: from ?? "", to: to ?? "" } } : undefined,
    );

  show();
  return element(
    "div",
    { class: "mf-custom", role: "group", "aria-label": words.custom },
    element("div", { class: "mf-pair" }, ...fields.map(({ label }) => label)),
    problem,
    calendar.root,
  );
}

/** Returns the day of a moment in a time zone; "" for an open end. */
function dayOf(moment: string, timezoneId: string): string {
  if (moment === "" || isDay(moment)) return moment;
  return new Date(wallClock(Date.parse(moment), timezoneId)).toISOString().slice(0, 10);
}
