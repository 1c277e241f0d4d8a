import { localized } from "../language/index.ts";
import {
  isItemType,
  isObject,
  itemKinds,
  itemTypes,
  listOf,
  objectOf,
  readItem,
  slotsOf,
  splitFields,
  type ItemType,
  type SlotField,
} from "../../charts/index.ts";
import type { ExploredColumn, ExploredDataset } from "./columns.ts";
import { phraseOfValue, readMeasureCalculation, storedCalculation } from "./calculations.ts";
import { itemOf, measureOf } from "./itemOf.ts";
import { emptyQuestion, type Grouping, type Measure, type Question } from "./question.ts";
import { words as english } from "./questionWords/en.ts";

/** A column or formula as a slot stores it. Members that questions do not know are kept. */
type Content = Readonly<Record<string, unknown>>;

/** The members of a stored item that a question reads and writes. */
export interface QuestionedItem {
  readonly type: string;
  readonly slots?:
    | readonly { readonly name?: string; readonly content?: readonly Content[] }[]
    | undefined;
}

/** Where a column of a question is stored, and in which form. */
interface StoredEntry {
  readonly entry: Grouping | Measure;
  readonly role: "dimension" | "measure";
  readonly isColor: boolean;
  readonly content: Content;
  /** The index of the slot, and of the content over all slots. */
  readonly slot: number;
  readonly at: number;
}

/** The question that a stored item asks, without its filters, which dashboards store elsewhere. */
export interface StoredQuestion {
  readonly question: Question;
  /** Id of the dataset of all columns; undefined for an item without columns. */
  readonly datasetId: string | undefined;
  /** Columns and formulas of the item by id, for those that the dataset does not list. */
  readonly named: ReadonlyMap<string, Pick<ExploredColumn, "id" | "name" | "type">>;
  readonly entries: readonly StoredEntry[];
}

/** Why no question can express an item: its type has other slots, or its columns come from several datasets. */
export type Inexpressible = "type" | "datasets";

/** The last slots for dimensions whose values are drawn as series, parts or columns. */
const seriesSlots: readonly string[] = ["legend", "color", "column", "category"];

/** Returns the slot of the shelf "color"; undefined for types in which each dimension has a place of its own. */
export function colorSlotOf(type: ItemType): string | undefined {
  const { kind, dimensions }: { readonly kind: string; readonly dimensions: readonly string[] } =
    itemTypes[type];
  const last = dimensions.length > 1 && kind !== "sankey" ? dimensions.at(-1) : undefined;
  return last !== undefined && seriesSlots.includes(last) ? last : undefined;
}

/** Reads the question that a stored item asks. Returns why not if no question can express the item. */
export function readStoredQuestion(item: QuestionedItem): StoredQuestion | Inexpressible {
  const { type } = item;
  if (!isItemType(type) || !itemKinds[itemTypes[type].kind].hasRows) return "type";
  const { fields } = readItem(item);
  const { dimensions, measures } = splitFields({ id: "", type, options: {}, fields });
  const datasets = new Set(fields.flatMap(({ datasetId }) => datasetId ?? []));
  if (datasets.size > 1) return "datasets";
  const colorSlot = colorSlotOf(type);
  const inColor = dimensions.filter(({ slot }) => slot === colorSlot);
  const isRaw = itemTypes[type].kind === "boxes";
  const timeLevel = dimensions.find((field) => field.type === "datetime")?.level;
  const named = new Map<string, Pick<ExploredColumn, "id" | "name" | "type">>();
  let at = 0;
  const entries = listOf(item.slots).flatMap((stored, slot) =>
    listOf(objectOf<"content">(stored).content).flatMap((content): StoredEntry[] => {
      const index = at++;
      const field = fields[index];
      if (!field || !isObject(content)) return [];
      const isMeasure = measures.includes(field);
      // Columns in slots that the type does not have are not part of the picture. They stay as they are.
      if (!isMeasure && !dimensions.includes(field)) return [];
      const id = idOf(field, index);
      named.set(id, { id, name: field.label ?? field.formula ?? id, type: field.type });
      return [
        {
          entry: isMeasure
            ? measureEntry(id, field, { isRaw, timeLevel })
            : { id, ...(field.level !== undefined && { level: field.level }) },
          role: isMeasure ? "measure" : "dimension",
          isColor: field === inColor.at(-1),
          content,
          slot,
          at: index,
        },
      ];
    }),
  );
  // Slots of an item can be stored in any order. The order of the type is that of the answer.
  const inOrder = (field: SlotField) => entries.find(({ at: index }) => fields[index] === field);
  const groupings = dimensions.flatMap((field) => inOrder(field) ?? []);
  const color = groupings.find(({ isColor }) => isColor);
  return {
    question: {
      ...emptyQuestion,
      chart: type,
      rows: groupings.filter((each) => each !== color).map(({ entry }) => entry),
      ...(color && { color: color.entry }),
      measures: measures.flatMap((field) => inOrder(field)?.entry ?? []).filter(isMeasureEntry),
    },
    datasetId: [...datasets][0],
    named,
    entries,
  };
}

function measureEntry(
  id: string,
  field: SlotField,
  { isRaw, timeLevel }: { readonly isRaw: boolean; readonly timeLevel: number | undefined },
): Measure {
  const calculation = readMeasureCalculation(field.calculation, timeLevel);
  return { id, aggregation: aggregationOf(field, isRaw), ...(calculation && { calculation }) };
}

const isMeasureEntry = (entry: Grouping | Measure): entry is Measure => "aggregation" in entry;

/** Returns the id of a column; for a formula, an id that no column has. */
const idOf = ({ columnId, formulaId }: SlotField, at: number): string =>
  formulaId ?? columnId ?? `formula ${at}`;

/**
 * Returns the aggregation of a measure; "" for formulas, which aggregate their columns themselves, and for raw rows.
 */
function aggregationOf(
  { aggregation, formula, formulaId, type }: SlotField,
  isRaw: boolean,
): string {
  if (formula !== undefined || formulaId !== undefined) return "";
  return aggregation ?? (isRaw ? "" : type === "numeric" ? "sum" : "count");
}

/** A column on its way to a slot. */
interface PlacedContent {
  readonly role: StoredEntry["role"];
  readonly isColor: boolean;
  readonly content: Content;
  /** The entry that stored the column before; undefined for a new column. */
  readonly before: StoredEntry | undefined;
}

/**
 * Returns a stored item that asks another question. Columns that stay keep all their members, and their slot if the
 * type still has it. Slots that the type does not know are kept.
 */
export function withQuestion<Item extends QuestionedItem>(
  item: Item,
  stored: StoredQuestion,
  next: Question,
  dataset: ExploredDataset,
): Item {
  const type = isItemType(next.chart) ? next.chart : item.type;
  if (!isItemType(type)) return item;
  const contents = contentsOf(stored, { ...next, chart: type }, dataset);
  const isSame = type === item.type;
  const { slots = [] } = item;
  if (isSame && isUnchanged(stored, contents)) return item;
  const owned = new Set(stored.entries.map(({ at }) => at));
  const ownSlots = slotsOf(type);
  const names = slots.map(({ name }) => name ?? "");
  let index = 0;
  const rests = slots.map((slot) => ({
    ...slot,
    content: (slot.content ?? []).filter(() => !owned.has(index++)),
  }));
  const placed = placesOf(type, contents, isSame ? names : []);
  const filled = rests.map((rest, slot) => {
    const own = placed.filter((each) =>
      each.slot === undefined ? names.indexOf(each.name) === slot : each.slot === slot,
    );
    return { ...rest, content: [...rest.content, ...inOrder(own)] };
  });
  // An empty slot that only the old type has would be a rest.
  const isOfOld = isItemType(item.type) ? slotsOf(item.type) : [];
  const kept = filled.filter(
    ({ name = "", content }) =>
      content.length > 0 || isSame || ownSlots.includes(name) || !isOfOld.includes(name),
  );
  const made = ownSlots
    .filter((name, at) => ownSlots.indexOf(name) === at && !names.includes(name))
    .flatMap((name) => {
      const own = placed.filter((each) => each.name === name);
      return own.length > 0 ? [{ name, content: inOrder(own) }] : [];
    });
  return { ...item, type, slots: [...kept, ...made] };
}

/** Returns the columns of a question in their stored form: rows, then the colour, then measures. */
function contentsOf(
  stored: StoredQuestion,
  next: Question,
  dataset: ExploredDataset,
): PlacedContent[] {
  const { entries } = stored;
  const free = new Set(entries);
  const take = (entry: Grouping | Measure, role: StoredEntry["role"]) => {
    const ofRole = [...free].filter((each) => each.role === role);
    const found =
      ofRole.find((each) => each.entry === entry) ??
      ofRole.find((each) => each.entry.id === entry.id);
    if (found) free.delete(found);
    return found;
  };
  // Entries that the reader did not change are found first, because a column can be used twice.
  const all = [
    ...next.rows.map((entry) => ({ entry, role: "dimension", isColor: false }) as const),
    ...(next.color ? [{ entry: next.color, role: "dimension", isColor: true } as const] : []),
    ...next.measures.map((entry) => ({ entry, role: "measure", isColor: false }) as const),
  ];
  const same = new Map(
    all.flatMap(({ entry, role }) =>
      entries.some((each) => each.entry === entry) ? [[entry, take(entry, role)] as const] : [],
    ),
  );
  return all.map(({ entry, role, isColor }) => {
    const before = same.get(entry) ?? take(entry, role);
    const content = before
      ? patched(before, entry, { before: stored.question, next }, dataset)
      : freshContent(entry, next, dataset);
    return { role, isColor, content, before };
  });
}

/** Returns whether columns are those that an item has, in the same order and form. */
function isUnchanged(
  { entries, question }: StoredQuestion,
  contents: readonly PlacedContent[],
): boolean {
  const { rows, color, measures } = question;
  const before = [...rows, ...(color ? [color] : []), ...measures];
  return (
    contents.length === before.length &&
    contents.every(
      ({ before: stored, content, isColor }, index) =>
        stored?.entry === before[index] &&
        stored?.content === content &&
        stored.isColor === isColor,
    ) &&
    entries.length === before.length
  );
}

/** Returns the content of a column that stays, with what the reader changed. */
function patched(
  { entry: before, content }: StoredEntry,
  entry: Grouping | Measure,
  questions: { readonly before: Question; readonly next: Question },
  dataset: ExploredDataset,
): Content {
  const { next } = questions;
  if (!isMeasureEntry(entry) || !isMeasureEntry(before)) {
    const { level } = { level: undefined, ...entry };
    const isOther = level !== undefined && level !== { level: undefined, ...before }.level;
    // Numbers that a table lists are ranges in a chart.
    const isListed =
      content["type"] === "numeric" &&
      content["bins"] === undefined &&
      next.chart !== "regular-table";
    const bins = isListed ? freshContent(entry, next, dataset)["bins"] : undefined;
    if (!isOther && bins === undefined) return content;
    return { ...content, ...(isOther && { level }), ...(bins !== undefined && { bins }) };
  }
  const columns = new Map(dataset.columns.map((column) => [column.id, column]));
  const { aggregation } = entry;
  const calculated = storedCalculation(entry, next, columns);
  const calculatedBefore = storedCalculation(before, questions.before, columns);
  const isCalculated = JSON.stringify(calculated) === JSON.stringify(calculatedBefore);
  if (aggregation === before.aggregation && isCalculated) return content;
  // The name of a measure, such as "Total delay", names its aggregation. A name that an author chose stays.
  const named = [
    localized(phraseOfValue(before, columns)),
    { en: phraseOfValue(before, columns, english) },
  ].map((name) => JSON.stringify(name));
  const label = named.includes(JSON.stringify(content["label"]))
    ? { label: localized(phraseOfValue(entry, columns)) }
    : {};
  const older = objectOf<"type">(content["aggregation"]);
  const isOlder = content["aggregationFunc"] === undefined && older.type !== undefined;
  const { calculation: _calculation, periodOverPeriod: _comparison, ...others } = content;
  return {
    ...(isCalculated ? content : others),
    ...label,
    ...(isOlder
      ? { aggregation: { ...older, type: aggregation } }
      : { aggregationFunc: aggregation }),
    ...(!isCalculated && calculated),
  };
}

/** Returns the stored form of a column that is new in an item, as Explore stores it. */
function freshContent(
  entry: Grouping | Measure,
  next: Question,
  dataset: ExploredDataset,
): Content {
  if (isMeasureEntry(entry)) return measureOf(entry, next, dataset);
  const counted = [{ id: "*", aggregation: "count" }];
  const question = { ...emptyQuestion, chart: next.chart, rows: [entry], measures: counted };
  const [slot] = itemOf(question, dataset).slots;
  return { ...slot?.content[0] };
}

/**
 * Assigns columns to slots. A column that stays keeps its slot. A new row takes the first slot for dimensions that has
 * none yet, the colour takes the last one, and a new measure takes the first free slot for measures.
 */
function placesOf(
  type: ItemType,
  contents: readonly PlacedContent[],
  names: readonly string[],
): (PlacedContent & { readonly name: string; readonly slot: number | undefined })[] {
  const {
    dimensions,
    measures,
  }: { readonly dimensions: readonly string[]; readonly measures: readonly string[] } =
    itemTypes[type];
  const colorSlot = colorSlotOf(type);
  const taken = new Map<string, number>();
  const put = (name: string) => {
    taken.set(name, (taken.get(name) ?? 0) + 1);
    return name;
  };
  const keptSlot = ({ before, isColor, role }: PlacedContent): number | undefined => {
    const name = before && names[before.slot];
    const own = role === "measure" ? measures : dimensions;
    const fits = name !== undefined && (own.length === 0 || own.includes(name));
    return before && fits && before.isColor === isColor ? before.slot : undefined;
  };
  const kept = contents.map((each) => {
    const slot = keptSlot(each);
    if (slot !== undefined) put(names[slot] ?? "");
    return slot;
  });
  return contents.map((each, index) => {
    const slot = kept[index];
    if (slot !== undefined) return { ...each, slot, name: names[slot] ?? "" };
    if (each.isColor) return { ...each, slot, name: put(colorSlot ?? dimensions.at(-1) ?? "") };
    const own = each.role === "measure" ? measures : dimensions;
    const others = each.role === "measure" ? dimensions : measures;
    const free = own.find((name) => !taken.has(name));
    const first = own.find((name) => name !== colorSlot) ?? own[0];
    // In a pivot table, all rows but the first join the first.
    const usual =
      each.role === "measure" ? own.at(-1) : colorSlot === undefined ? own.at(-1) : first;
    return { ...each, slot, name: put(free ?? usual ?? others.at(-1) ?? "") };
  });
}

/** Returns the contents of one slot: those that were there in their old order if the slot has both roles. */
function inOrder(placed: readonly PlacedContent[]): Content[] {
  const isMixed = new Set(placed.map(({ role }) => role)).size > 1;
  const atOf = ({ before }: PlacedContent) => before?.at ?? Number.MAX_SAFE_INTEGER;
  const sorted = isMixed ? placed.toSorted((one, other) => atOf(one) - atOf(other)) : placed;
  return sorted.map(({ content }) => content);
}
