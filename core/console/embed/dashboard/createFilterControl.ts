import {
  cleanText,
  readColumns,
  titleOf,
  wallClock,
  wordsOf,
  type ChartCell,
  type ChartItem,
  type ChartTheme,
  type SlotField,
} from "../../../charts/index.ts";
import { applyTheme, element, viewWordsOf } from "../view/index.ts";
import { filteredColumn } from "./clauseOf.ts";
import type { Clause } from "./createSelections.ts";

/** Values that a list offers at most; people search for others. */
const mostOptions = 1_000;
/** Milliseconds without a key after which a text is searched for. */
const typingMs = 250;
/** Values from which a list has a search box. */
const searchedOptions = 8;

export interface FilterPicture {
  readonly item: ChartItem;
  readonly theme: ChartTheme;
  readonly localeId: string;
  readonly timezoneId: string;
  /** Rows of the question of `optionsQueryOf`; none while they load, and for controls that ask nothing. */
  readonly rows?: readonly (readonly ChartCell[])[];
  readonly failure?: string;
}

export interface FilterControl {
  show(picture: FilterPicture): void;
  /** Empties the control, as its chip does. */
  clear(): void;
  close(): void;
}

type Form = "list" | "choice" | "search" | "dates" | "range";

const forms: Readonly<Record<string, Form>> = {
  "slicer-filter": "list",
  "dropdown-filter": "choice",
  "search-filter": "search",
  "date-filter": "dates",
  "date-comparison-filter": "dates",
  "slider-filter": "range",
};

/** Returns the question whose rows a control offers; undefined where it offers none. */
export function optionsQueryOf(item: ChartItem, where: readonly unknown[]): object | undefined {
  const [field] = item.fields;
  if (field?.columnId === undefined) return undefined;
  const column = filteredColumn(field);
  const rest = { ...(where.length > 0 && { where }) };
  const form = forms[item.type];
  if (form === "list" || form === "choice")
    return {
      dimensions: [column],
      order: [{ ...column, order: "asc" }],
      limit: { by: mostOptions },
      ...rest,
    };
  if (form === "range")
    return {
      measures: ["min", "max"].map((type) => ({ ...column, aggregation: { type } })),
      ...rest,
    };
  return undefined;
}

/** Makes the control of a filter item in an element: a list of values, a search box, dates, or a range of numbers. */
export function createFilterControl(
  container: HTMLElement,
  onChange: (clause: Clause | undefined) => void,
): FilterControl {
  const root = element("div", { class: "mf-control", part: "filter", role: "group" });
  container.append(root);
  let shown: FilterPicture | undefined;
  let chosen = new Map<string, ChartCell>();
  let typed = "";
  let ends = ["", ""];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const change = (where: readonly object[], label: string) => {
    const field = shown?.item.fields[0];
    const datasetIds = new Set(field?.datasetId === undefined ? [] : [field.datasetId]);
    onChange(where.length === 0 ? undefined : { where, datasetIds, label });
  };

  function changeList(field: SlotField): void {
    if (chosen.size === 0) return change([], "");
    const values = [...chosen.values()].map((cell) =>
      typeof cell === "object" && cell !== null ? cell.id : cell,
    );
    const [column] = columnsOf(field);
    const names = [...chosen.values()].map((cell) => column?.text(cell) ?? "");
    const rest = names.length - 3;
    change(
      [{ expression: "? in ?", parameters: [filteredColumn(field), values] }],
      `${names.slice(0, 3).join("; ")}${rest > 0 ? ` + ${rest}` : ""}`,
    );
  }

  const columnsOf = (field: SlotField) =>
    readColumns({
      fields: [field],
      localeId: shown?.localeId ?? "en",
      timezoneId: shown?.timezoneId ?? "UTC",
    });

  function drawList(field: SlotField, name: string): Node[] {
    const { rows, localeId = "en" } = shown ?? {};
    const words = viewWordsOf(localeId);
    const [column] = columnsOf(field);
    if (!column || !rows) return [element("div", { class: "mf-note" }, words.loading)];
    const list = element("div", {
      class: "mf-options",
      tabindex: 0,
      role: "group",
      "aria-label": name,
    });
    const fill = () => {
      const wanted = typed.toLocaleLowerCase(localeId);
      const cells = rows.map(([cell = null]) => cell);
      list.replaceChildren(
        ...cells
          .filter((cell) => column.text(cell).toLocaleLowerCase(localeId).includes(wanted))
          .map((cell) => {
            const key = column.key(cell);
            const box = element("input", { type: "checkbox" });
            box.checked = chosen.has(key);
            box.addEventListener("change", () => {
              if (box.checked) chosen.set(key, cell);
              else chosen.delete(key);
              changeList(field);
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
    search.value = typed;
    search.addEventListener("input", () => {
      typed = search.value;
      fill();
    });
    const note = rows.length < mostOptions ? [] : [element("div", { class: "mf-note" }, words.cut)];
    return [element("div", { class: "mf-pair" }, search), list, ...note];
  }

  function drawChoice(field: SlotField, name: string): Node[] {
    const { rows = [], localeId = "en" } = shown ?? {};
    const [column] = columnsOf(field);
    const select = element(
      "select",
      { "aria-label": name },
      element("option", { value: "" }, wordsOf(localeId).all),
    );
    for (const [index, [cell = null]] of rows.entries()) {
      const option = element("option", { value: index + 1 }, column?.text(cell) ?? "");
      option.selected = column !== undefined && chosen.has(column.key(cell));
      select.append(option);
    }
    select.addEventListener("change", () => {
      const cell = rows[Number(select.value) - 1]?.[0] ?? null;
      chosen = new Map(select.value === "" || !column ? [] : [[column.key(cell), cell]]);
      changeList(field);
    });
    return [element("div", { class: "mf-pair" }, select)];
  }

  function drawSearch(field: SlotField, name: string): Node[] {
    const input = element("input", { type: "search", "aria-label": name });
    input.value = typed;
    input.addEventListener("input", () => {
      typed = input.value;
      clearTimeout(timer);
      timer = setTimeout(() => {
        const text = typed.trim();
        change(
          text === ""
            ? []
            : [{ expression: "? like ?", parameters: [filteredColumn(field), text] }],
          cleanText(text),
        );
      }, typingMs);
    });
    return [element("div", { class: "mf-pair" }, input)];
  }

  function drawEnds(field: SlotField, type: "date" | "number", from: string, to: string): Node[] {
    const { localeId = "en", timezoneId = "UTC" } = shown ?? {};
    const words = viewWordsOf(localeId);
    const { level: _, ...instants } = field;
    const column = filteredColumn(instants);
    const isDate = field.subtype === "date";
    const inputs = ([from, to] as const).map((hint, index) => {
      const input = element("input", { type, placeholder: hint, step: "any" });
      input.value = ends[index] ?? "";
      input.addEventListener("change", () => {
        ends[index] = input.value;
        const [low = "", high = ""] = ends;
        const where: object[] = [];
        const test = (expression: string, value: unknown) =>
          where.push({ expression, parameters: [column, value] });
        if (type === "date") {
          if (low !== "") test("? >= ?", midnightOf(low, 0, isDate ? "UTC" : timezoneId));
          if (high !== "") test("? < ?", midnightOf(high, 1, isDate ? "UTC" : timezoneId));
        } else {
          if (low !== "") test("? >= ?", Number(low));
          if (high !== "") test("? <= ?", Number(high));
        }
        change(where, `${low || "…"} – ${high || "…"}`);
      });
      return element("label", {}, index === 0 ? words.from : words.to, input);
    });
    const pair = element("div", { class: "mf-pair" }, ...inputs);
    const isSlider = type === "number" && from !== "" && to !== "" && Number(from) < Number(to);
    return isSlider ? [drawSlider(field, Number(from), Number(to), pair), pair] : [pair];
  }

  /** Two handles over the range of a column, beside the fields that say the same in digits. */
  function drawSlider(field: SlotField, least: number, most: number, pair: HTMLElement): Node {
    const { localeId = "en" } = shown ?? {};
    const words = viewWordsOf(localeId);
    const [column] = columnsOf(field);
    const fields = [...pair.querySelectorAll("input")];
    const step = 10 ** Math.floor(Math.log10((most - least) / 100));
    const fill = element("span", { class: "mf-slider-fill" });
    const handles = [words.from, words.to].map((name, index) => {
      const bounds = { min: least, max: most, step: "any" };
      const handle = element("input", { type: "range", "aria-label": name, ...bounds });
      handle.value = ends[index] || String(index === 0 ? least : most);
      return handle;
    });
    const values = () => handles.map(({ value }) => Number(value));
    const show = () => {
      const [low = least, high = most] = values();
      const share = (value: number) => `${(100 * (value - least)) / (most - least)}%`;
      fill.style.setProperty("inset-inline-start", share(low));
      fill.style.setProperty("inset-inline-end", `calc(100% - ${share(high)})`);
      for (const [index, handle] of handles.entries())
        handle.ariaValueText = column?.text(values()[index] ?? null) ?? handle.value;
    };
    for (const [index, handle] of handles.entries()) {
      handle.addEventListener("input", () => {
        const [low = least, high = most] = values();
        // A handle stops at the other one.
        if (low > high) handle.value = String(index === 0 ? high : low);
        show();
        const digits = fields[index];
        if (!digits) return;
        const value = Number(handle.value);
        const isEnd = Math.abs(value - (index === 0 ? least : most)) < step / 2;
        digits.value = isEnd
          ? ""
          : String(Number((Math.round(value / step) * step).toPrecision(12)));
      });
      handle.addEventListener("change", () => fields[index]?.dispatchEvent(new Event("change")));
      fields[index]?.addEventListener("change", () => {
        handle.value = fields[index]?.value || String(index === 0 ? least : most);
        show();
      });
    }
    show();
    return element("div", { class: "mf-slider" }, fill, ...handles);
  }

  function draw(): void {
    if (!shown) return;
    const { item, localeId, timezoneId, theme, rows, failure } = shown;
    applyTheme(root, theme);
    const [field] = item.fields;
    const columns = readColumns({ fields: item.fields.slice(0, 1), localeId, timezoneId });
    const name = titleOf(item, columns, localeId) || columns[0]?.name || item.type;
    root.ariaLabel = name;
    const title = element("h3", {}, name);
    if (!field || failure !== undefined)
      return root.replaceChildren(
        title,
        element("div", { class: "mf-note" }, cleanText(failure ?? wordsOf(localeId).empty)),
      );
    const form = forms[item.type] ?? "list";
    const [low = null, high = null] = rows?.[0] ?? [];
    const number = (cell: ChartCell) => (typeof cell === "number" ? String(cell) : "");
    const controls =
      form === "list"
        ? drawList(field, name)
        : form === "choice"
          ? drawChoice(field, name)
          : form === "search"
            ? drawSearch(field, name)
            : form === "dates"
              ? drawEnds(field, "date", "", "")
              : drawEnds(field, "number", number(low), number(high));
    root.replaceChildren(title, ...controls);
  }

  return {
    show(next) {
      const isSame =
        shown?.rows === next.rows &&
        shown?.theme === next.theme &&
        shown?.failure === next.failure &&
        shown?.localeId === next.localeId;
      shown = next;
      // Controls in use are not replaced under the hand of the reader.
      if (!isSame) draw();
    },
    clear() {
      chosen = new Map();
      typed = "";
      ends = ["", ""];
      draw();
    },
    close() {
      clearTimeout(timer);
      root.remove();
    },
  };
}

/** Returns the instant at which a day of a zone begins, or the day after it. */
function midnightOf(day: string, daysLater: 0 | 1, timezoneId: string): string {
  const wallMs = Date.parse(`${day}T00:00:00.000Z`) + daysLater * 86_400_000;
  let instantMs = wallMs;
  // The offset at the first guess may be the one across a change of the clock; the second guess corrects it.
  for (let guess = 0; guess < 2; guess++) instantMs -= wallClock(instantMs, timezoneId) - wallMs;
  return new Date(instantMs).toISOString();
}
