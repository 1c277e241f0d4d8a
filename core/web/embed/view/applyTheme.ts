import type { ChartTheme } from "../../charts/index.ts";

/** Sets the colours of a theme as custom properties of an element, for the controls around a picture. */
export function applyTheme(
  { style }: HTMLElement,
  { name, background, text, muted, grid, axis, negative, page, series }: ChartTheme,
): void {
  const colors = {
    background,
    text,
    muted,
    grid,
    axis,
    negative,
    page,
    accent: series[0] ?? text,
    raised: name === "dark" ? grid : background,
  };
  for (const [property, color] of Object.entries(colors))
    style.setProperty(`--mf-${property}`, color);
  style.setProperty("color-scheme", name);
}
