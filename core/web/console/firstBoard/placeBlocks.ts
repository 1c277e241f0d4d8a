import { gridColumns } from "../../charts/index.ts";

/** An item of a plan before it has a position. */
export interface PlannedItem {
  readonly type: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly slots: readonly { readonly name: string; readonly content: readonly object[] }[];
  /** Decides the size of the item, and what it is placed next to. */
  readonly block: "control" | "number" | "chart" | "table";
  /** Whether a chart takes the whole width. */
  readonly isWide?: boolean;
  /** Whether the item leaves out the unfinished last period. */
  readonly isWithoutEnd?: boolean;
}

/** An item in the form in which dashboards store it. */
export interface PlacedItem {
  readonly id: string;
  readonly type: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly slots: PlannedItem["slots"];
  readonly position: {
    readonly col: number;
    readonly row: number;
    readonly sizeX: number;
    readonly sizeY: number;
  };
}

/** Heights in rows of 16 pixels. */
const heights = { control: 6, number: 9, chart: 19, table: 22 } as const;
const controlColumns = 16;

/**
 * Places items from top to bottom: controls and numbers in one row each, charts in pairs, and tables below. A chart
 * without a partner takes the whole width.
 */
export function placeBlocks(
  items: readonly (PlannedItem & { readonly id: string })[],
): readonly PlacedItem[] {
  const lines: (readonly (PlannedItem & { readonly id: string })[])[] = [];
  const of = (block: PlannedItem["block"]) => items.filter((item) => item.block === block);
  lines.push(of("control"), of("number"));
  const charts = of("chart");
  lines.push(...charts.filter(({ isWide }) => isWide).map((item) => [item]));
  const narrow = charts.filter(({ isWide }) => !isWide);
  for (let at = 0; at < narrow.length; at += 2) lines.push(narrow.slice(at, at + 2));
  lines.push(...of("table").map((item) => [item]));
  let row = 0;
  return lines
    .filter((line) => line.length > 0)
    .flatMap((line) => {
      const [first] = line;
      const sizeY = heights[first?.block ?? "chart"];
      const sizeX =
        first?.block === "control" ? controlColumns : Math.floor(gridColumns / line.length);
      const placed = line.map(({ id, type, options, slots }, index) => ({
        id,
        type,
        options,
        slots,
        position: { col: index * sizeX, row, sizeX, sizeY },
      }));
      row += sizeY;
      return placed;
    });
}
