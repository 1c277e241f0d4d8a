import { rampColor } from "../color/rampColor.ts";
import { colorIn, colorRanges } from "../color/colorRanges.ts";
import { numberIn } from "../item/numberIn.ts";
import { objectOf } from "../item/readItem.ts";
import { readableOn } from "../color/contrast.ts";
import { timeLabels } from "../format/datetimeFormats.ts";
import { columnsIn, markOf, type Frame, type PlacedColumn } from "../frame/frame.ts";
import type { ChartCell } from "../answer/chartRequest.ts";
import { drawCategories } from "../axes/drawCategories.ts";
import { rect, text } from "../frame/nodes.ts";
import { cutSentence } from "../frame/sayCut.ts";
import { fitNames } from "../text/fitNames.ts";
import { measureText } from "../text/measureText.ts";

/**
 * Draws a grid of cells that are darker for higher values, with a colour scale above the grid. Cells without data are
 * omitted.
 */
export function drawHeatTable(frame: Frame): void {
  const { nodes, request, rows } = frame;
  const { theme, localeId } = request;
  const [across] = columnsIn(frame, "x-axis");
  const [down] = columnsIn(frame, "y-axis");
  const [measure] = columnsIn(frame, "measure");
  if (!across || !down) return;
  const columns = distinct(rows, across);
  const lines = distinct(rows, down);
  const values = measure
    ? rows.map((row) => measure.number(row[measure.cell])).filter((value) => value !== null)
    : [];
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const color = rampColor(theme);
  const { options } = request.item;
  const manual = objectOf<"ranges">(options.manualValues);
  const ranges =
    options.colorsClass === "manual" ? colorRanges(manual.ranges, theme.background) : [];
  const look = objectOf<"opacity" | "rounding" | "spacing">(options.heattable);
  const opacity = numberIn(look.opacity, 0.05, 1) ?? 1;
  const radius = numberIn(look.rounding, 0, 24) ?? 0;
  const spacing = numberIn(look.spacing, 0, 20) ?? 1;
  if (measure && low <= high && ranges.length === 0) drawScale();
  const { area } = frame;
  const names = lines.cells.map((cell) => down.text(cell));
  const left =
    Math.min(area.width * 0.35, Math.max(...names.map((name) => measureText(name, 12)))) + 10;
  const below = across.isDatetime ? 40 : 24;
  const plot = {
    x: area.x + left,
    y: area.y,
    width: area.width - left,
    height: area.height - below,
  };
  const fits = Math.max(1, Math.floor(plot.height / 8));
  const lineCount = Math.min(lines.cells.length, fits);
  if (lineCount < lines.cells.length)
    frame.notes.push(
      cutSentence(frame, { name: down.name, shown: lineCount, count: lines.cells.length }),
    );
  const width = plot.width / columns.cells.length;
  const height = Math.min(48, plot.height / lineCount);
  const isLabelled =
    measure !== undefined &&
    objectOf<"display">(options.values).display !== false &&
    height >= 16 &&
    values.every((value) => measureText(measure.text(value), 11) <= width - 6);
  for (const [index, row] of rows.entries()) {
    const line = lines.places.get(down.key(row[down.cell])) ?? 0;
    const column = columns.places.get(across.key(row[across.cell])) ?? 0;
    const value = measure ? measure.number(row[measure.cell]) : 1;
    if (value === null || line >= lineCount) continue;
    const own = colorIn(ranges, value);
    // A value in no range has no colour of its own.
    const fill =
      ranges.length > 0
        ? (own ?? theme.grid)
        : measure
          ? color(high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0.6)
          : (theme.series[0] ?? "");
    const shown = measure ? measure.text(value) : "";
    const [x, y] = [plot.x + column * width, plot.y + line * height];
    const mark = markOf(
      index,
      `${down.text(row[down.cell])}, ${across.text(row[across.cell])}`,
      "",
      shown,
    );
    const [wide, tall] = [width, height].map((size) => Math.max(0.5, size - spacing));
    nodes.push(
      rect(x, y, wide ?? 0.5, tall ?? 0.5, {
        fill,
        mark,
        ...(opacity < 1 && { opacity }),
        ...(radius > 0 && { radius }),
      }),
    );
    if (isLabelled)
      nodes.push(
        text(x + width / 2, y + height / 2 + 4, shown, {
          fill: readableOn(fill, "#ffffff", "#14161a"),
          size: 11,
          anchor: "middle",
        }),
      );
  }
  const step = Math.max(1, Math.ceil(14 / height));
  for (const [index, name] of fitNames(names.slice(0, lineCount), left - 10, 12).entries())
    if (index % step === 0)
      nodes.push(
        text(plot.x - 10, plot.y + (index + 0.5) * height + 4, name, {
          fill: theme.text,
          anchor: "end",
        }),
      );
  const period = timeLabels(across.field.level ?? 5, localeId);
  let within = "";
  drawCategories(
    frame,
    columns.cells.map((cell, index) => {
      const wallMs = across.wallMs(cell);
      const at = plot.x + (index + 0.5) * width;
      if (wallMs === null) return { at, label: across.text(cell) };
      const label = period(wallMs);
      const isNew = label.within !== within;
      within = label.within;
      return { at, label: label.period, ...(isNew && { within }) };
    }),
    { ...plot, height: lineCount * height },
    { longest: Math.max(40, width - 4) },
  );

  function drawScale(): void {
    const { area } = frame;
    const count = 24;
    // The step is an integer number of pixels, because fractional edges would appear as stripes.
    const step = Math.max(1, Math.round(Math.min(168, area.width / 2) / count));
    const width = step * count;
    const from = measure!.text(low);
    const start = Math.round(area.x + measureText(from, 12) + 8);
    nodes.push(text(area.x, area.y + 10, from, { fill: theme.muted }));
    for (let index = 0; index < count; index++)
      nodes.push(
        rect(start + index * step, Math.round(area.y), step, 12, {
          fill: color(index / (count - 1)),
        }),
      );
    nodes.push(text(start + width + 8, area.y + 10, measure!.text(high), { fill: theme.muted }));
    frame.area = { ...area, y: area.y + 24, height: area.height - 24 };
  }
}

/**
 * Returns the values of a column without duplicates: periods in chronological order, others in the order of the answer.
 */
function distinct(rows: Frame["rows"], column: PlacedColumn) {
  const found = new Map<string, ChartCell>();
  for (const row of rows) {
    const cell = row[column.cell] ?? null;
    found.set(column.key(cell), cell);
  }
  const cells = [...found.values()];
  if (column.isDatetime)
    cells.sort((one, other) => (column.wallMs(one) ?? 0) - (column.wallMs(other) ?? 0));
  return { cells, places: new Map(cells.map((cell, index) => [column.key(cell), index])) };
}
