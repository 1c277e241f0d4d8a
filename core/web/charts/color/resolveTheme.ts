import { rgb } from "d3-color";
import { objectOf } from "../item/readItem.ts";
import { type ChartTheme, darkTheme, lightTheme } from "./chartTheme.ts";
import { contrast } from "./contrast.ts";
import { mixColors } from "./mixColors.ts";
import { readColor } from "./readColor.ts";
import { textContrast } from "./readableText.ts";
import { readCss, type CssDeclaration } from "./readCss.ts";

/** The look that a dashboard or a token defines. */
export interface Look {
  /** A theme in the form of `theme` records: `{type, background, itemsBackground, mainColor, colors}`. */
  readonly theme?: unknown;
  readonly css?: unknown;
}

/** Maximum number of series colours in a theme. */
const mostSeries = 20;

/**
 * Returns the theme of pictures. Browsers and the server get the same result. If the reader chose a theme (`wanted`),
 * returns that built-in theme. Otherwise applies the looks to the light theme, one after the other. Themes and CSS are
 * free text: values that are not colours, and properties that are not allowed, have no effect. Text keeps a contrast of
 * at least 4.5.
 */
export function resolveTheme(
  wanted: "light" | "dark" | undefined,
  looks: readonly Look[] = [],
): ChartTheme {
  if (wanted !== undefined) return wanted === "dark" ? darkTheme : lightTheme;
  let theme = lightTheme;
  for (const look of looks) {
    if (look.theme !== undefined && look.theme !== null) theme = withStored(theme, look.theme);
    const declarations = readCss(look.css);
    if (declarations.length > 0) theme = withCss(theme, declarations);
  }
  return theme;
}

function withStored(before: ChartTheme, stored: unknown): ChartTheme {
  const { type, background, itemsBackground, mainColor, colors } = objectOf(stored);
  const own = readColor(itemsBackground, before.background);
  const isDark = type === "dark" || (type !== "light" && own !== undefined && isDarkGround(own));
  const base = type === undefined && own === undefined ? before : isDark ? darkTheme : lightTheme;
  const page = readColor(background, base.page) ?? base.page;
  const ground = readColor(itemsBackground, page) ?? base.background;
  const main = readColor(mainColor, ground);
  const read = seriesIn(colors, ground);
  const given = read.length > 0 || main === undefined ? read : [main];
  return {
    ...withGround(base, ground),
    page,
    series: given.length > 0 ? withOthers(given, base.series) : base.series,
    ramp: main === undefined || main === base.series[0] ? base.ramp : rampOf(main, ground),
  };
}

/** Reads the series colours of a theme. Strings that are not colours are left out. */
function seriesIn(colors: unknown, ground: string): readonly string[] {
  const named = Array.isArray(colors) ? colors : [];
  return named.slice(0, mostSeries).flatMap((each) => readColor(each, ground) ?? []);
}

/** Returns a theme with other series colours, completed with its own colours; the same theme without valid colours. */
export function withSeries(theme: ChartTheme, colors: unknown): ChartTheme {
  const given = seriesIn(colors, theme.background);
  return given.length > 0 ? { ...theme, series: withOthers(given, theme.series) } : theme;
}

/** Returns the colours of a theme, completed with colours of the base theme so that values remain distinguishable. */
function withOthers(given: readonly string[], base: readonly string[]): string[] {
  return [...given, ...base.filter((each) => !given.includes(each))].slice(
    0,
    Math.max(given.length, base.length),
  );
}

function withCss(before: ChartTheme, declarations: readonly CssDeclaration[]): ChartTheme {
  let theme = before;
  const series = new Map<number, string>();
  const ramp = new Map<number, string>();
  for (const { target, property, value } of declarations) {
    const role = property.replace("--manifold-", "");
    const isGround = role === "background" || role === "background-color";
    const below = isGround && target === "item" ? theme.page : theme.background;
    const read = readColor(value, below);
    if (read === undefined) continue;
    const [, kind, place] = /^(series|ramp)-(\d+)$/.exec(role) ?? [];
    if (kind === "series") series.set(Number(place) - 1, read);
    else if (kind === "ramp") ramp.set(Number(place) - 1, read);
    else if (property === "--manifold-background") theme = withGround(theme, read);
    else if (isGround)
      theme = target === "page" ? { ...theme, page: read } : withGround(theme, read);
    else if (role === "color" || role === "text")
      theme = contrast(read, theme.background) >= textContrast ? { ...theme, text: read } : theme;
    else if (role === "page") theme = { ...theme, page: read };
    else if (role === "muted" || role === "grid" || role === "axis")
      theme = { ...theme, [role]: read };
    else if (role === "positive" || role === "negative") theme = { ...theme, [role]: read };
  }
  const at = (set: ReadonlyMap<number, string>, base: readonly string[]) =>
    base.map((each, index) => set.get(index) ?? each);
  const [low = "", middle = "", high = ""] = at(ramp, theme.ramp);
  return { ...theme, series: at(series, theme.series), ramp: [low, middle, high] };
}

const isDarkGround = (ground: string): boolean =>
  contrast(ground, "#ffffff") > contrast(ground, "#000000");

/** Changes the background of a theme. Colours of text and lines are replaced if they would be unreadable on it. */
export function withGround(base: ChartTheme, ground: string): ChartTheme {
  if (ground === base.background) return base;
  const isDark = isDarkGround(ground);
  const usual = isDark ? darkTheme : lightTheme;
  const strongest = isDark ? "#ffffff" : "#000000";
  const readable = (wanted: string) =>
    contrast(wanted, ground) >= textContrast ? wanted : strongest;
  const mixed = (share: number) => mixColors(ground, readable(usual.text), share);
  const muted = [0.62, 0.72, 0.82, 0.92].map(mixed);
  return {
    ...base,
    name: usual.name,
    background: ground,
    text: readable(usual.text),
    muted: muted.find((each) => contrast(each, ground) >= textContrast) ?? readable(usual.text),
    grid: mixed(0.12),
    axis: mixed(0.42),
    positive: contrast(base.positive, ground) >= 3 ? base.positive : usual.positive,
    negative: contrast(base.negative, ground) >= 3 ? base.negative : usual.negative,
  };
}

/** Returns a ramp of one hue, from a shade near the background through the given colour to a strong shade. */
function rampOf(main: string, ground: string): ChartTheme["ramp"] {
  const strongest = isDarkGround(ground) ? "#ffffff" : "#000000";
  return [
    mixColors(ground, main, 0.14),
    mixColors(ground, main, 0.7),
    mixColors(main, strongest, 0.45),
  ];
}
