import {
  createColors,
  darkTheme,
  drawItem,
  lightTheme,
  queryOf,
  readItem,
  type Scene,
} from "../../../core/charts/index.ts";
import type { Sample } from "./samples.ts";

export interface DrawnSize {
  readonly width: number;
  readonly height: number;
  readonly theme: "light" | "dark";
  readonly localeId?: string;
  readonly timezoneId?: string;
}

/** Draws a sample as a dashboard would. */
export function drawSample(
  { stored, rows, selected, failure }: Sample,
  { width, height, theme: name, localeId = "en", timezoneId = "UTC" }: DrawnSize,
): Scene {
  const item = readItem(stored);
  const theme = name === "dark" ? darkTheme : lightTheme;
  return drawItem({
    item,
    fields: queryOf(item)?.fields ?? [],
    rows,
    theme,
    colors: createColors(theme),
    width,
    height,
    localeId,
    timezoneId,
    ...(selected && { selected }),
    ...(failure !== undefined && { failure }),
  });
}
