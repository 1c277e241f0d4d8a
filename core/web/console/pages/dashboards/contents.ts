import { isSetBy, objectOf, readItem, readView, type Screen } from "../../../charts/index.ts";

/** A position in the grid, which has 48 columns and rows of 16 pixels. */
export interface Position {
  readonly col: number;
  readonly row: number;
  readonly sizeX: number;
  readonly sizeY: number;
}

/** A stored item of a dashboard. Members that are not listed here are kept. */
export interface BoardItem {
  readonly id: string;
  readonly type: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly position?: Partial<Position>;
  readonly slots?: readonly {
    readonly name?: string;
    readonly content?: readonly Readonly<Record<string, unknown>>[];
  }[];
}

/** The layout of a dashboard for one screen. */
export interface BoardView {
  readonly screenModus: Screen;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly items?: readonly BoardItem[];
  readonly filterGroups?: readonly FilterGroup[];
}

/** Filters that are applied together. Members that are not listed here are kept. */
export interface FilterGroup {
  readonly id?: string;
  readonly origin?: string;
  readonly itemId?: string;
  readonly datasetId?: string;
  readonly condition?: string;
  readonly filters?: readonly StoredFilter[];
  readonly subGroups?: readonly FilterGroup[];
}

/** A filter as dashboards store it. */
export interface StoredFilter {
  readonly expression: string;
  /** A column, and a value if the operator needs one. */
  readonly parameters: readonly unknown[];
  readonly properties?: object;
}

/** The contents of a dashboard. Members that are not listed here are kept. */
export interface Contents {
  readonly version?: string;
  readonly filterGroups?: readonly FilterGroup[];
  readonly views?: readonly BoardView[];
}

export const columnCount = 48;
const least = { sizeX: 4, sizeY: 4 };

/** Returns the position of an item, rounded and moved into the grid. */
export function positionOf(item: BoardItem): Position {
  const position: Partial<Position> = item.position ?? {};
  const whole = (value: number | undefined, usual: number, from: number, to: number) =>
    Math.min(
      to,
      Math.max(from, Math.round(value !== undefined && Number.isFinite(value) ? value : usual)),
    );
  const sizeX = whole(position.sizeX, 24, 1, columnCount);
  return {
    sizeX,
    sizeY: whole(position.sizeY, 16, 1, 400),
    col: whole(position.col, 0, 0, columnCount - sizeX),
    row: whole(position.row, 0, 0, 10_000),
  };
}

/** Returns the view that a screen shows: its own view, or else the closest view, as in embedded dashboards. */
export function viewOf(contents: Contents, screen: Screen): BoardView {
  const { stored } = readView({ ...contents }, screen);
  const found = contents.views?.find(({ screenModus }) => screenModus === stored["screenModus"]);
  return found ?? { screenModus: screen };
}

/** Returns whether a screen has its own view with items. */
export function hasView({ views = [] }: Contents, screen: Screen): boolean {
  return views.some(({ screenModus, items = [] }) => screenModus === screen && items.length > 0);
}

/** Returns contents without the view of a screen, which then shows the closest other view. */
export function withoutView(contents: Contents, screen: Screen): Contents {
  const { views = [] } = contents;
  return { ...contents, views: views.filter(({ screenModus }) => screenModus !== screen) };
}

/** Returns contents with a replaced view of a screen. */
export function withView(contents: Contents, view: BoardView): Contents {
  const { views = [] } = contents;
  const place = views.findIndex(({ screenModus }) => screenModus === view.screenModus);
  return { ...contents, views: place === -1 ? [...views, view] : views.with(place, view) };
}

/**
 * Returns contents with a replaced item in one view. The item is found by its id. Items below it move down if needed.
 */
export function withItem(contents: Contents, view: BoardView, item: BoardItem): Contents {
  const { items: before = [] } = view;
  const place = before.findIndex(({ id }) => id === item.id);
  const items = place === -1 ? before : before.with(place, item);
  return withView(contents, { ...view, items: makeRoom(items, item) });
}

/** Moves items down until none overlaps another; `kept` does not move. */
function makeRoom(items: readonly BoardItem[], kept: BoardItem): BoardItem[] {
  const placed: Position[] = [];
  const rowOf = (item: BoardItem) => positionOf(item).row;
  const inTurn = items.toSorted(
    (one, other) => Number(other === kept) - Number(one === kept) || rowOf(one) - rowOf(other),
  );
  const settled = new Map<BoardItem, BoardItem>();
  for (const item of inTurn) {
    let place = positionOf(item);
    for (let over = covering(placed, place); over; over = covering(placed, place))
      place = { ...place, row: over.row + over.sizeY };
    placed.push(place);
    const isMoved = place.row !== rowOf(item);
    settled.set(item, isMoved ? { ...item, position: { ...item.position, ...place } } : item);
  }
  return items.map((item) => settled.get(item) ?? item);
}

function covering(placed: readonly Position[], place: Position): Position | undefined {
  return placed.find(
    (each) =>
      each.col < place.col + place.sizeX &&
      place.col < each.col + each.sizeX &&
      each.row < place.row + place.sizeY &&
      place.row < each.row + each.sizeY,
  );
}

/** Returns contents without an item, without the filters that apply only to it, and without those that it sets. */
export function withoutItem(contents: Contents, view: BoardView, id: string): Contents {
  const isOfItem = (group: FilterGroup) =>
    (group.origin === "itemFilter" && group.itemId === id) || isSetBy(group, id);
  return withView(contents, {
    ...view,
    items: (view.items ?? []).filter((item) => item.id !== id),
    filterGroups: (view.filterGroups ?? []).filter((group) => !isOfItem(group)),
  });
}

/** Returns an item moved and resized by a number of columns and rows, within the grid. */
export function moved(item: BoardItem, by: Partial<Position>): BoardItem {
  const from = positionOf(item);
  const sizeX = Math.max(least.sizeX, Math.min(columnCount, from.sizeX + (by.sizeX ?? 0)));
  const sizeY = Math.max(least.sizeY, from.sizeY + (by.sizeY ?? 0));
  const col = Math.max(0, Math.min(columnCount - sizeX, from.col + (by.col ?? 0)));
  const row = Math.max(0, from.row + (by.row ?? 0));
  return { ...item, position: { ...item.position, sizeX, sizeY, col, row } };
}

/** Returns an item with a new title in the reader's language. Titles in other languages are kept. */
export function withTitle(item: BoardItem, title: string): BoardItem {
  const titles = { ...objectOf(item.options?.["title"]), en: title };
  return { ...item, options: { ...item.options, title: titles } };
}

/** Returns the ids of the datasets in the items of all views, without duplicates. */
export function datasetIdsOf({ views = [] }: Contents): string[] {
  const fields = views.flatMap(({ items = [] }) => items.flatMap((item) => readItem(item).fields));
  return [...new Set(fields.flatMap(({ datasetId }) => datasetId ?? []))];
}
