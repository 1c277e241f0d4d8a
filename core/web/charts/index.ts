// Charts: turn a dashboard item and its answer into a scene, which browsers and the server draw identically.
// May import: d3-array, d3-color, d3-contour, d3-format, d3-geo, d3-hierarchy, d3-interpolate, d3-sankey,
// d3-scale-chromatic, d3-shape, d3-time, topojson-client, topojson-specification.
export { drawItem } from "./drawItem.ts";
export {
  loadCountryFinder,
  loadedKind,
  loadKind,
  loadMediaReader,
  loadPivot,
} from "./kinds/loadKind.ts";
export { retryImport } from "./retryImport.ts";
export type { DrawKind } from "./kinds/drawKind.ts";
export type {
  Beyond,
  ChartCell,
  ChartRequest,
  PivotTotals,
  TablePart,
} from "./answer/chartRequest.ts";
export { readColumns } from "./answer/readColumns.ts";
export type { ChartColumn } from "./answer/chartColumn.ts";
export { titleOf } from "./frame/titleOf.ts";
export { valueScale, type ValuePoint, type ValueScale } from "./frame/valueScale.ts";
export { localizedText } from "./format/localizedText.ts";
export { isNumberFormat } from "./format/numberFormats.ts";
export { directionOf, languageOf, languages, type Language } from "./words/languages.ts";
export { createWordTable, type WordTable } from "./words/createWordTable.ts";
export { counted, fillIn, type Plural, type With } from "./words/templates.ts";
export { hasWords, loadWords, wordsOf } from "./words/wordsOf.ts";
export { wallClock } from "./format/wallClock.ts";
export { fetchValues, usesValueColors, valuesKeyOf } from "./answer/fetchValues.ts";
export { createColors, type Colors, type ValuesByColumn } from "./color/createColors.ts";
export { darkTheme, lightTheme, type ChartTheme } from "./color/chartTheme.ts";
export { itemTheme } from "./color/itemTheme.ts";
export { readColor } from "./color/readColor.ts";
export { resolveTheme, type Look } from "./color/resolveTheme.ts";
export { interactivity, type ItemLink, type MarkEvent } from "./item/interactivity.ts";
export { markAddress } from "./item/markAddress.ts";
export { extraFields } from "./item/extraFields.ts";
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
export { unreadMembers } from "./item/unreadMembers.ts";
export { isUndrawnType, undrawnTypes } from "./item/undrawnTypes.ts";
export { alertQuery } from "./item/alertQuery.ts";
export { comparedItem, type ComparedPeriod } from "./item/comparedItem.ts";
export { isWhole } from "./item/isWhole.ts";
export { atLevel, drilledField } from "./item/drillLevel.ts";
export { filtersOf, isSetBy, type ItemFilters } from "./item/filtersOf.ts";
export type { ChartItem, FieldCalculation, Picker, SlotField } from "./item/item.ts";
export { choiceOf, pickedItem, pickKeyOf, unknownPick, type Picks } from "./item/pickedItem.ts";
export { keepQuery, type KeptQuery } from "./item/keepQuery.ts";
export {
  dimensionOf,
  measureOf,
  queryOf,
  splitFields,
  type ItemQuery,
  type QueriedItem,
} from "./item/queryOf.ts";
export { fetchItem, firstCallOf, type ItemAnswer } from "./answer/fetchItem.ts";
export type { FetchOptions } from "./answer/fetchContext.ts";
export type { QueryAnswer, SendQueries } from "./answer/sendQueries.ts";
export { isRanking } from "./item/isRanking.ts";
export { filteredColumn, listTest } from "./answer/listTest.ts";
export { rowCountText } from "./frame/rowCountText.ts";
export { totalsOf, type TotalsQuery } from "./item/totalsOf.ts";
export type { Media } from "./kinds/readMedia.ts";
export type { ReadMedia } from "./kinds/mediaKinds.ts";
export type { PivotParts } from "./kinds/gridKinds.ts";
export type { ArrangedPivot, PivotHead } from "./frame/arrangePivot.ts";
export type { PivotLine } from "./frame/pivotLines.ts";
export { tableLook, type TableLook } from "./frame/tableLook.ts";
export type { PlacedColumn } from "./frame/frame.ts";
export { cellFormats, type CellFormat, type CellRange } from "./frame/cellFormats.ts";
export { isObject, listOf, objectOf, readItem } from "./item/readItem.ts";
export type { Stored } from "./item/stored.ts";
export type { LegendEntry, Mark, Scene, SceneNode, TextNode } from "./scene.ts";
export { baseDirection } from "./text/baseDirection.ts";
export { cleanText } from "./text/cleanText.ts";
export { wrapText } from "./text/wrapText.ts";
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
  type ColumnAttribute,
  type DashboardView,
  type PlacedItem,
  type Screen,
} from "./dashboard/readContents.ts";
export { placeItem, type NewItem } from "./dashboard/placeItem.ts";
export { withParameters } from "./dashboard/withParameters.ts";
export type {
  Comparison,
  ControlValue,
  ListCell,
  NamedComparison,
} from "./dashboard/controlValue.ts";
export {
  comparedRange,
  daysBefore,
  hasTwoDays,
  isDay,
  readDateRange,
  type DateRange,
  type RelativeKey,
} from "./dashboard/dateRange.ts";
export {
  readState,
  type DashboardState,
  type GivenState,
  type GroupKey,
  type ReadState,
} from "./dashboard/dashboardState.ts";
export { readControlValue, type ControlForm } from "./dashboard/readControlValue.ts";
export { readWholeState } from "./dashboard/readWholeState.ts";
export {
  isOfState,
  mostLinkCharacters,
  readStateOf,
  stateQuery,
  writeState,
} from "./dashboard/stateAddress.ts";
export { looksOf, themeIdsOf, type LookSources } from "./dashboard/looksOf.ts";
export { binRange } from "./answer/binRange.ts";
