import { safeColor } from "../color/contrast.ts";
import type { ChartCell } from "../answer/chartRequest.ts";
import { foldSeries } from "../answer/foldSeries.ts";
import { columnsIn, type Frame, type PlacedColumn } from "./frame.ts";
import { countText, cutSentence } from "./sayCut.ts";
import { valueColors } from "./valueColors.ts";

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

/** Id of the series that combines the values of a legend without a colour of their own. */
const othersId = "\0others";

/**
 * Arranges the rows of an answer in a grid of categories and series. Hidden series have no values. Values of the legend
 * beyond the palette are combined in the last series, and a note says so. O(rows).
 */
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
  const { theme, item, fields } = request;
  const colorOf = legend && valueColors(frame, legend);
  const folded = legend && (request.folded ?? foldSeries(item, fields, rows));
  const placeOf = (row: readonly ChartCell[]): number => {
    const cell = category ? row[category.cell] : null;
    const key = category ? category.key(cell) : "";
    const known = places.get(key);
    if (known !== undefined) return known;
    const place = categories.push(cell ?? null) - 1;
    places.set(key, place);
    return place;
  };
  for (const [index, row] of rows.entries()) {
    const place = placeOf(row);
    if (folded && legend && !folded.kept.has(legend.key(row[legend.cell]))) continue;
    for (const [number, measure] of measures.entries()) {
      const legendCell = legend ? row[legend.cell] : undefined;
      const name = legend ? legend.key(legendCell) : "";
      const id = `${number} ${name}`;
      let one = series.get(id);
      if (!one) {
        const color = legend
          ? (colorOf?.(legendCell) ?? "")
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
  if (folded && legend) addOthers();
  for (const one of series.values())
    for (let place = 0; place < categories.length; place++) one.values[place] ??= null;
  return { category, categories, series: [...series.values()] };

  function addOthers(): void {
    if (!folded || !legend) return;
    const { kept, count, rows: others } = folded;
    const [shown, all] = [kept.size, kept.size + count];
    frame.notes.push(cutSentence(frame, { name: legend.name, shown, count: all, isTop: true }));
    for (const [number, measure] of others === undefined ? [] : measures.entries()) {
      const id = `${number} ${othersId}`;
      const one: Series = {
        id,
        name: `${frame.words.other} (${countText(frame, count)})`,
        color: theme.axis,
        measure,
        values: [],
        rows: [],
      };
      for (const row of others ?? []) {
        const place = placeOf(row);
        if (!request.hiddenSeries?.has(id)) one.values[place] = measure.number(row[measure.cell]);
      }
      series.set(id, one);
    }
  }
}
