import type { ChartColumn } from "../answer/chartColumn.ts";
import type { ChartCell, ChartRequest } from "../answer/chartRequest.ts";
import type { Words } from "../format/words.ts";
import type { LegendEntry, Mark, SceneNode } from "../scene.ts";

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The working set of the drawing of a kind: the answer, where to draw, and where to put what it draws. */
export interface Frame {
  readonly request: ChartRequest;
  readonly columns: readonly ChartColumn[];
  readonly rows: readonly (readonly ChartCell[])[];
  readonly words: Words;
  /** Below the titles; a legend takes from its top. */
  area: Area;
  readonly nodes: SceneNode[];
  readonly notes: string[];
  /** Notes that the picture shows where they belong: the subtitle leaves them out. */
  readonly shownNotes: string[];
  /** Shown below the title: what the numbers are. */
  readonly subtitles: string[];
  legend: readonly LegendEntry[];
}

/** The columns of a slot, with their place in a row. */
export interface PlacedColumn extends ChartColumn {
  readonly cell: number;
}

/** Returns the columns of the slots, in the order of the answer. */
export function columnsIn({ columns }: Frame, ...slots: readonly string[]): PlacedColumn[] {
  return columns.flatMap((column, cell) =>
    slots.includes(column.field.slot) ? [{ ...column, cell }] : [],
  );
}

/** Makes the mark of a row's value. */
export function markOf(
  row: number | undefined,
  category: string,
  series: string,
  value: string,
): Mark {
  return { ...(row !== undefined && { row }), category, series, value };
}
