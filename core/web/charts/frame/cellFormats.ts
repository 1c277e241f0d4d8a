import type { ChartColumn } from "../answer/chartColumn.ts";
import type { ChartCell } from "../answer/chartRequest.ts";
import type { ChartTheme } from "../color/chartTheme.ts";
import { readableOn } from "../color/contrast.ts";
import type { Colors } from "../color/createColors.ts";
import { readableText } from "../color/readableText.ts";
import { colorRanges } from "../color/colorRanges.ts";
import { readColor } from "../color/readColor.ts";
import type { ChartItem } from "../item/item.ts";
import { listOf, objectOf } from "../item/readItem.ts";
import type { Stored } from "../item/stored.ts";

/** The colours of one table cell. */
interface CellPaint {
  readonly on: "text" | "background" | "badge";
  readonly fill: string;
  /** A text colour that is readable on the fill, or on the background of the table if the cell has no fill. */
  readonly text: string;
}

/** A colour for numbers from a lower bound up to the next range. The lowest range starts at -Infinity. */
export interface CellRange {
  readonly from: number;
  readonly paint: CellPaint;
}

/** The look of the cells in a table column. */
export interface CellFormat {
  /** Colour of the column's bars; undefined for a column without bars. */
  readonly barColor: string | undefined;
  readonly isPainted: boolean;
  /** Whether cells show no text, only their colour or bar. */
  readonly isTextHidden: boolean;
  /** Width set by the options, in pixels; undefined if the column is as wide as its text needs. */
  readonly widthPx: number | undefined;
  /** Colours for ranges of numbers, in ascending order of their lower bounds. Empty if there are none. */
  readonly ranges: readonly CellRange[];
  /** Returns the number whose bar fills a whole cell: the largest value, the sum, or a number from the options. */
  fullBar(numbers: readonly (number | null)[]): number;
  /** Returns the colours of a cell; undefined for a cell without colours of its own. */
  paint(cell: ChartCell | undefined): CellPaint | undefined;
}

/**
 * For each mode of a column, the part of the cell that it colours. The modes are those of the package
 * `@luzmo/dashboard-contents-types` 1.0.31.
 */
const paintedBy: Readonly<Record<string, CellPaint["on"]>> = {
  conditionalText: "text",
  conditionalBackground: "background",
  conditionalBadge: "badge",
  categoryBackground: "background",
  categoryBadge: "badge",
};

const narrowestPx = 40;
const widestPx = 800;

/** Returns the column width for desktops, or the first stored width if there is none for desktops. */
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

/**
 * Reads the looks of a table's cells from its options. Entries of `columns` identify a column with `slotContentId` or
 * `id`: the id of a slot content, a column or a formula. Their members are `mode`, `barColor`, `target`,
 * `manualTarget`, `conditional`, `colorEmpty`, `emptyValueColor`, `hideDataValues` and `width`. Options are free text,
 * so invalid colours and unknown modes have no effect.
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
    return colorRanges(entry.conditional, theme.background).map(({ from, color }) => ({
      from,
      paint: paintWith(color, on),
    }));
  }
}
