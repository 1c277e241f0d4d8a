import type { ItemKind } from "../../../../../core/web/charts/index.ts";
import { exampleId } from "../../../../documentation/charts/chartExamples.ts";
import type { OptionSituation } from "./optionSituations.ts";

type Situations = Readonly<Record<string, OptionSituation>>;

const colored = { values: ["#ff0000", "rgb(0, 90, 0)"] };
const manyColors = {
  values: ["#ff0000", "#005a00"].map((color) => Array.from({ length: 16 }, () => color)),
};
const numbers = (...values: readonly number[]) => ({ values });
const byMeasure: Situations = { "sort.by": { alike: ["measure"] } };
/** Leaves out the measure, so that areas have one color. */
const withoutMeasure: NonNullable<OptionSituation["change"]> = (example) => ({
  ...example,
  stored: {
    ...example.stored,
    slots: (example.stored.slots ?? []).filter(({ name }) => name !== "measure"),
  },
  rows: example.rows.map((row) => row.slice(0, 1)),
});
/** Adds a measure. */
const withMeasure: NonNullable<OptionSituation["change"]> = (example) => ({
  ...example,
  stored: {
    ...example.stored,
    slots: [
      ...(example.stored.slots ?? []).filter(({ name }) => name !== "measure"),
      { name: "measure", content: [{ columnId: exampleId, type: "numeric" }] },
    ],
  },
  rows: example.rows.map((row, index) => [...row, index + 1]),
});
const sortable: Situations = {
  "sort.by": { change: withMeasure },
  "sort.direction": { change: withMeasure, options: { sort: { by: "measure" } } },
};
/** Aggregates the numbers, so that rows are groups. */
const withGroups: NonNullable<OptionSituation["change"]> = (example) => ({
  ...example,
  stored: {
    ...example.stored,
    slots: (example.stored.slots ?? []).map((slot) => ({
      ...slot,
      content: slot.content.map((each) =>
        each["type"] === "numeric" ? { ...each, aggregationFunc: "sum" } : each,
      ),
    })),
  },
});
/** Adds a flow to a last step and a flow from a first step that are not at the edge in every alignment. */
const withShortFlows: NonNullable<OptionSituation["change"]> = (example) => ({
  ...example,
  rows: [...example.rows, ["Mail", "Deleted", 90], ["Post", "Paid", 60]],
});
const ranged = {
  options: { classification: "manual", manualValues: { ranges: [{ color: "#123456", val: 0 }] } },
};

/** The situations of the options of kinds whose scripts load on first use. */
export const lateSituations: Readonly<Partial<Record<ItemKind, Situations>>> = {
  regions: {
    ...byMeasure,
    color: { change: withoutMeasure, ...colored },
    classification: { ...ranged, alike: ["manual"] },
    "theme.colors": { change: withoutMeasure, ...manyColors },
    numberClasses: numbers(2, 3),
    colorsClass: { values: ["YlOrRd", "Blues"] },
    opacity: numbers(0.3, 0.5),
    strokeColor: colored,
    "manualValues.ranges[].color": { ...ranged, ...colored },
    "manualValues.ranges[].val": { ...ranged, ...numbers(100, 400) },
    "manualValues.ranges[].isNegativeInfinityRange": {
      options: {
        classification: "manual",
        manualValues: { ranges: [{ color: "#123456", val: 400 }] },
      },
    },
  },
  symbols: { ...byMeasure, color: colored, opacity: numbers(0.3, 0.5), size: numbers(60, 90) },
  markers: {
    ...sortable,
    color: colored,
    maxClusterRadius: {
      change: (example) => ({ ...example, rows: [...example.rows, ...example.rows] }),
      ...numbers(0, 150),
    },
  },
  spikes: {
    ...byMeasure,
    color: colored,
    spikeHeight: numbers(30, 60),
    spikeWidth: numbers(10, 20),
    fillOpacity: numbers(0.2, 0.8),
  },
  hexagons: {
    numberClasses: numbers(2, 3),
    colorsClass: { values: ["YlOrRd", "Blues"] },
    opacity: numbers(0.3, 0.5),
    radius: numbers(30, 40),
  },
  density: {
    ...sortable,
    opacity: numbers(0.3, 0.5),
    screenRadius: numbers(40, 60),
    colors: {
      values: [
        ["#ffffff", "#123456"],
        ["#000000", "#ff0000"],
      ],
    },
  },
  routes: {
    opacity: numbers(0.3, 0.5),
    lineWeight: numbers(2, 9),
    "sort.direction": { options: { sort: { by: "category" } } },
  },
  sankey: {
    alignment: { change: withShortFlows },
    nodeSorting: { change: withShortFlows },
    type: { alike: ["sankey"] },
    // Scenes have no gradients.
    "colors.linkColor": { alike: ["source", "gradient"] },
  },
  venn: sortable,
  rings: byMeasure,
  packs: byMeasure,
  radar: {
    fillOpacity: numbers(0.3, 0.6),
    pointSize: numbers(6, 9),
    manualAxes: { options: { manualAxesRange: [0, 80] } },
    manualAxesRange: {
      options: { manualAxes: true },
      values: [
        [0, 50],
        [0, 90],
      ],
    },
  },
  coordinates: {
    "sort.by": { change: withGroups },
    "sort.direction": { change: withGroups, options: { sort: { by: "measure" } } },
  },
  candles: {
    "ohlc.colors.higher": colored,
    "ohlc.colors.lower": colored,
    "ohlc.fill": { options: { mode: "candlestick" } },
    "ohlc.strokeWidth": numbers(2, 4),
  },
  words: {
    ...byMeasure,
    "ranking.active": { options: { ranking: { number: 2 } } },
    "ranking.direction": { options: { ranking: { active: true, number: 2 } } },
    "ranking.number": { options: { ranking: { active: true } }, values: [2, 3] },
  },
};
