import { fillIn } from "../words/templates.ts";
import { kindOfItem } from "../item/itemKinds.ts";
import { isByValue } from "../item/queryOf.ts";
import { columnsIn, type Frame, type PlacedColumn } from "./frame.ts";
import { restOf } from "./restOf.ts";
import { countText, sayCut } from "./sayCut.ts";

/** Notes which groups or rows the answer leaves out, unless the kind has said so with its own cut. */
export function sayLeftOut(frame: Frame): void {
  const { rows, request, columns, words, notes } = frame;
  const { leftOut, folded, item } = request;
  if (!leftOut || frame.isCutSaid) return;
  const [column] = leftOut.slot === undefined ? [] : columnsIn(frame, leftOut.slot);
  if (!column) {
    const all = leftOut.all && countText(frame, rows.length + leftOut.all.count);
    const count = all ?? fillIn(words.moreThan, { count: countText(frame, rows.length) });
    const isOfCells = ["pivot", "heatTable"].includes(kindOfItem(item.type)?.kind ?? "");
    const template = isOfCells ? words.cellsOf : words.rowsOf;
    notes.push(fillIn(template, { shown: countText(frame, rows.length), count }));
    return;
  }
  const drawn = [...rows, ...(folded?.rows ?? [])];
  const shown = new Set(drawn.map((row) => column.key(row[column.cell]))).size;
  const cell = columns.findIndex(({ field }) => field.slot === "measure");
  const found = columns[cell];
  const measure = found && { ...found, cell };
  sayCut(frame, {
    name: column.name,
    shown,
    count: leftOut.all && shown + leftOut.all.count,
    isTop: isByValue(item),
    ...(leftOut.isNewest && { from: firstPeriod(frame, column) }),
    rest: restOf(frame, measure, {
      shown: drawn.map((row) => measure?.number(row[cell]) ?? 0),
      hidden: [],
    }),
  });
}

function firstPeriod({ rows }: Frame, column: PlacedColumn): string | undefined {
  let first: number | undefined;
  let text: string | undefined;
  for (const row of rows) {
    const wallMs = column.wallMs(row[column.cell]);
    if (wallMs === null || (first !== undefined && wallMs >= first)) continue;
    first = wallMs;
    text = column.text(row[column.cell]);
  }
  return text;
}
