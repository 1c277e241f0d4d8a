import {
  interactivity,
  markAddress,
  readColumns,
  type ChartCell,
  type ChartItem,
  type Mark,
  type SlotField,
} from "../../charts/index.ts";
import { viewWordsOf } from "../view/index.ts";
import type { CustomEventDetail, MarkValue } from "./customEventDetail.ts";
import { openMarkMenu, type MarkEntry } from "./openMarkMenu.ts";

export interface MarkOptions {
  readonly item: ChartItem;
  /** The answer that the item shows. */
  readonly fields: readonly SlotField[];
  readonly rows: readonly (readonly ChartCell[])[];
  readonly mark: Mark;
  readonly container: HTMLElement;
  readonly at: { readonly x: number; readonly y: number } | undefined;
  readonly localeId: string;
  readonly timezoneId: string;
  /** Filters the other items by the mark. */
  choose(): void;
  emit(detail: CustomEventDetail): void;
}

/**
 * Offers what the options of an item define for its marks. A single event is sent at once, and the mark also filters
 * the other items. Otherwise, a menu at the mark offers to filter, the events and the link.
 */
export function offerMark(options: MarkOptions): void {
  const { item, mark, container, at, localeId, choose, emit } = options;
  const { events, markLink } = interactivity(item, localeId);
  const values = valuesOf(options);
  const { category, series, value } = mark;
  const send = (name: string) =>
    emit({ itemId: item.id, name, mark: { category, series, value }, values });
  const address =
    markLink &&
    markAddress(markLink.url, (slot) => {
      const found = values.find((each) => each.slot === slot)?.value;
      return found === undefined || found === null ? undefined : String(found);
    });
  const [single, ...others] = events;
  if (single && others.length === 0 && !markLink) {
    choose();
    return send(single.name);
  }
  const words = viewWordsOf(localeId);
  const entries: MarkEntry[] = [
    { name: words.filterBy, run: choose },
    ...events.map(({ name, label }) => ({ name: label, run: () => send(name) })),
    ...(markLink && address !== undefined
      ? [{ name: words.openLink, address, target: markLink.target }]
      : []),
  ];
  const opener = container.querySelector<HTMLElement>(":focus, .mf-plot") ?? container;
  openMarkMenu({
    name: [category, series].filter((each) => each !== "").join(", "),
    entries,
    container,
    opener,
    at,
  });
}

const plain = (cell: ChartCell): string | number | null =>
  typeof cell === "object" && cell !== null ? cell.id : cell;

function valuesOf(options: MarkOptions): readonly MarkValue[] {
  const { fields, rows, mark, localeId, timezoneId } = options;
  const row = rows[mark.row ?? -1];
  if (!row) return [];
  return readColumns({ fields, localeId, timezoneId }).map(({ name, field }, index): MarkValue => {
    const { slot, datasetId, columnId, formulaId } = field;
    return {
      slot,
      ...(datasetId !== undefined && { datasetId }),
      ...(columnId !== undefined && { columnId }),
      ...(formulaId !== undefined && { formulaId }),
      name,
      value: plain(row[index] ?? null),
    };
  });
}
