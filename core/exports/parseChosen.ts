import {
  isWhole,
  readScreen,
  screens,
  type ComparedPeriod,
  type Picks,
  type Screen,
} from "../web/charts/index.ts";
import { ApiError, isObject, isUuid, type Members } from "../base/index.ts";

/** What a reader chose in an item. */
export interface ChosenItem {
  /** Filters in the form of the data service, which are added to those of the dashboard. */
  readonly where: readonly object[];
  /** Level of the first datetime by which the item groups, from 1 (year) to 9 (millisecond). */
  readonly level: number | undefined;
  /** The earlier periods with which the reader compares datetimes, instead of those of the item. */
  readonly compare: readonly ComparedPeriod[];
  /** Ids of filter items whose stored filters do not apply, because `where` has what the reader chose in them. */
  readonly without: ReadonlySet<string>;
  /** The order in which a reader sorted the rows: by the cell with this index. */
  readonly sort: ChosenSort | undefined;
  /** Ids of the series that a reader switched off in the legend. Pictures leave them out. */
  readonly hiddenSeries: readonly string[];
  /** The columns that the reader chose instead of the stored ones, by slot. */
  readonly picks: Picks;
}

export interface ChosenSort {
  readonly cell: number;
  readonly order: "asc" | "desc";
}

/** What a reader chose in a dashboard. */
export interface ChosenParts {
  /** Choices by id of the item. */
  readonly items: ReadonlyMap<string, ChosenItem>;
  /** Values of parameters by name. Overrides in the token take precedence. */
  readonly parameters: Readonly<Record<string, unknown>> | undefined;
  /** The screen whose layout is exported; undefined for the screen of the token, and otherwise the desktop. */
  readonly screen: Screen | undefined;
}

/** The dashboard as stored. */
export const noneChosen: ChosenParts = {
  items: new Map(),
  parameters: undefined,
  screen: undefined,
};

/** The members of an export that `parseChosen` parses. */
export const chosenMembers = ["items", "parameters", "screenmode"] as const;

const levels = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/**
 * Parses the members `items`, `parameters` and `screenmode` of an export. The filters themselves are checked by the
 * queries that use them.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_UNKNOWN
 */
export function parseChosen({
  items,
  parameters,
  screenmode,
}: Members<(typeof chosenMembers)[number]>): ChosenParts {
  const screen = readScreen(screenmode);
  if (screenmode !== undefined && !screen)
    throw invalid("screenmode", `must be one of ${screens.join(", ")}`);
  if (parameters !== undefined && !isObject(parameters))
    throw invalid("parameters", "must be an object with values by name");
  if (items === undefined) return { ...noneChosen, parameters, screen };
  if (!isObject(items))
    throw invalid("items", `must be an object with {${itemMembers.join(", ")}} by item id`);
  const chosen = Object.entries(items).map(([id, given]): [string, ChosenItem] => [
    id,
    parseItem(given, `items.${id.slice(0, 100)}`),
  ]);
  return { items: new Map(chosen), parameters, screen };
}

const itemMembers = [
  "where",
  "level",
  "compare",
  "without",
  "sort",
  "hidden_series",
  "picks",
] as const;

function parseItem(given: unknown, path: string): ChosenItem {
  if (!isObject<(typeof itemMembers)[number]>(given))
    throw invalid(path, `must be an object with members from ${itemMembers.join(", ")}`);
  refuseUnknown(given, itemMembers, path);
  const { where = [], level, compare = [], without = [], sort } = given;
  const { hidden_series: hiddenSeries = [], picks = {} } = given;
  if (!Array.isArray(where) || !where.every(isObject))
    throw invalid(`${path}.where`, "must be a list of filters, as in a query");
  const known = levels.find((each) => each === level);
  if (level !== undefined && known === undefined)
    throw invalid(`${path}.level`, "must be a whole number from 1 (year) to 9 (millisecond)");
  if (!Array.isArray(compare)) throw invalid(`${path}.compare`, "must be a list of periods");
  if (!Array.isArray(without) || !without.every((id) => typeof id === "string"))
    throw invalid(`${path}.without`, "must be a list of ids of filter items");
  if (!Array.isArray(hiddenSeries) || !hiddenSeries.every((each) => typeof each === "string"))
    throw invalid(`${path}.hidden_series`, "must be a list of ids of series");
  return {
    picks: parsePicks(picks, `${path}.picks`),
    where,
    level: known,
    compare: compare.map((each, index) => parsePeriod(each, `${path}.compare[${index}]`)),
    without: new Set(without),
    sort: parseSort(sort, `${path}.sort`),
    hiddenSeries,
  };
}

function parsePicks(given: unknown, path: string): Picks {
  const problem = "must be an object with keys of columns by slot";
  if (!isObject(given)) throw invalid(path, problem);
  const entries = Object.entries(given).map(([slot, key]): [string, string] => {
    if (typeof key !== "string") throw invalid(path, problem);
    return [slot, key];
  });
  return Object.fromEntries(entries);
}

const periodMembers = ["dataset_id", "column_id", "level", "quantity"] as const;

function parsePeriod(given: unknown, path: string): ComparedPeriod {
  if (!isObject<(typeof periodMembers)[number]>(given))
    throw invalid(path, `must be an object with the members ${periodMembers.join(", ")}`);
  refuseUnknown(given, periodMembers, path);
  const { dataset_id: datasetId, column_id: columnId, level, quantity = 1 } = given;
  if (!isUuid(datasetId)) throw invalid(`${path}.dataset_id`, "must be the id of a dataset");
  if (!isUuid(columnId)) throw invalid(`${path}.column_id`, "must be the id of a datetime column");
  if (!isWhole(level, 0, 8))
    throw invalid(
      `${path}.level`,
      "must be a whole number from 1 (year) to 8 (second), or 0 for the length of the filtered range",
    );
  if (!isWhole(quantity, 1, 100_000))
    throw invalid(`${path}.quantity`, "must be a whole number from 1 to 100000");
  return { dataset_id: datasetId, column_id: columnId, level, quantity };
}

function parseSort(given: unknown, path: string): ChosenSort | undefined {
  if (given === undefined) return undefined;
  if (!isObject<"cell" | "order">(given))
    throw invalid(path, "must be an object with the members cell and order");
  refuseUnknown(given, ["cell", "order"], path);
  const { cell, order = "asc" } = given;
  if (typeof cell !== "number" || !Number.isInteger(cell) || cell < 0)
    throw invalid(`${path}.cell`, "must be the index of a column of the item, from 0");
  if (order !== "asc" && order !== "desc") throw invalid(`${path}.order`, "must be asc or desc");
  return { cell, order };
}

function refuseUnknown(given: object, allowed: readonly string[], path: string): void {
  const unknown = Object.keys(given).find((member) => !allowed.includes(member));
  if (unknown !== undefined)
    throw new ApiError("MEMBER_UNKNOWN", [
      `properties.${path}.${unknown.slice(0, 100)}`,
      allowed.join(", "),
    ]);
}

const invalid = (member: string, problem: string): ApiError =>
  new ApiError("MEMBER_INVALID", [`properties.${member}`, problem]);
