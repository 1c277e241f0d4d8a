import {
  createColors,
  darkTheme,
  drawItem,
  kindOfItem,
  lightTheme,
  loadedKind,
  languages,
  loadKind,
  loadWords,
  queryOf,
  readItem,
  type Scene,
} from "../../../../core/web/charts/index.ts";
import { samples, type Sample } from "./samples.ts";

const kindOf = (type: string) => kindOfItem(type)?.kind ?? "table";
const kinds = new Set(samples.map(({ stored }) => kindOf(readItem(stored).type)));
await Promise.all(
  languages.flatMap((language) => [...kinds].map((kind) => loadKind(kind, language))),
);
await Promise.all(languages.map(loadWords));

export interface DrawnSize {
  readonly width: number;
  readonly height: number;
  readonly theme: "light" | "dark";
  readonly localeId?: string;
  readonly timezoneId?: string;
  readonly nowMs?: number;
}

/** Draws a sample with the same functions as a dashboard. */
export function drawSample(
  { stored, rows, totals, pivotTotals, selected, failure, warnings }: Sample,
  { width, height, theme: name, localeId = "en", timezoneId = "UTC", nowMs }: DrawnSize,
): Scene {
  const item = readItem(stored);
  const theme = name === "dark" ? darkTheme : lightTheme;
  const drawKind = loadedKind(kindOf(item.type), localeId);
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
    ...(nowMs !== undefined && { nowMs }),
    ...(totals && { totals }),
    ...(pivotTotals && { pivotTotals }),
    ...(warnings && { warnings }),
    ...(selected && { selected }),
    ...(failure !== undefined && { failure }),
  };
  return drawItem(request, drawKind);
}
