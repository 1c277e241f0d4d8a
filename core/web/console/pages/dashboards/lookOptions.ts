import type { ItemType } from "../../../charts/index.ts";
import type { OptionPath } from "./optionPath.ts";

/** How the panel shows an option: as a checkbox, a choice of words, a number, or a colour. */
export type LookOption =
  | {
      readonly path: OptionPath;
      readonly as: "flag";
      /** Whether charts act as if the option were `true` while it is absent. */
      readonly isUsuallyOn: boolean;
      /** The item types that read the option; absent for all types of its kinds. */
      readonly types?: readonly ItemType[];
    }
  | { readonly path: OptionPath; readonly as: "choice" | "number" | "color" };

const shown = (path: OptionPath) => ({ path, as: "flag", isUsuallyOn: true }) as const;
const hidden = (path: OptionPath) => ({ path, as: "flag", isUsuallyOn: false }) as const;
const choice = (path: OptionPath) => ({ path, as: "choice" }) as const;
const number = (path: OptionPath) => ({ path, as: "number" }) as const;

const lists: readonly ItemType[] = ["dropdown-filter", "slicer-filter"];

/**
 * The options of items that the panel offers, in its order. Each item type has those that its charts read. Their names
 * and choices are in the words, by path.
 */
export const lookOptions: readonly LookOption[] = [
  choice("mode"),
  choice("bars.label"),
  hidden("bars.totals"),
  choice("display.values"),
  shown("display.labels"),
  shown("display.bubbleLabels"),
  choice("display.bubbleValues"),
  shown("values.display"),
  shown("labels.display"),
  hidden("labels.value"),
  shown("funnel.absValue"),
  choice("funnel.perc"),
  shown("display.legend"),
  choice("legend.position"),
  hidden("categories.colored"),
  shown("nodes.colored"),
  choice("interpolation"),
  hidden("markers.enabled"),
  choice("missingValue.type"),
  number("lines.strokeWidth"),
  number("slices.maxNumber"),
  hidden("slices.half"),
  choice("axis.x.scale"),
  choice("axis.y.scale"),
  hidden("axislabels.x.enabled"),
  hidden("axislabels.y.enabled"),
  choice("evolutionColor"),
  choice("evolutionGraphDisplay"),
  choice("horizontalAlignment"),
  number("numberFontSize"),
  choice("classification"),
  number("numberClasses"),
  number("opacity"),
  number("size"),
  shown("display.gaugeValue"),
  shown("display.gaugeLabel"),
  choice("measureLabelsAxis"),
  { ...hidden("multiselect"), types: lists },
  { ...shown("display.search"), types: lists },
  { ...hidden("applyFiltersWithButton"), types: [...lists, "search-filter"] },
  shown("display.title"),
  { path: "theme.itemsBackground", as: "color" },
];
