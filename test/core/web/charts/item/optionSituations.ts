import { itemKinds, type ItemKind } from "../../../../../core/web/charts/index.ts";
import { lateSituations } from "./lateSituations.ts";
import { exampleId, type ChartExample } from "../../../../documentation/charts/chartExamples.ts";

/** The item in which a member of an option has an effect, if that is not the example of its type without options. */
export interface OptionSituation {
  /** Options that the item has anyway. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Changes the example: its slots or its rows. */
  readonly change?: (example: ChartExample) => ChartExample;
  /** Values to compare, instead of values derived from the form of the option. */
  readonly values?: readonly unknown[];
  /** Values that show the same as no value, instead of the default of the option. */
  readonly alike?: readonly unknown[];
}

type Change = NonNullable<OptionSituation["change"]>;

function withSlots({ stored, ...rest }: ChartExample, keeps: (name: string) => boolean) {
  const slots = (stored.slots ?? []).filter(({ name }) => keeps(name));
  return { ...rest, stored: { ...stored, slots } };
}

/** Leaves out the column of the legend, and its cells. */
const withoutLegend: Change = (example) => {
  const slots = example.stored.slots ?? [];
  if (!slots.some(({ name }) => name === "legend")) return example;
  const rows = new Map(example.rows.map(([category, , ...measures]) => [category, measures]));
  return {
    ...withSlots(example, (name) => name !== "legend"),
    rows: [...rows].map(([category, measures]) => [category ?? null, ...measures]),
  };
};

/** Leaves out the rows of two periods. */
const withGap: Change = (example) => {
  const categories = [...new Set(example.rows.map(([category]) => category))];
  const missing = new Set(categories.slice(3, 5));
  return { ...example, rows: example.rows.filter(([category]) => !missing.has(category)) };
};

/** Removes the last value of one row. */
const withNull: Change = (example) => {
  const single = withoutLegend(example);
  const rows = single.rows.map((row, index) => (index === 4 ? [...row.slice(0, -1), null] : row));
  return { ...single, rows };
};

/** Gives one row a last value that is close to 0. */
const withLow: Change = ({ rows, ...rest }) => ({
  ...rest,
  rows: rows.map((row, index) => (index === 4 ? [...row.slice(0, -1), 1] : row)),
});

/** Sets the id by which options name the measures. */
const withIds: Change = ({ stored, ...rest }) => {
  const slots = (stored.slots ?? []).map((slot) => ({
    ...slot,
    content: slot.content.map((each) =>
      each["type"] === "numeric" ? { ...each, id: "sales" } : each,
    ),
  }));
  return { ...rest, stored: { ...stored, slots } };
};

/** A gauge whose target is an option: it has no column in the slot for targets. */
const withoutTarget: Change = (example) => ({
  ...withSlots(example, (name) => name !== "target"),
  rows: [[2_670]],
});

/** Leaves out the column that colours the parts or points, and its cells. */
const withoutColor: Change = (example) => {
  const slots = example.stored.slots ?? [];
  let [place, count] = [-1, 0];
  for (const { name, content } of slots) {
    if (name === "color") place = count;
    count += content.length;
  }
  if (place === -1) return example;
  return {
    ...withSlots(example, (name) => name !== "color"),
    rows: example.rows.map((row) => row.filter((_, cell) => cell !== place)),
  };
};

/** Adds a column that colours the parts. */
const withColor: Change = ({ stored, rows, ...rest }) => {
  const slots = stored.slots ?? [];
  const [category = { name: "category", content: [] }, ...others] = slots;
  const content = category.content.map((each) => ({ ...each, columnId: "kind" }));
  return {
    ...rest,
    stored: { ...stored, slots: [category, { name: "color", content }, ...others] },
    rows: rows.map(([name, ...values], index) => [name ?? null, `Kind ${index % 2}`, ...values]),
  };
};

type Situations = Readonly<Record<string, OptionSituation>>;

const range = [-500, 7_000];
const guideline = { type: "value", value: 333 };
const guided = { options: { guidelines: { lines: [guideline] } } };
const colored = { values: ["#ff0000", "rgb(0, 90, 0)"] };
const manual = { missingValue: { type: "manual" } };

/** The situations of the options of an axis, in an item that has the given options. */
function axisSituations(name: "x" | "y" | "y2", axis: object = {}): Situations {
  const items = (own: object, options: object = {}) => ({
    options: { ...options, axis: { [name]: { ...axis, ...own } } },
  });
  const grid = (own: object) => items({}, { grid: { [name]: { enabled: true, ...own } } });
  return {
    [`axis.${name}.color`]: { ...items({}), ...colored },
    [`axis.${name}.ticksMode`]: { ...items({}), alike: [name === "y" ? "gridlines" : "ticks"] },
    [`axis.${name}.ticksDensity`]: items({}),
    [`axis.${name}.scale`]: items({}),
    [`axis.${name}.scaleLogBase`]: { ...items({ scale: "logarithmic" }), values: [2, 3] },
    [`axis.${name}.type`]: items({ manualAxesRange: range }),
    [`axis.${name}.manualAxesRange`]: { ...items({ type: "manual" }), values: [range, [-9, 9e3]] },
    [`grid.${name}.enabled`]: { ...items({}), alike: [name === "y"] },
    [`grid.${name}.style`]: grid({}),
    [`grid.${name}.opacity`]: { ...grid({}), values: [0.2, 0.7] },
    [`axislabels.${name}.enabled`]: items({}),
    [`axislabels.${name}.position`]: items({}, { axislabels: { [name]: { enabled: true } } }),
  };
}

/** The situations of members of options, by their path. A path without a row needs no situation. */
const situations: Situations = {
  title: { values: [{ en: "Another title" }, "Title"] },
  "display.title": { options: { title: { en: "Title" } } },
  "limit.number": { values: [2, 3] },
  "sort.by": { alike: [] },
  "sort.direction": { options: { sort: { by: "measure" } } },
  "legend.position": {},
  "theme.itemsBackground": colored,
  // As many colors as the theme has, because values choose one of them.
  "theme.colors": {
    values: ["#ff0000", "#005a00"].map((color) => Array.from({ length: 16 }, () => color)),
  },
  color: { change: withoutLegend, ...colored },
  "categories.colored": { change: withoutLegend },
  "bars.label": { options: { mode: "stacked" }, alike: ["none"] },
  "bars.roundedCorners": { values: [3, 9] },
  "bars.totals": { options: { mode: "stacked" } },
  ...axisSituations("x"),
  ...axisSituations("y"),
  ...axisSituations("y2", { active: true, measureIndexes: [1] }),
  "axis.y2.measureIndexes": { options: { axis: { y2: { active: true } } }, values: [[0]] },
  manualAxesRange: { values: [range, [-9, 9_000]] },
  "guidelines.lines[].type": guided,
  "guidelines.lines[].value": { ...guided, values: [200, 444] },
  "guidelines.lines[].color": { ...guided, ...colored },
  "guidelines.style.type": guided,
  "guidelines.style.width": { ...guided, values: ["2px", "3.5px"] },
  "missingValue.type": { change: withGap },
  "missingValue.value": { change: withGap, options: manual, values: [100, 200] },
  nullBreak: { change: withNull },
  "markers.enabled": { alike: [] },
  "markers.size": { options: { markers: { enabled: true } }, values: [2, 6] },
  "lines.strokeWidth": { options: { mode: "unstacked" }, values: [1, 4] },
  "slices.maxNumber": { values: [2, 3] },
  "circle.manualValues.target": { change: withoutTarget, values: [3_333, 77_777] },
  "manualValues.target": { change: withoutTarget, values: [3_333, 77_777] },
  html: { values: [{ en: "<h1>Other</h1>" }] },
};

/** Adds a second field to the rows of a pivot table. */
const withTwoFields: Change = ({ stored, rows, ...rest }) => ({
  ...rest,
  stored: {
    ...stored,
    slots: (stored.slots ?? []).map((slot) => {
      const [first = {}] = slot.content;
      return slot.name === "row"
        ? { ...slot, content: [first, { ...first, columnId: "second", label: { en: "Second" } }] }
        : slot;
    }),
  },
  rows: rows.map(([first, ...others], index) => [
    first ?? null,
    { id: `v${index % 2}`, name: { en: `Value ${index % 2}` } },
    ...others,
  ]),
});

/** Adds a second measure. */
const withTwoMeasures: Change = ({ stored, rows, ...rest }) => ({
  ...rest,
  stored: {
    ...stored,
    slots: (stored.slots ?? []).map((slot) => {
      const [first = {}] = slot.content;
      return slot.name === "measure"
        ? { ...slot, content: [first, { ...first, label: { en: "Other" } }] }
        : slot;
    }),
  },
  rows: rows.map((row) => [...row, 7]),
});

const parts: Situations = {
  color: { change: withoutColor, ...colored },
  "categories.colored": { change: withoutColor },
};

const columnOf = (own: object = {}) => ({
  change: withIds,
  options: { columns: [{ slotContentId: "sales", ...own }] },
});
const ranges = { mode: "conditionalBackground", conditional: [{ val: 300, color: "#00ff00" }] };
const columns: Situations = {
  "columns[].slotContentId": {
    change: withIds,
    options: { columns: [{ mode: "bar" }] },
    values: ["sales"],
  },
  "columns[].id": { change: withIds, options: { columns: [{ mode: "bar" }] }, values: ["sales"] },
  "columns[].mode": { ...columnOf(), values: ["bar"] },
  "columns[].barColor": { ...columnOf({ mode: "bar" }), ...colored },
  "columns[].target": { ...columnOf({ mode: "bar", manualTarget: 1_500 }) },
  "columns[].manualTarget": {
    ...columnOf({ mode: "bar", target: "manual" }),
    values: [900, 2_000],
  },
  "columns[].conditional[].color": { ...columnOf(ranges), ...colored },
  "columns[].conditional[].val": { ...columnOf(ranges), values: [100, 700] },
  "columns[].conditional[].isNegativeInfinityRange": columnOf(ranges),
  "columns[].colorEmpty": {
    ...columnOf({ ...ranges, emptyValueColor: "#00ffff" }),
    change: (example) => withNull(withIds(example)),
  },
  "columns[].emptyValueColor": {
    ...columnOf({ ...ranges, colorEmpty: true }),
    change: (example) => withNull(withIds(example)),
    ...colored,
  },
  "columns[].hideDataValues": columnOf(),
};

const bordered = { tableBorders: { type: "all" } };
const tables: Situations = {
  ...columns,
  "headers.background": colored,
  "headers.color": {
    options: { headers: { background: "#ffffff" } },
    values: ["#0000ff", "#006600"],
  },
  "tableBorders.type": { alike: ["rows"] },
  "tableBorders.color": { options: bordered, ...colored },
  "tableBorders.width": { options: bordered, values: [3, 7] },
  rowHeight: { values: [22, 40] },
  "theme.colors": { options: { cells: { bars: true } }, values: [["#ff0000"], ["#005a00"]] },
};

/** The situations of colours of ranges, which are the first entry of a list. */
const rangesIn = (member: string, value: number, more: object = {}): Situations => {
  const [, name = ""] = member.split(".");
  const options = (own: object) => ({ ...more, manualValues: { [name]: [own] } });
  return {
    [`${member}[].color`]: { options: options({ val: 0 }), ...colored },
    [`${member}[].val`]: { options: options({ color: "#ff0000" }), values: [value], alike: [] },
    [`${member}[].isNegativeInfinityRange`]: { options: options({ color: "#ff0000" }) },
  };
};

const videoAt = (src: string) => ({ en: [{ src }] });

/** Kinds whose groups are sorted by their measure without an option. */
const byMeasure: Situations = { "sort.by": { alike: ["measure"] } };

/** The situations of single kinds that differ from those of other kinds. */
const kindSituations: Readonly<Partial<Record<ItemKind, Situations>>> = {
  bars: {
    // Bars start at 0, however the range is chosen.
    "axis.x.type": {
      options: { axis: { x: { manualAxesRange: range } } },
      alike: ["default", "variable"],
    },
    "axis.y.type": {
      options: { axis: { y: { manualAxesRange: range } } },
      alike: ["default", "variable"],
    },
  },
  slices: {
    ...byMeasure,
    "display.values": { alike: ["percentage"] },
    "slices.width": { values: [0.2, 0.8] },
    "slices.roundedCorners": { values: [0, 9] },
    "slices.padding": { values: [2, 0, 6] },
  },
  bubbles: {
    ...byMeasure,
    ...parts,
    "display.legend": { change: withColor },
    "legend.position": { change: withColor },
  },
  funnel: byMeasure,
  treemap: {
    ...byMeasure,
    ...parts,
    "display.values": { alike: ["absolute"] },
    roundedCorners: { values: [2, 0, 12] },
    padding: { values: [2, 0, 9] },
  },
  gauge: {
    "sort.by": { alike: ["category"] },
    "circle.color": colored,
    "circle.background": colored,
    "circle.width": { values: [4, 30] },
    ...rangesIn("manualValues.conditional", 10),
    ...rangesIn("manualValues.ranges", 10),
  },
  number: {
    color: colored,
    numberFontSize: { values: [14, 90] },
    evolutionGraphDisplay: { alike: ["background", "fixedbottom", "belownumber"] },
    evolutionGraphOpacity: { values: [12, 80] },
    "manualValues.target": { change: withoutTarget, values: [3_333, 77_777] },
    "manualValues.asBackgroundColor": {
      options: { manualValues: { conditional: [{ val: 0, color: "#ff0000" }] } },
    },
    mode: { alike: ["normal"] },
    ...rangesIn("manualValues.conditional", 10),
  },
  heatTable: {
    colorsClass: {
      options: { manualValues: { ranges: [{ val: 0, color: "#ff0000" }] } },
      values: ["manual"],
    },
    "heattable.opacity": { values: [1, 0.5] },
    "heattable.rounding": { values: [0, 6] },
    "heattable.spacing": { values: [1, 0, 6] },
    ...rangesIn("manualValues.ranges", 300, { colorsClass: "manual" }),
  },
  boxes: {
    boxWidth: { values: [0.2, 0.9] },
    boxFill: colored,
    boxStrokeColor: colored,
    boxStrokeWidth: { values: [1, 4] },
    medianStrokeColor: colored,
    medianStrokeWidth: { values: [2, 5] },
    roundedCorners: { values: [2, 9] },
  },
  points: {
    color: { change: withoutColor, ...colored },
    // Both axes are axes of numbers, which have grid lines.
    "axis.x.ticksMode": { alike: ["gridlines"] },
    "grid.x.enabled": { alike: [true] },
  },
  bullet: { color: colored },
  combination: {
    "axis.y.type": {
      options: { axis: { y: { manualAxesRange: range } } },
      alike: ["default", "variable"],
    },
    "axis.y2.type": {
      change: withLow,
      options: { axis: { y2: { active: true, manualAxesRange: [-3, 40] } } },
    },
    "measures[].type": { options: { measures: [{}, {}] }, alike: ["bar"] },
    "measures[].color": { options: { measures: [{}] }, ...colored },
    "measures[].interpolation": { options: { measures: [{ type: "line" }] }, alike: ["linear"] },
    "measures[].strokeWidth": { options: { measures: [{ type: "line" }] }, values: [1, 5] },
    "measures[].radius": { options: { measures: [{ type: "scatter" }] }, values: [1, 9] },
    "measures[].roundedCorners": { options: { measures: [{ type: "bar" }] }, values: [3, 9] },
    "measures[].missingValue.type": {
      change: withGap,
      options: { measures: [{ type: "line" }] },
      alike: ["break"],
    },
    "measures[].missingValue.value": {
      change: withGap,
      options: { measures: [{ type: "line", ...manual }] },
      values: [100, 200],
    },
  },
  image: { url: { values: ["https://a.example/1.png", "https://a.example/2.png"] } },
  page: { url: { values: ["https://a.example/1", "https://a.example/2"] } },
  video: {
    sources: { values: [videoAt("https://a.example/1.mp4"), videoAt("https://a.example/2.mp4")] },
    youtube: {
      options: { type: "youtube" },
      values: [videoAt("https://youtu.be/abcdefghijk"), videoAt("https://youtu.be/zbcdefghijk")],
    },
    type: {
      options: {
        sources: videoAt("https://a.example/1.mp4"),
        youtube: videoAt("https://youtu.be/abcdefghijk"),
      },
    },
  },
  table: tables,
  pivot: {
    ...tables,
    "limit.rows": { values: [1, 2] },
    "limit.columns": { values: [1, 2] },
    "columnHeaders.align": { alike: ["right"] },
    "rowHeaders.align": { alike: ["left"] },
    "valueCells.align": { alike: ["right"] },
    measureLabelsAxis: { change: withTwoMeasures, alike: ["columns"] },
    isExpandable: { change: withTwoFields },
    expandStyle: { change: withTwoFields },
    rowSortsMap: { values: [{ [exampleId]: "desc" }] },
  },
};

/** Members of options that only the tables of a page show. */
const notInPictures: ReadonlySet<string> = new Set([
  "pinnedColumns",
  "columns[].width",
  "rowHeaders.sticky",
  "wrapText",
  "interactivity.exportTypes",
  "interactivity.customTooltip",
  "interactivity.measureDimensionPicker[].slot",
  "interactivity.measureDimensionPicker[].values",
  "interactivity.customEvents.events[].name",
  "interactivity.customEvents.events[].label",
  "interactivity.customEvents.extraData",
  "interactivity.urlConfig.url",
  "interactivity.urlConfig.target",
]);

/** Members of the options of filters that pictures show. The others change only the controls of a page. */
const inPicturesOfFilters: ReadonlySet<string> = new Set([
  "title",
  "display.title",
  "limit.number",
]);

/** Members of the options of items with media that pictures show. Pictures contain the title and the address. */
const inPicturesOfMedia: ReadonlySet<string> = new Set([
  "title",
  "display.title",
  "theme.itemsBackground",
  "url",
  "sources",
  "youtube",
  "type",
]);

/** Returns whether a member of an option changes the picture of items of a kind. */
export function isInPictures(kind: ItemKind, path: string): boolean {
  if (kind === "filter") return inPicturesOfFilters.has(path);
  if (itemKinds[kind].family === "media") return inPicturesOfMedia.has(path);
  return !notInPictures.has(path);
}

/** Returns the situation of a member of an option for items of a kind. */
export function situationOf(kind: ItemKind, path: string): OptionSituation {
  return kindSituations[kind]?.[path] ?? lateSituations[kind]?.[path] ?? situations[path] ?? {};
}
