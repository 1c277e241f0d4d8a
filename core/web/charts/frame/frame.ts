import type { ChartColumn } from "../answer/chartColumn.ts";
import type { ChartCell, ChartRequest } from "../answer/chartRequest.ts";
import type { Words } from "../words/words.ts";
import type { LegendEntry, Mark, SceneNode, TableRows } from "../scene.ts";

/** A rectangle of a picture, in pixels. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Everything that a draw function uses: the answer, the area to draw in, and the output. */
export interface Frame {
  readonly request: ChartRequest;
  readonly columns: readonly ChartColumn[];
  readonly rows: readonly (readonly ChartCell[])[];
  readonly words: Words;
  /** The area below the titles. A legend takes its space from the top. */
  area: Area;
  readonly nodes: SceneNode[];
  readonly notes: string[];
  /** Notes that the picture itself shows, so that the subtitle omits them. */
  readonly shownNotes: string[];
  /** Strings that explain the numbers, shown in the subtitle. */
  readonly subtitles: string[];
  legend: readonly LegendEntry[];
  /** Whether a note says which groups or rows the answer leaves out. */
  isCutSaid: boolean;
  /** The rows that a part of a table shows; undefined for other pictures. */
  tableRows: TableRows | undefined;
}

/** A column of a slot. `cell` is the index of its cells in a row of the answer. */
export interface PlacedColumn extends ChartColumn {
  readonly cell: number;
}

/** Returns the columns of the given slots, in the order of the answer. */
export function columnsIn({ columns }: Frame, ...slots: readonly string[]): PlacedColumn[] {
  return columns.flatMap((column, cell) =>
    slots.includes(column.field.slot) ? [{ ...column, cell }] : [],
  );
}

/** Creates the mark that represents a value of a row. */
export function markOf(
  row: number | undefined,
  category: string,
  series: string,
  value: string,
): Mark {
  return { ...(row !== undefined && { row }), category, series, value };
}
