import type { ChartTheme, TableLook } from "../../charts/index.ts";

/** Applies the look of a table to its scrolling element, as classes and custom properties. */
export function applyLook(
  { classList, style }: HTMLElement,
  { borders, headBackground, headColor, isStriped, rowHeightPx }: TableLook,
  theme: ChartTheme,
): void {
  classList.toggle("mf-row-lines", borders.hasRows);
  classList.toggle("mf-column-lines", borders.hasColumns);
  classList.toggle("mf-stripes", isStriped);
  const properties = {
    "--mf-row": `${rowHeightPx ?? 28}px`,
    "--mf-line": borders.color,
    "--mf-line-width": `${borders.widthPx}px`,
    "--mf-head": headBackground ?? theme.background,
    "--mf-head-text": headColor,
  };
  for (const [name, value] of Object.entries(properties)) style.setProperty(name, value);
}
