import { darkSeries, lightSeries } from "./palette.ts";

/** The colours of a picture, as `#rrggbb`. */
export interface ChartTheme {
  readonly name: "light" | "dark";
  /** Background behind the items of a dashboard. */
  readonly page: string;
  /** Background of an item. */
  readonly background: string;
  readonly text: string;
  readonly muted: string;
  /** Colour of grid lines. */
  readonly grid: string;
  /** Colour of the line from which bars grow. */
  readonly axis: string;
  readonly positive: string;
  readonly negative: string;
  readonly series: readonly string[];
  /** Ramp for one quantity, from low to high. */
  readonly ramp: readonly [string, string, string];
}

/** The built-in theme for light backgrounds. */
export const lightTheme: ChartTheme = {
  name: "light",
  page: "#f5f6f8",
  background: "#ffffff",
  text: "#1d2129",
  muted: "#5d6573",
  grid: "#e6e8ec",
  axis: "#a0a6b1",
  positive: "#1a7f4b",
  negative: "#c0362c",
  series: lightSeries,
  ramp: ["#e8f0fb", "#6f9fdf", "#123f8c"],
};

/** The built-in theme for dark backgrounds. */
export const darkTheme: ChartTheme = {
  name: "dark",
  page: "#14161a",
  background: "#1d2128",
  text: "#eceef2",
  muted: "#a3abb8",
  grid: "#30353f",
  axis: "#6d7584",
  positive: "#5cc98d",
  negative: "#ff8577",
  series: darkSeries,
  ramp: ["#263349", "#4477c0", "#bcd6ff"],
};
