import type { ItemKind } from "../../../core/web/charts/index.ts";

/** The default of a member of an option: a value, or a phrase for a default that follows from the data. */
export type OptionDefault =
  | { readonly value: string | number | boolean }
  | { readonly phrase: string };

const value = (each: string | number | boolean): OptionDefault => ({ value: each });
const phrase = (each: string): OptionDefault => ({ phrase: each });
const none = phrase("none");

/** The defaults of options, by the path of the member. Members of a list's objects follow `[]`. */
export const optionDefaults: Readonly<Record<string, OptionDefault>> = {
  title: phrase("the names of the columns"),
  "display.title": value(true),
  "limit.number": phrase("10,000"),
  "sort.by": phrase("`category`, in ascending order"),
  "sort.direction": value("desc"),
  mode: value("grouped"),
  "axis.y.type": value("default"),
  "axis.y.manualAxesRange": none,
  "axis.y2.type": value("default"),
  "axis.y2.manualAxesRange": none,
  "axis.y2.active": value(false),
  "axis.y2.measureIndexes": none,
  "measures[].type": phrase("`bar` for the first measure, `line` for the others"),
  "lines.smooth": value(false),
  "slices.maxNumber": value(6),
  evolutionColor: value("normal"),
  "circle.manualValues.target": none,
  "manualValues.target": none,
  totals: value(false),
  "cells.bars": value(false),
  "columns[].slotContentId": none,
  "columns[].id": none,
  "columns[].mode": value("normal"),
  "columns[].barColor": phrase("the first color of the theme"),
  "columns[].target": value("max"),
  "columns[].manualTarget": none,
  "columns[].conditional[].color": none,
  "columns[].conditional[].val": none,
  "columns[].conditional[].isNegativeInfinityRange": value(false),
  "columns[].colorEmpty": value(false),
  "columns[].emptyValueColor": none,
  "columns[].hideDataValues": value(false),
  "columns[].width": phrase("depends on the contents"),
  pinnedColumns: value(0),
  html: none,
};

const byValue = phrase("`measure`; for periods and bins, `category` in ascending order");

/** Defaults of single kinds that differ from `optionDefaults`. */
export const kindDefaults: Readonly<
  Partial<Record<ItemKind, Readonly<Record<string, OptionDefault>>>>
> = {
  slices: { mode: value("donut"), "sort.by": byValue },
  bars: { "sort.by": byValue },
  bubbles: { "sort.by": byValue },
  funnel: { "sort.by": byValue },
  treemap: { "sort.by": byValue },
  boxes: { "limit.number": phrase("100,000"), "sort.by": none },
  table: {
    "limit.number": phrase("10,000, or 100,000 for rows without measures"),
    "sort.by": phrase("`category`, in ascending order; rows without measures are not sorted"),
  },
};
