import { area as areaOf, line as lineOf } from "d3-shape";
import { numberFormat } from "../format/numberFormats.ts";
import { columnsIn, markOf, type Frame } from "../frame/frame.ts";
import { circle, path, text } from "../frame/nodes.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";

/**
 * Draws one number as large as it fits: of the last period, compared with the period before and with a line of all
 * periods; or compared with the second measure or the target.
 */
export function drawNumber(frame: Frame): void {
  const { nodes, request, rows, words, area } = frame;
  const { theme, item, localeId } = request;
  const [evolution] = columnsIn(frame, "evolution");
  const [measure, second] = columnsIn(frame, "measure", "target");
  if (!measure) return;
  const ordered = evolution
    ? rows
        .map((row, index) => ({ row, index, at: evolution.wallMs(row[evolution.cell]) ?? 0 }))
        .toSorted((one, other) => one.at - other.at)
    : rows.map((row, index) => ({ row, index, at: 0 }));
  const last = ordered.at(-1);
  const value = last ? measure.number(last.row[measure.cell]) : null;
  const shown = measure.text(value);
  const before = second
    ? last && { value: second.number(last.row[second.cell]), name: second.name }
    : evolution && ordered.length > 1
      ? {
          value: measure.number(ordered.at(-2)?.row[measure.cell]),
          name: evolution.text(ordered.at(-2)?.row[evolution.cell]),
        }
      : undefined;
  if (evolution && last) frame.subtitles.push(evolution.text(last.row[evolution.cell]));

  const hasPeriods = evolution !== undefined && ordered.length > 2;
  const hasLineBelow = hasPeriods && area.height > 110;
  const size =
    [64, 56, 48, 40, 34, 28, 24, 20].find(
      (each) =>
        measureText(shown, each, 600) <= area.width &&
        each * 1.2 <= area.height * (hasLineBelow ? 0.5 : 0.7),
    ) ?? 16;
  let y = area.y + size * 0.9;
  nodes.push({
    ...text(area.x, y, fitText(shown, area.width, size, 600), {
      fill: theme.text,
      size,
      weight: 600,
    }),
    mark: markOf(last?.index, "", measure.name, shown),
  });
  let end = area.x + measureText(shown, size, 600);
  if (before && before.value !== null && value !== null) {
    y += 24;
    const isInverse = item.options.evolutionColor === "inverse";
    const { sentence, change } = compare(value, before.value, before.name);
    const isGood = isInverse ? change < 0 : change > 0;
    const fill = change === 0 ? theme.muted : isGood ? theme.positive : theme.negative;
    nodes.push(text(area.x, y, fitText(sentence, area.width, 14), { fill, size: 14 }));
    end = Math.max(end, area.x + measureText(sentence, 14));
  }
  // The line of the periods: below the number, or beside it in a flat picture.
  const left = hasLineBelow ? area.x : end + 24;
  const top = hasLineBelow ? y + 16 : area.y + 4;
  const wide = area.x + area.width - left;
  const height = area.y + area.height - top - 4;
  if (!hasPeriods || height < 20 || wide < 80) return;
  const values = ordered.map(({ row }) => measure.number(row[measure.cell]));
  const known = values.filter((each) => each !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => left + (index / (values.length - 1)) * (wide - 6);
  const at = (each: number | null) =>
    top + (1 - ((each ?? low) - low) / (high - low || 1)) * height;
  const color = theme.series[0] ?? "";
  const isDefined = (each: number | null) => each !== null;
  const below = areaOf<number | null>((_, index) => x(index), top + height, at)
    .defined(isDefined)
    .digits(2);
  const above = lineOf<number | null>((_, index) => x(index), at)
    .defined(isDefined)
    .digits(2);
  nodes.push(path(below(values) ?? "", { fill: color, opacity: 0.12 }));
  nodes.push(path(above(values) ?? "", { stroke: color, strokeWidth: 2 }));
  for (const [index, each] of values.entries()) {
    const isLast = index === values.length - 1;
    if (each === null || !evolution) continue;
    const entry = ordered[index]!;
    nodes.push(
      circle(x(index), at(each), isLast ? 4 : 0, {
        fill: color,
        mark: markOf(
          entry.index,
          evolution.text(entry.row[evolution.cell]),
          "",
          measure.text(each),
        ),
      }),
    );
  }

  function compare(now: number, then: number, name: string) {
    const change = now - then;
    if (change === 0) return { change, sentence: `${words.same} ${name}` };
    const direction = change > 0 ? words.more : words.less;
    const arrow = change > 0 ? "↑" : "↓";
    const amount =
      then === 0
        ? measure!.text(Math.abs(change))
        : numberFormat(
            { format: Math.abs(change / then) < 0.1 ? ".1%" : ",.0%" },
            localeId,
          )(Math.abs(change / then));
    return { change, sentence: `${arrow} ${amount} ${direction} ${words.than} ${name}` };
  }
}
