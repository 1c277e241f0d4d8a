import { element } from "../view/index.ts";
import { controlWordsOf } from "./words/controlWordsOf.ts";

export interface CalendarOptions {
  readonly localeId: string;
  /** The first day of the week: 0 Sunday to 6 Saturday. */
  readonly firstDay: number;
  /** The current day in the reader's time zone, such as `2026-03-31`. */
  readonly today: string;
  onPick(day: string): void;
}

/** A calendar of one month, with a selected range of days. */
export interface Calendar {
  readonly root: HTMLElement;
  /** Shows a range, and the month of its last day. Empty strings are open ends. */
  show(from: string, to: string): void;
  focus(): void;
}

const dayMs = 86_400_000;
const isoOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const msOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

/**
 * Creates a calendar in which the reader picks days. Arrow keys move by days and weeks, Page Up and Page Down by
 * months, Home and End to the ends of the week; Enter picks the day.
 */
export function createCalendar({ localeId, firstDay, today, onPick }: CalendarOptions): Calendar {
  const words = controlWordsOf(localeId);
  const written = (options: Intl.DateTimeFormatOptions) => {
    const { format } = new Intl.DateTimeFormat(localeId, {
      ...options,
      calendar: "gregory",
      timeZone: "UTC",
    });
    return (ms: number) => format(ms);
  };
  const writeMonth = written({ month: "long", year: "numeric" });
  const writeDate = written({ dateStyle: "full" });
  const writeWeekday = written({ weekday: "short" });
  const writeLongWeekday = written({ weekday: "long" });
  const { format: writeNumber } = new Intl.NumberFormat(localeId, { useGrouping: false });
  let [from, to] = ["", ""];
  let active = msOf(today);

  const title = element("div", { class: "mf-month", "aria-live": "polite" });
  const arrow = (name: string, text: string, months: number) => {
    const button = element(
      "button",
      { type: "button", class: "mf-button", "aria-label": name },
      text,
    );
    button.addEventListener("click", () => move(monthsLater(active, months), false));
    return button;
  };
  const head = element(
    "div",
    { class: "mf-calendar-head" },
    arrow(words.earlierMonth, "‹", -1),
    title,
    arrow(words.laterMonth, "›", 1),
  );
  // 4 January 1970 was a Sunday.
  const weekdays = Array.from({ length: 7 }, (_, index) => (3 + firstDay + index) * dayMs);
  const names = element(
    "tr",
    {},
    ...weekdays.map((ms) =>
      element("th", { scope: "col", abbr: writeLongWeekday(ms) }, writeWeekday(ms)),
    ),
  );
  const body = element("tbody");
  const table = element("table", { role: "grid" }, element("thead", {}, names), body);
  const root = element("div", { class: "mf-calendar" }, head, table);

  function draw(): void {
    const first = Date.parse(`${isoOf(active).slice(0, 7)}-01T00:00:00.000Z`);
    const lead = (new Date(first).getUTCDay() - firstDay + 7) % 7;
    title.textContent = writeMonth(first);
    table.ariaLabel = title.textContent;
    const rows = Array.from({ length: 6 }, (_, week) =>
      element(
        "tr",
        {},
        ...Array.from({ length: 7 }, (__, at) => cellOf(first + (week * 7 + at - lead) * dayMs)),
      ),
    );
    body.replaceChildren(...rows);
  }

  function cellOf(ms: number): HTMLElement {
    const iso = isoOf(ms);
    const isEnd = iso === from || iso === to;
    const isInside = from !== "" && to !== "" && iso > from && iso < to;
    const cell = element(
      "td",
      {
        role: "gridcell",
        tabindex: ms === active ? 0 : -1,
        "aria-label": writeDate(ms),
        "aria-selected": String(isEnd || isInside),
        "aria-current": iso === today ? "date" : undefined,
        "data-day": iso,
        class: [
          ...(iso.slice(0, 7) === isoOf(active).slice(0, 7) ? [] : ["mf-outside"]),
          ...(isEnd ? ["mf-end"] : []),
        ].join(" "),
      },
      writeNumber(new Date(ms).getUTCDate()),
    );
    return cell;
  }

  function move(ms: number, isFocused: boolean): void {
    active = ms;
    draw();
    if (isFocused) body.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }

  function pick(day: string): void {
    active = msOf(day);
    onPick(day);
  }

  body.addEventListener("click", ({ target }) => {
    const cell = target instanceof Element ? target.closest<HTMLElement>("[data-day]") : null;
    const { day } = cell?.dataset ?? {};
    if (day !== undefined) pick(day);
  });
  body.addEventListener("keydown", (event) => {
    const column = (new Date(active).getUTCDay() - firstDay + 7) % 7;
    const isRtl = getComputedStyle(root).direction === "rtl" ? -1 : 1;
    const next = {
      ArrowLeft: active - isRtl * dayMs,
      ArrowRight: active + isRtl * dayMs,
      ArrowUp: active - 7 * dayMs,
      ArrowDown: active + 7 * dayMs,
      Home: active - column * dayMs,
      End: active + (6 - column) * dayMs,
      PageUp: monthsLater(active, event.shiftKey ? -12 : -1),
      PageDown: monthsLater(active, event.shiftKey ? 12 : 1),
    }[event.key];
    if (next !== undefined) move(next, true);
    else if (event.key === "Enter" || event.key === " ") pick(isoOf(active));
    else return;
    event.preventDefault();
  });
  draw();
  return {
    root,
    show(first, last) {
      [from, to] = [first, last];
      const shown = last || first;
      if (shown !== "") active = msOf(shown);
      const hadFocus = body.matches(":focus-within");
      draw();
      if (hadFocus) body.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    },
    focus: () => body.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
  };
}

/** Returns the same day some months later, or the last day of a month that is shorter. */
function monthsLater(ms: number, months: number): number {
  const date = new Date(ms);
  const last = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0);
  const dayCount = new Date(last).getUTCDate();
  return last - (dayCount - Math.min(date.getUTCDate(), dayCount)) * dayMs;
}
