import { numberFormat } from "../format/numberFormats.ts";
import { markOf, type Frame } from "../frame/frame.ts";
import { path, rect, text } from "../frame/nodes.ts";
import { fitNames } from "../text/fitNames.ts";
import { measureText } from "../text/measureText.ts";
import { objectOf } from "../item/readItem.ts";
import { partsOf } from "./partsOf.ts";

/** Draws steps as centred bars, with their value and their share of the first and of the previous step. */
export function drawFunnel(frame: Frame): void {
  const { nodes, request } = frame;
  const { theme, localeId } = request;
  const { measure, parts: all } = partsOf(frame);
  // The groups that the answer leaves out are no step.
  const parts = all.filter(({ row }) => row !== undefined);
  const { area } = frame;
  const [first] = parts;
  if (!first || !measure) return;
  const funnel = objectOf<"absValue" | "perc">(request.item.options.funnel);
  const share = numberFormat({ format: ".0%" }, localeId);
  const left =
    Math.min(area.width * 0.3, Math.max(...parts.map(({ name }) => measureText(name, 13)))) + 12;
  const right =
    Math.max(...parts.map(({ value }) => measureText(measure.text(value), 13, 600))) + 56;
  const width = Math.max(40, area.width - left - right);
  const step = Math.min(64, area.height / parts.length);
  const height = step * 0.72;
  const middle = area.x + left + width / 2;
  const most = Math.max(...parts.map(({ value }) => value));
  const color = theme.series[0] ?? "";
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  const hasValues = funnel.absValue !== false;
  const shareOf = ({ value }: { readonly value: number }) =>
    funnel.perc === "hide" ? "" : share(value / (funnel.perc === "ofTot" ? total : first.value));
  const names = fitNames(
    parts.map(({ name }) => name),
    left - 12,
    13,
  );
  for (const [index, part] of parts.entries()) {
    const y = area.y + index * step;
    const wide = (width * part.value) / most;
    const shown = measure.text(part.value);
    const next = parts[index + 1];
    if (next) {
      const narrow = (width * next.value) / most;
      const [above, below] = [
        Math.round((y + height) * 100) / 100,
        Math.round((y + step) * 100) / 100,
      ];
      const at = (x: number) => Math.round(x * 100) / 100;
      nodes.push(
        path(
          `M${at(middle - wide / 2)},${above}L${at(middle + wide / 2)},${above}L${at(middle + narrow / 2)},${below}L${at(middle - narrow / 2)},${below}Z`,
          { fill: color, opacity: 0.15 },
        ),
      );
    }
    nodes.push(
      rect(middle - wide / 2, y, wide, height, {
        fill: color,
        radius: 2,
        mark: markOf(part.row, part.name, "", `${shown} (${share(part.value / first.value)})`),
      }),
    );
    const base = y + height / 2 + 5;
    nodes.push(
      text(area.x + left - 12, base, names[index] ?? "", {
        fill: theme.text,
        size: 13,
        anchor: "end",
      }),
    );
    nodes.push(
      text(area.x + area.width - 44, base, hasValues ? shown : "", {
        fill: theme.text,
        size: 13,
        weight: 600,
        anchor: "end",
      }),
    );
    nodes.push(
      text(area.x + area.width, base, shareOf(part), {
        fill: theme.muted,
        size: 13,
        anchor: "end",
      }),
    );
  }
}
