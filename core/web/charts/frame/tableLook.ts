import type { ChartTheme } from "../color/chartTheme.ts";
import { readableText } from "../color/readableText.ts";
import { readableOn } from "../color/contrast.ts";
import { readColor } from "../color/readColor.ts";
import type { ChartItem } from "../item/item.ts";
import { objectOf } from "../item/readItem.ts";

/** The side of a cell at which its text stands. */
export type CellAlign = "left" | "center" | "right";

/** The look of a table or pivot table, apart from the colours of its values. */
export interface TableLook {
  /** Background of the column names; undefined for that of the table. */
  readonly headBackground: string | undefined;
  /** A colour of the column names that is readable on their background. */
  readonly headColor: string;
  /** Whether every second row has a tinted background. */
  readonly isStriped: boolean;
  /** The lines between cells. Without `tableBorders`, thin lines separate the rows. */
  readonly borders: {
    readonly hasRows: boolean;
    readonly hasColumns: boolean;
    readonly color: string;
    readonly widthPx: number;
  };
  /** Undefined for the usual side: right for numbers, and left for other values. */
  readonly headAlign: CellAlign | undefined;
  readonly rowHeadAlign: CellAlign | undefined;
  readonly valueAlign: CellAlign | undefined;
  /** Whether long strings have two lines. */
  readonly isWrapped: boolean;
  /** Whether the names of rows stay in place while other columns scroll. */
  readonly isRowHeadSticky: boolean;
  /** Height of a row in pixels; undefined for the usual height. */
  readonly rowHeightPx: number | undefined;
}

const sides: readonly CellAlign[] = ["left", "center", "right"];
const tallest = 80;
const widestLine = 20;

/** Reads the look of a table. Invalid values have no effect. */
export function tableLook({ options }: ChartItem, theme: ChartTheme): TableLook {
  const headers = objectOf<"background" | "color">(options.headers);
  const cells = objectOf<"align" | "alternate">(options.valueCells);
  const borders = objectOf<"type" | "color" | "width">(options.tableBorders);
  const { type, width } = borders;
  const isGiven = type === "none" || type === "all" || type === "rows" || type === "columns";
  const headBackground = readColor(headers.background, theme.background);
  const wantedColor = readColor(headers.color, headBackground ?? theme.background);
  const onHead = readableOn(headBackground ?? theme.background, "#ffffff", "#14161a");
  const isStriped = cells.alternate === true || options.alternateRowColor === true;
  const alignIn = (value: unknown) => {
    const { align } = objectOf<"align">(value);
    const [named] = Array.isArray(align) ? align : [align];
    return sides.find((side) => side === named);
  };
  const { rowHeight } = options;
  return {
    headBackground,
    headColor:
      headBackground === undefined
        ? readableText(wantedColor ?? theme.muted, theme.background, theme.text)
        : readableText(wantedColor ?? onHead, headBackground, onHead),
    isStriped,
    borders: {
      hasRows: !isGiven || type === "all" || type === "rows",
      hasColumns: type === "all" || type === "columns",
      color: (isGiven ? readColor(borders.color, theme.background) : undefined) ?? theme.grid,
      widthPx: isGiven && typeof width === "number" && width >= 1 ? Math.min(widestLine, width) : 1,
    },
    headAlign: alignIn(options.columnHeaders),
    rowHeadAlign: alignIn(options.rowHeaders),
    valueAlign: alignIn(options.valueCells),
    isWrapped: options.wrapText === true,
    isRowHeadSticky: objectOf<"sticky">(options.rowHeaders).sticky !== false,
    rowHeightPx:
      typeof rowHeight === "number" && rowHeight >= 18 ? Math.min(tallest, rowHeight) : undefined,
  };
}
