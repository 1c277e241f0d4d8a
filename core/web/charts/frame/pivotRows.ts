import { safeColor } from "../color/contrast.ts";
import type { ChartCell } from "../answer/chartRequest.ts";
import { columnsIn, type Frame, type PlacedColumn } from "./frame.ts";

/** A series of a picture: the values of one measure, or of one value in the legend. */
export interface Series {
  /** Id that is unique within the picture. */
  readonly id: string;
  readonly name: string;
  readonly color: string;
  /** The measure whose format the values have. */
  readonly measure: PlacedColumn;
  /** One value per category; null for a category without a value. */
  readonly values: (number | null)[];
  /** For each value, the index of its row; undefined for a category without a row. */
  readonly rows: (number | undefined)[];
}

/** The rows of an answer, arranged by category and series. `category` is undefined if the item has none. */
export interface PivotedRows {
  readonly category: PlacedColumn | undefined;
  /** One cell per category, in the order of the answer. */
  readonly categories: ChartCell[];
  readonly series: readonly Series[];
}

/** Arranges the rows of an answer in a grid of categories and series. Hidden series have no values. O(rows). */
export function pivotRows(
  frame: Frame,
  slots: { readonly category: string; readonly legend?: string },
): PivotedRows {
  const { rows, request } = frame;
  const [category] = columnsIn(frame, slots.category);
  const [legend] = slots.legend === undefined ? [] : columnsIn(frame, slots.legend);
  const measures = columnsIn(frame, "measure");
  const categories: ChartCell[] = [];
  const places = new Map<string, number>();
  const series = new Map<string, Series>();
  const { colors, theme } = request;
  for (const [index, row] of rows.entries()) {
    const cell = category ? row[category.cell] : null;
    const key = category ? category.key(cell) : "";
    let place = places.get(key);
    if (place === undefined) {
      place = categories.push(cell ?? null) - 1;
      places.set(key, place);
    }
    for (const [number, measure] of measures.entries()) {
      const legendCell = legend ? row[legend.cell] : undefined;
      const name = legend ? legend.key(legendCell) : "";
      const id = `${number} ${name}`;
      let one = series.get(id);
      if (!one) {
        const color = legend
          ? colors.of(legend.field.columnId ?? "", name, legend.color(legendCell))
          : (safeColor(measure.field.color) ?? theme.series[number % theme.series.length] ?? "");
        one = {
          id,
          name: legend ? legend.text(legendCell) : measure.name,
          color,
          measure,
          values: [],
          rows: [],
        };
        series.set(id, one);
      }
      if (!request.hiddenSeries?.has(id)) one.values[place] = measure.number(row[measure.cell]);
      one.rows[place] = index;
    }
  }
  for (const one of series.values())
    for (let place = 0; place < categories.length; place++) one.values[place] ??= null;
  return { category, categories, series: [...series.values()] };
}
