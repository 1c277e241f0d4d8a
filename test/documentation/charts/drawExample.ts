import { type ItemType, itemTypes, type Scene, writeSvg } from "../../../core/web/charts/index.ts";
import { drawSample } from "../../core/web/charts/drawSample.ts";
import { chartExamples, type ChartExample } from "./chartExamples.ts";

/** The item types that share the picture of another type. */
const sameAs: Readonly<Partial<Record<ItemType, ItemType>>> = {
  "pyramid-chart": "bar-chart",
  "speedometer-chart": "circular-gauge",
};

/** Returns whether the page has a picture of an item type. Filters share one picture, and a spacer has none. */
export function hasPicture(type: ItemType): boolean {
  const { kind } = itemTypes[type];
  if (kind === "filter") return type === "slicer-filter";
  return kind !== "empty" && sameAs[type] === undefined;
}

/** Draws an example in the light theme, in the size of the page. */
export function drawExample({ stored, rows, totals, selected }: ChartExample): Scene {
  const isSmall = ["number", "filter", "text", "image", "video", "page"].includes(
    itemTypes[stored.type].kind,
  );
  const example = {
    name: stored.type,
    stored,
    rows,
    ...(totals && { totals }),
    ...(selected && { selected }),
  };
  return drawSample(example, { width: 400, height: isSmall ? 140 : 240, theme: "light" });
}

/** Returns the SVG files of the page, by name. */
export function chartPictures(): ReadonlyMap<string, string> {
  const types = Object.values(chartExamples).map(({ stored }) => stored.type);
  return new Map(
    types
      .filter(hasPicture)
      .map((type) => [`${type}.svg`, `${writeSvg(drawExample(chartExamples[type]))}\n`]),
  );
}
