import { isObject, listOf, objectOf, type SlotField } from "../../../charts/index.ts";
import type { BoardItem } from "./contents.ts";

type Stored = Readonly<Record<string, unknown>>;

/** The cell colours of a column: the `mode` and the `conditional` ranges of its entry in `options.columns`. */
export interface CellLook {
  /** The mode of the column; empty for cells without a special look. */
  readonly mode: string;
  readonly rules: readonly Stored[];
}

/**
 * Returns the ids by which an entry can name a field, in the order in which charts look them up: slot content, column,
 * formula.
 */
const namesOf = ({ id, columnId, formulaId }: SlotField): readonly string[] =>
  [id, columnId, formulaId].filter((name) => name !== undefined);

/** Returns the entries of a stored item. They may be stored as a list, or as a list within a list. */
const entriesOf = (item: BoardItem): readonly Stored[] =>
  listOf(item.options?.["columns"])
    .flatMap((each: unknown): readonly unknown[] => (Array.isArray(each) ? each : [each]))
    .filter(isObject);

const nameOf = (entry: Stored): unknown => entry["slotContentId"] ?? entry["id"];

function entryOf(item: BoardItem, field: SlotField): Stored | undefined {
  const entries = entriesOf(item);
  return namesOf(field)
    .map((name) => entries.find((entry) => nameOf(entry) === name))
    .find((entry) => entry !== undefined);
}

/** Returns the cell colours of a field. */
export function readLook(item: BoardItem, field: SlotField): CellLook {
  const { mode, conditional } = entryOf(item, field) ?? {};
  return {
    mode: typeof mode === "string" && mode !== "normal" ? mode : "",
    rules: listOf(conditional).map(objectOf),
  };
}

/** Returns the item with new cell colours for a field. Other columns and members are unchanged. */
export function withLook(item: BoardItem, field: SlotField, look: CellLook): BoardItem {
  const entries = entriesOf(item);
  const before = entryOf(item, field);
  const [name] = namesOf(field);
  if (name === undefined) return item;
  const naming: Stored = item.type === "pivot-table" ? { id: name } : { slotContentId: name };
  const { conditional: _, ...kept } = before ?? naming;
  const after: Stored = {
    ...kept,
    mode: look.mode === "" ? "normal" : look.mode,
    ...(look.rules.length > 0 && { conditional: look.rules }),
  };
  const columns = before
    ? entries.map((entry) => (entry === before ? after : entry))
    : [...entries, after];
  return { ...item, options: { ...item.options, columns } };
}
