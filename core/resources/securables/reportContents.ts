import {
  isObject,
  isUuid,
  listOf,
  type Members,
  nearestName,
  reference,
} from "../../base/index.ts";
import {
  gridColumns,
  isItemType,
  isUndrawnType,
  itemKinds,
  unreadMembers,
  itemTypes,
  localizedText,
  readItem,
  undrawnTypes,
  type SlotField,
} from "../../web/charts/index.ts";
import { type Finding, inspectValue } from "../kernel/index.ts";
import { customType, wordMeanings } from "./itemSchemas.ts";
import { describingSchemas } from "./describingSchemas.ts";

/** A column or formula of a dataset, as contents may refer to it. */
export interface KnownColumn {
  readonly id: string;
  /** The names by which a person may have referred to the column instead of its id. */
  readonly names: readonly string[];
}

/**
 * The columns and formulas of the datasets that the caller sees, by the dataset's id; undefined if they are unknown.
 */
export type KnownColumns = ReadonlyMap<string, readonly KnownColumn[] | undefined>;

/** What is wrong with contents that the API stores. */
export interface ContentsReport {
  /** Whether at least one item can be drawn, or the views are still empty. */
  readonly isDrawable: boolean;
  /**
   * One sentence per problem, with the path of the member. After `mostWarnings` sentences, a last sentence counts the
   * other problems.
   */
  readonly warnings: readonly string[];
}

/** Maximum number of listed problems. */
const mostWarnings = 100;
/** Maximum number of problems that are collected. Contents can have millions of members. */
const mostFindings = 20_000;

/**
 * Reports what a dashboard would not show: unknown item types, slots, members and options; values in unsupported forms;
 * and items without a position, an id or columns. With `columns`, also reports columns that do not exist. Returns each
 * problem with the path of its member. Contents with problems are stored nevertheless, because dashboards of other
 * products contain more than this version draws. O(size of the contents).
 */
export function reportContents(contents: unknown, columns?: KnownColumns): ContentsReport {
  const found: Finding[] = [];
  const schema = reference("DashboardContents");
  const inspection = { schemas: describingSchemas, isStrict: true, meanings: wordMeanings };
  found.push(...inspectValue(contents, schema, "contents", inspection).take(mostFindings));
  const { views }: Members<"views"> = isObject(contents) ? contents : {};
  const known = listOf(views);
  const items = known.flatMap((view, index) => itemsIn(view, `contents.views[${index}]`));
  if (known.length === 0)
    found.push({ path: "contents.views", problem: "must list at least one view with its items" });
  const firstViews = firstByScreen(known);
  for (const [index, view] of known.slice(0, mostFindings).entries())
    for (const each of viewFindings(view, `contents.views[${index}]`, firstViews)) found.push(each);
  for (const each of items.slice(0, mostFindings)) found.push(...itemFindings(each));
  if (columns)
    for (const each of referencesIn(contents).take(mostFindings))
      found.push(...columnFindings(each, columns));
  const isDrawable = known.length > 0 && (items.length === 0 || items.some(isDrawn));
  return { isDrawable, warnings: sentencesOf(found) };
}

/** Returns one sentence per problem. Equal problems of different items are one sentence. */
function sentencesOf(found: readonly Finding[]): string[] {
  const alike = Map.groupBy(found, ({ path, problem }) => {
    const name = path.slice(path.lastIndexOf(".") + 1);
    return `${name} ${problem}`;
  });
  const sentences = [...alike.values()].map(([first, ...others]) => {
    const { path, problem } = first!;
    const places = others.length === 1 ? "1 other place" : `${others.length} other places`;
    const more = others.length === 0 ? "" : ` (and in ${places})`;
    return `${path} ${problem}${more}`;
  });
  const rest = sentences.length - mostWarnings;
  return rest > 0
    ? [...sentences.slice(0, mostWarnings), `${rest} further problems are not listed`]
    : sentences;
}

interface StoredItem {
  readonly stored: Members<"id" | "type" | "position" | "options" | "slots">;
  readonly path: string;
}

function itemsIn(view: unknown, path: string): StoredItem[] {
  const { items }: Members<"items"> = isObject(view) ? view : {};
  return listOf(items).flatMap((stored, index) =>
    isObject<"id" | "type" | "position" | "options" | "slots">(stored)
      ? [{ stored, path: `${path}.items[${index}]` }]
      : [],
  );
}

/** Returns the first view for each screen. */
function firstByScreen(views: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  const first = new Map<unknown, unknown>();
  for (const view of views)
    if (isObject<"screenModus">(view) && !first.has(view.screenModus))
      first.set(view.screenModus, view);
  return first;
}

/** Returns at most `mostFindings` problems of a view and of the ids of its items. */
function viewFindings(
  view: unknown,
  path: string,
  firstViews: ReadonlyMap<unknown, unknown>,
): Finding[] {
  const items = itemsIn(view, path).slice(0, mostFindings);
  const { screenModus }: Members<"screenModus"> = isObject(view) ? view : {};
  const found: Finding[] = [];
  if (screenModus === undefined)
    found.push({
      path: `${path}.screenModus`,
      problem: "is missing; set it to a kind of screen such as desktop",
    });
  else if (firstViews.get(screenModus) !== view)
    found.push({
      path: `${path}.screenModus`,
      problem: `must be different in each view; only the first view for ${String(screenModus)} is shown`,
    });
  const seen = new Set<unknown>();
  for (const { stored, path: at } of items) {
    const { id } = stored;
    if (typeof id !== "string" || id === "")
      found.push({
        path: `${at}.id`,
        problem: "is missing; without it, filters, exports and links cannot name the item",
      });
    else if (seen.has(id))
      found.push({ path: `${at}.id`, problem: `must be unique in its view; ${id} occurs twice` });
    seen.add(id);
  }
  return found;
}

/** Returns whether an item shows something: a picture, or its data as a table. */
function isDrawn({ stored }: StoredItem): boolean {
  const { type, fields } = readItem(stored);
  if (type === customType) return true;
  if (isItemType(type) && !itemKinds[itemTypes[type].kind].hasRows)
    return itemTypes[type].kind !== "filter" || fields.length > 0;
  return fields.some(isReference);
}

const isReference = ({ columnId, formulaId, formula }: SlotField): boolean =>
  (columnId ?? formulaId ?? formula) !== undefined;

function itemFindings(item: StoredItem): Finding[] {
  const { stored, path } = item;
  const { type, fields, options } = readItem(stored);
  const found: Finding[] = [];
  const { position } = stored;
  if (!isObject<"col" | "row" | "sizeX" | "sizeY">(position))
    found.push({
      path: `${path}.position`,
      problem: "is missing; without {col, row, sizeX, sizeY}, items cover each other",
    });
  else {
    const missing = ["col", "row", "sizeX", "sizeY"].filter(
      (member) => !Object.hasOwn(position, member),
    );
    if (missing.length > 0)
      found.push({ path: `${path}.position`, problem: `must also have ${missing.join(", ")}` });
    const right = Number(position.col) + Number(position.sizeX);
    if (right > gridColumns)
      found.push({
        path: `${path}.position`,
        problem: `must end within the ${gridColumns} columns of the grid, not at ${right}`,
      });
  }
  if (isUndrawnType(type))
    found.push({
      path: `${path}.type`,
      problem: `${type} (${undrawnTypes[type].title}) is not drawn by this version yet; its data is shown as a table`,
    });
  const kind = isItemType(type) ? itemTypes[type].kind : undefined;
  if (kind === "filter" && !fields.some(isReference))
    found.push({
      path: `${path}.slots`,
      problem: "must have a column; without it, the control filters nothing",
    });
  else if (kind === "text" && options.html === undefined)
    found.push({ path: `${path}.options.html`, problem: "is missing, so the item is empty" });
  else if (kind === "image" || kind === "page") {
    if (!localizedText(options.url, "en").trim().startsWith("https://"))
      found.push({
        path: `${path}.options.url`,
        problem: "must be an address that begins with https://; otherwise, nothing is loaded",
      });
  } else if (kind === "video") {
    const member = options.type === "youtube" ? "youtube" : "sources";
    if (options[member] === undefined)
      found.push({
        path: `${path}.options.${member}`,
        problem: "is missing, so the item has no video",
      });
  } else if (kind !== undefined && itemKinds[kind].hasRows && !fields.some(isReference))
    found.push({
      path: `${path}.slots`,
      problem: "must have a column or formula; without it, the item draws nothing",
    });
  for (const [slot, each] of listOf(stored.slots).entries())
    for (const [index, content] of listOf(isObject<"content">(each) ? each.content : []).entries())
      for (const [member, means] of Object.entries(unreadMembers))
        if (isObject(content) && isSet(content[member]))
          found.push({
            path: `${path}.slots[${slot}].content[${index}].${member}`,
            problem: `has no effect in this version: it would ${means}`,
          });
  if (isUndrawnType(type) && isSet(stored.options) && Object.keys(options).length > 0) {
    const names = Object.keys(options).filter((name) => name !== "title" && name !== "display");
    if (names.length > 0)
      found.push({
        path: `${path}.options`,
        problem: `of a type that is not drawn have no effect: ${shortList(names)}`,
      });
  }
  if (type === customType && typeof options.customChartId !== "string")
    found.push({
      path: `${path}.options.customChartId`,
      problem: "is missing; it must be the id of a custom chart",
    });
  return found;
}

/** Returns whether a stored member asks for something: not null, false, or empty. */
function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

const mostNames = 20;
const shortList = (names: readonly string[]): string => {
  const shown = names.slice(0, mostNames).map((name) => name.slice(0, 60));
  const rest = names.length - shown.length;
  return `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
};

/** A reference to a column or formula in contents. */
interface ContentsReference {
  readonly path: string;
  readonly datasetId: unknown;
  /** The column or formula; undefined for a reference to only a dataset. */
  readonly id?: unknown;
}

/** Yields every reference to a column or formula, in slots and in filters. O(size). */
function* referencesIn(value: unknown, path = "contents"): Generator<ContentsReference> {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) yield* referencesIn(each, `${path}[${index}]`);
    return;
  }
  if (!isObject(value)) return;
  const owner = datasetMembers.find((name) => typeof value[name] === "string");
  if (owner !== undefined) {
    const member = referringMembers.find((name) => typeof value[name] === "string");
    yield { path: `${path}.${member ?? owner}`, datasetId: value[owner], id: value[member ?? ""] };
  }
  for (const [name, each] of Object.entries(value)) yield* referencesIn(each, `${path}.${name}`);
}

const datasetMembers = ["datasetId", "dataset_id", "set"] as const;
const referringMembers = ["formulaId", "formula_id", "columnId", "column_id", "column"] as const;

function columnFindings(
  { path, datasetId, id }: ContentsReference,
  columns: KnownColumns,
): Finding[] {
  const key = String(datasetId).toLowerCase();
  const known = columns.get(key);
  if (!columns.has(key))
    return [
      {
        path,
        problem: `belongs to the dataset ${shorten(datasetId)}, which does not exist or cannot be seen by the caller`,
      },
    ];
  if (known === undefined || id === undefined || id === "*") return [];
  const wanted = String(id).toLowerCase();
  if (known.some((each) => each.id === wanted)) return [];
  const names = new Map(known.flatMap((each) => each.names.map((name) => [name, each] as const)));
  const name = isUuid(wanted) ? undefined : nearestName(String(id), names.keys());
  const meant = name === undefined ? undefined : names.get(name);
  const hint = meant
    ? `; the id of ${name} is ${meant.id}`
    : "; read the ids with column get where securable_id is the dataset";
  return [
    {
      path,
      problem: `${shorten(id)} is not the id of a column or formula of the dataset ${shorten(datasetId)}${hint}`,
    },
  ];
}

const shorten = (value: unknown): string => JSON.stringify(String(value).slice(0, 60));

/** Returns the ids of the datasets to which contents refer, without duplicates. */
export function referredDatasets(contents: unknown): string[] {
  const ids = [...referencesIn(contents)].map(({ datasetId }) => String(datasetId).toLowerCase());
  return [...new Set(ids)].filter(isUuid);
}
