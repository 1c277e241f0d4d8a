import { axisWidth, drawValueAxis } from "../axes/drawValueAxis.ts";
import { drawCategories } from "../axes/drawCategories.ts";
import { timeTicks } from "../axes/timeTicks.ts";
import { valueAxis } from "../axes/valueAxis.ts";
import { readColor } from "../color/readColor.ts";
import { columnsIn, markOf, type Frame } from "../frame/frame.ts";
import { line, rect } from "../frame/nodes.ts";
import { optionNumber } from "../frame/optionNumber.ts";
import { objectOf } from "../item/readItem.ts";
import { noteLeftOut } from "./noteLeftOut.ts";

/**
 * Draws the first, highest, lowest and last value of periods: as a line with a tick to the left for the first and one
 * to the right for the last value, or as a candlestick. Periods are at their place on a time axis.
 */
export function drawCandles(frame: Frame): void {
  const { nodes, request, rows, area } = frame;
  const { theme, item, localeId } = request;
  const { options } = item;
  const [period] = columnsIn(frame, "x-axis");
  const columns = ["open", "high", "low", "close"].map((slot) => columnsIn(frame, slot)[0]);
  const [open, high, low, close] = columns;
  if (!open || !high || !low || !close) return;
  const empty: string[] = [];
  const candles = rows.flatMap((row, index) => {
    const [first, most, least, last] = [open, high, low, close].map((column) =>
      column.number(row[column.cell]),
    );
    const name = period ? period.text(row[period.cell]) : "";
    if (first == null || most == null || least == null || last == null) {
      empty.push(name);
      return [];
    }
    const wallMs = period?.isDatetime === true ? period.wallMs(row[period.cell]) : index;
    if (wallMs === null) {
      empty.push(name);
      return [];
    }
    return [{ index, name, first, most, least, last, wallMs }];
  });
  noteLeftOut(frame, "withoutValue", empty.length, empty);
  if (candles.length === 0) return;
  candles.sort((one, other) => one.wallMs - other.wallMs);
  const axis = valueAxis(
    candles.flatMap(({ most, least, first, last }) => [most, least, first, last]),
    { length: area.height - 44, fromZero: false, style: close.field, localeId },
  );
  if (axis.low > 0) frame.notes.push(frame.words.notFromZero);
  const left = axisWidth(axis);
  const plot = {
    x: area.x + left,
    y: area.y + 6,
    width: Math.max(1, area.width - left - 8),
    height: Math.max(1, area.height - 46),
  };
  drawValueAxis(frame, axis, plot);
  const fromMs = candles[0]!.wallMs;
  const toMs = candles.at(-1)!.wallMs;
  const gaps = candles.slice(1).map(({ wallMs }, index) => wallMs - candles[index]!.wallMs);
  const smallest = Math.min(...gaps.filter((gap) => gap > 0), toMs - fromMs || 1);
  const count = (toMs - fromMs) / smallest + 1;
  const band = plot.width / count;
  const x = (wallMs: number) => plot.x + band / 2 + ((wallMs - fromMs) / smallest) * band;
  const y = (value: number) => plot.y + (1 - axis.at(value)) * plot.height;
  const width = Math.max(1, Math.min(18, band * 0.62));
  const look = objectOf<"colors" | "fill" | "strokeWidth">(options.ohlc);
  const stored = objectOf<"higher" | "lower">(look.colors);
  const higher = readColor(stored.higher, theme.background) ?? theme.positive;
  const lower = readColor(stored.lower, theme.background) ?? theme.negative;
  const strokeWidth = optionNumber(look.strokeWidth, { least: 0.5, most: 10, otherwise: 1 });
  const isCandle = options.mode === "candlestick";
  for (const { index, name, first, most, least, last, wallMs } of candles) {
    const isRise = last >= first;
    const stroke = isRise ? higher : lower;
    const middle = x(wallMs);
    const [top, bottom] = [y(Math.max(first, last)), y(Math.min(first, last))];
    const four = [
      [open, first],
      [high, most],
      [low, least],
      [close, last],
    ] as const;
    const shown = four.map(([column, value]) => `${column.name}: ${column.text(value)}`).join("; ");
    const mark = markOf(index, name, "", shown);
    if (isCandle) {
      const isFilled = look.fill === "always" || (look.fill !== "never" && !isRise);
      nodes.push(line([middle, y(most)], [middle, top], { stroke, strokeWidth }));
      nodes.push(line([middle, bottom], [middle, y(least)], { stroke, strokeWidth }));
      nodes.push(
        rect(middle - width / 2, top, width, Math.max(1, bottom - top), {
          fill: isFilled ? stroke : theme.background,
          stroke,
          strokeWidth,
          mark,
        }),
      );
      continue;
    }
    // An invisible box makes thin lines easy to point at.
    nodes.push(
      rect(middle - band / 2, y(most), band, Math.max(1, y(least) - y(most)), {
        fill: theme.background,
        opacity: 0,
        mark,
      }),
    );
    const thick = strokeWidth + 0.5;
    nodes.push(line([middle, y(most)], [middle, y(least)], { stroke, strokeWidth: thick }));
    nodes.push(
      line([middle - width / 2, y(first)], [middle, y(first)], { stroke, strokeWidth: thick }),
    );
    nodes.push(
      line([middle, y(last)], [middle + width / 2, y(last)], { stroke, strokeWidth: thick }),
    );
  }
  const isTime = period?.isDatetime === true && candles.length > 1;
  drawCategories(
    frame,
    isTime
      ? timeTicks(fromMs, toMs, plot.width / 56, { level: period.field.level, localeId }).map(
          ({ wallMs, period: label, within }) => ({ at: x(wallMs), label, within }),
        )
      : candles.map(({ wallMs, name }) => ({ at: x(wallMs), label: name })),
    plot,
    { longest: Math.max(48, band - 4) },
  );
}
