import { darkTheme, lightTheme, safeColor, type ChartTheme } from "../../../charts/index.ts";

/** The names of a theme attribute; `auto` follows the machine of the reader. */
export type ThemeName = "light" | "dark" | "auto";

const properties = [
  "page",
  "background",
  "text",
  "muted",
  "grid",
  "axis",
  "positive",
  "negative",
] as const;

/**
 * Returns the theme of an element: light or dark, with the colours that custom properties of the page replace, such as
 * `--manifold-background` and `--manifold-series-1`. A value that is no `#rgb` or `#rrggbb` is ignored.
 */
export function readTheme(host: HTMLElement, name: ThemeName): ChartTheme {
  const isDark =
    name === "dark" || (name === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  const theme = isDark ? darkTheme : lightTheme;
  const styles = getComputedStyle(host);
  const read = (property: string) =>
    safeColor(styles.getPropertyValue(`--manifold-${property}`).trim());
  const replaced = properties.flatMap((property) => {
    const color = read(property);
    return color === undefined ? [] : [[property, color] as const];
  });
  const series = theme.series.map((color, index) => read(`series-${index + 1}`) ?? color);
  const isChanged =
    replaced.length > 0 || series.some((color, index) => color !== theme.series[index]);
  return isChanged ? { ...theme, ...Object.fromEntries(replaced), series } : theme;
}
