// Charts: turn a dashboard item and its answer into a scene, which browsers and the server draw identically.
// May import: d3-array, d3-color, d3-format, d3-hierarchy, d3-interpolate, d3-scale, d3-shape, d3-time-format.
export { drawItem } from "./drawItem.ts";
export { loadedKind, loadKind } from "./kinds/loadKind.ts";
export type { DrawKind } from "./kinds/drawKind.ts";
export type { ChartCell, ChartRequest, PivotTotals } from "./answer/chartRequest.ts";
export { readColumns } from "./answer/readColumns.ts";
export type { ChartColumn } from "./answer/chartColumn.ts";
export { titleOf } from "./frame/titleOf.ts";
export { localizedText } from "./format/localizedText.ts";
export { isNumberFormat } from "./format/numberFormats.ts";
export { wordsOf } from "./format/words.ts";
export { wallClock } from "./format/wallClock.ts";
export { createColors, type Colors } from "./color/createColors.ts";
export { darkTheme, lightTheme, type ChartTheme } from "./color/chartTheme.ts";
export { readColor } from "./color/readColor.ts";
export { resolveTheme, type Look } from "./color/resolveTheme.ts";
export { fillSlots, type FilledSlot } from "./item/fillSlots.ts";
export {
  isItemType,
  isReadAlongX,
  itemKinds,
  itemTypes,
  kindOfItem,
  offeredTypes,
  slotsOf,
  type ItemKind,
  type ItemType,
} from "./item/itemKinds.ts";
export { itemMeanings, type SlotMeaning } from "./item/itemMeanings.ts";
export { optionsOf, type OptionForm } from "./item/itemOptions.ts";
export { isUndrawnType, undrawnTypes } from "./item/undrawnTypes.ts";
export { filtersOf, type ItemFilters } from "./item/filtersOf.ts";
export type { ChartItem, SlotField } from "./item/item.ts";
export { keepQuery, type KeptQuery } from "./item/keepQuery.ts";
export { queryOf, type QueriedItem } from "./item/queryOf.ts";
export { fetchTotals } from "./answer/fetchTotals.ts";
export { totalsOf, type TotalsQuery } from "./item/totalsOf.ts";
export { cellFormats, type CellFormat, type CellRange } from "./frame/cellFormats.ts";
export { isObject, listOf, objectOf, readItem } from "./item/readItem.ts";
export type { Stored } from "./item/stored.ts";
export type { LegendEntry, Mark, Scene, SceneNode, TextNode } from "./scene.ts";
export { cleanText } from "./text/cleanText.ts";
export { measureText } from "./text/measureText.ts";
export { pageParts, writePage, writeSvg, type Page, type PlacedScene } from "./svg/writeSvg.ts";
export {
  svgElementsOf,
  svgNamespace,
  svgRootAttributes,
  type SvgElement,
} from "./svg/svgElement.ts";
export {
  columnAttributes,
  columnIdsOf,
  completeItems,
  fixedZoneOf,
  gridColumns,
  gridItemRows,
  gridRows,
  gridRowHeight,
  readScreen,
  readView,
  screenOfWidth,
  screens,
  type DashboardView,
  type PlacedItem,
  type Screen,
} from "./dashboard/readContents.ts";
export { placeItem, type NewItem } from "./dashboard/placeItem.ts";
export { looksOf, themeIdsOf, type LookSources } from "./dashboard/looksOf.ts";
export { binRange } from "./kinds/binRange.ts";
