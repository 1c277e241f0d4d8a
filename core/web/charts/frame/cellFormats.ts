import type { ChartColumn } from "../answer/chartColumn.ts";
import type { ChartCell } from "../answer/chartRequest.ts";
import type { ChartTheme } from "../color/chartTheme.ts";
import { readableOn } from "../color/contrast.ts";
import type { Colors } from "../color/createColors.ts";
import { readableText } from "../color/readableText.ts";
import { readColor } from "../color/readColor.ts";
import type { ChartItem } from "../item/item.ts";
import { listOf, objectOf } from "../item/readItem.ts";
import type { Stored } from "../item/stored.ts";

/** How a cell of a table is coloured. */
interface CellPaint {
  readonly on: "text" | "background" | "badge";
  readonly fill: string;
  /** A colour for the text, which reads on the fill, or on the ground of the table. */
  readonly text: string;
}

/** The colour of numbers from a value up to the next range; the one below all others begins at -Infinity. */
export interface CellRange {
  readonly from: number;
  readonly paint: CellPaint;
}

/** How the cells of a column of a table look. */
export interface CellFormat {
  /** The colour of bars over the range of the column; undefined for none. */
  readonly barColor: string | undefined;
  readonly isPainted: boolean;
  /** Whether the text of a cell is left out: its colour or bar says enough. */
  readonly isTextHidden: boolean;
  /** The width that the options give the column; undefined for one by its texts. */
  readonly widthPx: number | undefined;
  /** Colours of numbers from a value on, the lowest first; empty for a column without. */
  readonly ranges: readonly CellRange[];
  /** Returns the number whose bar is as long as the cell: the largest, the sum, or the one that the options name. */
  fullBar(numbers: readonly (number | null)[]): number;
  /** Returns undefined for a cell that looks as others do. */
  paint(cell: ChartCell | undefined): CellPaint | undefined;
}

/** Modes of a column, of package `@luzmo/dashboard-contents-types` 1.0.31, by what they colour. */
const paintedBy: Readonly<Record<string, CellPaint["on"]>> = {
  conditionalText: "text",
  conditionalBackground: "background",
  conditionalBadge: "badge",
  categoryBackground: "background",
  categoryBadge: "badge",
};

const narrowestPx = 40;
const widestPx = 800;

/** The width of a column on a desktop, else on the first screen that has one. */
function widthOf(stored: unknown): number | undefined {
  const widths = objectOf<"desktop">(stored);
  const isWidth = (each: unknown) => typeof each === "number" && each > 0;
  const found = [widths.desktop, ...Object.values(widths)].find(isWidth);
  return typeof found === "number" ? Math.min(widestPx, Math.max(narrowestPx, found)) : undefined;
}

function fullBarOf(
  entry: Stored<"target" | "manualTarget">,
  numbers: readonly (number | null)[],
): number {
  const { target, manualTarget } = entry;
  if (target === "manual" && typeof manualTarget === "number" && manualTarget > 0)
    return manualTarget;
  let full = 0;
  for (const number of numbers) {
    const size = Math.abs(number ?? 0);
    full = target === "total" ? full + size : Math.max(full, size);
  }
  return full;
}

type EntryMember =
  | "slotContentId"
  | "id"
  | "mode"
  | "barColor"
  | "colorEmpty"
  | "conditional"
  | "emptyValueColor"
  | "hideDataValues"
  | "width";

/** Ranges of a column; more are no use to a reader. */
const mostRanges = 100;

/**
 * Reads the looks of the cells of a table from its options: `columns` names a column by `slotContentId` or `id`, the
 * id of a content of a slot, of its column or of its formula, with `mode`, `barColor`, `target`, `manualTarget`,
 * `conditional`, `colorEmpty`, `emptyValueColor`, `hideDataValues` and `width`. Options are free text: colours that are
 * none, and modes that are not known, have no effect.
 */
export function cellFormats(
  { options }: ChartItem,
  theme: ChartTheme,
  colors: Colors,
): (column: ChartColumn) => CellFormat {
  const entries = listOf(options.columns)
    .flatMap((each) => (Array.isArray(each) ? each : [each]))
    .map((each) => objectOf<EntryMember>(each));
  const allBars = objectOf<"bars">(options.cells).bars === true;
  return (column) => {
    const { id, columnId, formulaId } = column.field;
    const names = [id, columnId, formulaId].filter((name) => name !== undefined);
    const entry: Stored<EntryMember> =
      names
        .map((name) => entries.find((each) => name === (each.slotContentId ?? each.id)))
        .find((found) => found !== undefined) ?? {};
    const mode = typeof entry.mode === "string" ? entry.mode : "";
    const hasBars = column.isNumeric && (allBars || mode === "bar");
    const on = Object.hasOwn(paintedBy, mode) ? paintedBy[mode] : undefined;
    const isCategory = on !== undefined && mode.startsWith("category") && !column.isNumeric;
    const ranges = on && !isCategory && column.isNumeric ? rangesOf(entry, on) : [];
    const emptyColor = readColor(entry.emptyValueColor, theme.background);
    const emptyPaint =
      on && entry.colorEmpty === true && emptyColor ? paintWith(emptyColor, on) : undefined;
    return {
      isTextHidden: entry.hideDataValues === true,
      widthPx: widthOf(entry.width),
      fullBar: (numbers) => fullBarOf(entry, numbers),
      barColor: hasBars
        ? (readColor(entry.barColor, theme.background) ?? theme.series[0])
        : undefined,
      isPainted: isCategory || ranges.length > 0 || emptyPaint !== undefined,
      ranges,
      paint(cell) {
        if (cell === null || cell === undefined) return emptyPaint;
        const { key, color, field } = column;
        if (isCategory)
          return paintWith(colors.of(field.columnId ?? "", key(cell), color(cell)), on);
        const value = column.number(cell);
        return value === null ? undefined : ranges.findLast(({ from }) => from <= value)?.paint;
      },
    };
  };

  function paintWith(fill: string, on: CellPaint["on"]): CellPaint {
    const isText = on === "text";
    const text = isText
      ? readableText(fill, theme.background, theme.text)
      : readableOn(fill, "#ffffff", "#14161a");
    return { on, fill, text };
  }

  function rangesOf(entry: Stored<"conditional">, on: CellPaint["on"]): CellRange[] {
    return listOf(entry.conditional)
      .slice(0, mostRanges)
      .map((each) => objectOf<"color" | "isNegativeInfinityRange" | "val">(each))
      .flatMap((range) => {
        const fill = readColor(range.color, theme.background);
        const from = range.isNegativeInfinityRange === true ? -Infinity : range.val;
        const isRange = fill !== undefined && typeof from === "number" && !Number.isNaN(from);
        return isRange ? [{ from, paint: paintWith(fill, on) }] : [];
      })
      .toSorted((one, other) => (one.from < other.from ? -1 : Number(one.from > other.from)));
  }
}
