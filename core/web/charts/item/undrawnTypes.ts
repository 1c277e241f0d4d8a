interface UndrawnRow {
  /** English name in messages. */
  readonly title: string;
  readonly slots: readonly string[];
}

/**
 * The other item types of package `@luzmo/dashboard-contents-types` 1.0.31, with their slots. Dashboards may contain
 * them, but this version has no pictures for them: it shows their data as a table.
 */
export const undrawnTypes = {
  "ai-summary": { title: "AI summary", slots: [] },
  "choropleth-map": { title: "Choropleth map", slots: ["geo", "measure", "category"] },
  "circle-pack-chart": { title: "Circle packing", slots: ["measure", "levels"] },
  "dynamic-imageobject": { title: "Image from data", slots: ["image"] },
  "heat-map": { title: "Heat map on a map", slots: ["geo", "measure"] },
  "hexbin-map": { title: "Hexbin map", slots: ["geo", "measure"] },
  iframeobject: { title: "Frame", slots: [] },
  image: { title: "Image", slots: [] },
  "marker-map": { title: "Marker map", slots: ["geo", "measure"] },
  "ohlc-chart": {
    title: "Open, high, low, close",
    slots: ["open", "high", "low", "close", "x-axis"],
  },
  "parallel-coordinates-plot": { title: "Parallel coordinates", slots: ["color", "coordinates"] },
  "radar-chart": { title: "Radar chart", slots: ["measure", "category", "color"] },
  "route-map": { title: "Route map", slots: ["order", "geo", "legend", "route"] },
  "sankey-diagram": {
    title: "Sankey diagram",
    slots: ["source", "category", "measure", "destination"],
  },
  "spike-map": { title: "Spike map", slots: ["geo", "measure", "color"] },
  "sunburst-chart": { title: "Sunburst", slots: ["measure", "levels"] },
  "symbol-map": { title: "Symbol map", slots: ["geo", "measure", "category"] },
  "venn-diagram": { title: "Venn diagram", slots: ["category", "identifier", "measure"] },
  video: { title: "Video", slots: [] },
  "wordcloud-chart": { title: "Word cloud", slots: ["measure", "category", "color"] },
} as const satisfies Readonly<Record<string, UndrawnRow>>;

/** An item type that dashboards may contain and that charts show as a table. */
export type UndrawnType = keyof typeof undrawnTypes;

/** Returns whether an item type is known and has no picture. */
export function isUndrawnType(type: string): type is UndrawnType {
  return Object.hasOwn(undrawnTypes, type);
}
