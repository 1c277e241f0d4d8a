import {
  createColors,
  darkTheme,
  drawItem,
  kindOfItem,
  lightTheme,
  loadedKind,
  loadKind,
  queryOf,
  readItem,
  type Scene,
} from "../../../../core/web/charts/index.ts";
import { samples, type Sample } from "./samples.ts";

const kindOf = (type: string) => kindOfItem(type)?.kind ?? "table";
await Promise.all(samples.map(({ stored }) => loadKind(kindOf(readItem(stored).type))));

export interface DrawnSize {
  readonly width: number;
  readonly height: number;
  readonly theme: "light" | "dark";
  readonly localeId?: string;
  readonly timezoneId?: string;
}

/** Draws a sample with the same functions as a dashboard. */
export function drawSample(
  { stored, rows, totals, selected, failure }: Sample,
  { width, height, theme: name, localeId = "en", timezoneId = "UTC" }: DrawnSize,
): Scene {
  const item = readItem(stored);
  const theme = name === "dark" ? darkTheme : lightTheme;
  const drawKind = loadedKind(kindOf(item.type));
  if (!drawKind) throw new Error(`no sample has the kind of ${item.type}`);
  const request = {
    item,
    fields: queryOf(item)?.fields ?? [],
    rows,
    theme,
    colors: createColors(theme),
    width,
    height,
    localeId,
    timezoneId,
    ...(totals && { totals }),
    ...(selected && { selected }),
    ...(failure !== undefined && { failure }),
  };
  return drawItem(request, drawKind);
}
