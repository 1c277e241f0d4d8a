/** A place on the grid: 48 columns, rows of 16 pixels. */
export interface Position {
  readonly col: number;
  readonly row: number;
  readonly sizeX: number;
  readonly sizeY: number;
}

/** An item as dashboards store it; other members are kept. */
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

export const screens = ["desktop", "tablet", "mobile", "largeScreen", "fixed"] as const;
export type Screen = (typeof screens)[number];

export interface BoardView {
  readonly screenModus: Screen;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly items?: readonly BoardItem[];
  readonly filterGroups?: readonly Readonly<Record<string, unknown>>[];
}

/** The contents of a dashboard; other members are kept. */
export interface Contents {
  readonly version?: string;
  readonly views?: readonly BoardView[];
}

export const columnCount = 48;
const least = { sizeX: 4, sizeY: 4 };

/** Returns the place of an item, whole and within the grid. */
export function positionOf({ position = {} }: BoardItem): Position {
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

/** Returns the view that a screen shows: its own, else the one of the next larger screen, else any. */
export function viewOf({ views = [] }: Contents, screen: Screen): BoardView {
  const order: readonly Screen[] = [screen, "desktop", "largeScreen", "tablet", "fixed", "mobile"];
  for (const each of order) {
    const found = views.find(
      ({ screenModus, items = [] }) => screenModus === each && items.length > 0,
    );
    if (found) return found;
  }
  return views.find(({ screenModus }) => screenModus === screen) ?? { screenModus: screen };
}

/** The screen of a width in pixels. */
export function screenOf(width: number): Screen {
  if (width < 600) return "mobile";
  if (width < 1000) return "tablet";
  return width < 1800 ? "desktop" : "largeScreen";
}

/** Returns contents with another view of a screen. */
export function withView(contents: Contents, view: BoardView): Contents {
  const { views = [] } = contents;
  const isThere = views.some(({ screenModus }) => screenModus === view.screenModus);
  return {
    ...contents,
    views: isThere
      ? views.map((each) => (each.screenModus === view.screenModus ? view : each))
      : [...views, view],
  };
}

/** Returns contents with another item in place of the one of its id, in one view. Items below make room. */
export function withItem(contents: Contents, view: BoardView, item: BoardItem): Contents {
  const items = (view.items ?? []).map((each) => (each.id === item.id ? item : each));
  return withView(contents, { ...view, items: makeRoom(items, item.id) });
}

/** Moves items down until none covers another; the one of the id stays. */
function makeRoom(items: readonly BoardItem[], id: string): BoardItem[] {
  const placed: Position[] = [];
  const rowOf = (item: BoardItem) => positionOf(item).row;
  const inTurn = items.toSorted(
    (one, other) => Number(other.id === id) - Number(one.id === id) || rowOf(one) - rowOf(other),
  );
  const settled = new Map<string, BoardItem>();
  for (const item of inTurn) {
    let place = positionOf(item);
    for (let over = covering(placed, place); over; over = covering(placed, place))
      place = { ...place, row: over.row + over.sizeY };
    placed.push(place);
    const isMoved = place.row !== rowOf(item);
    settled.set(item.id, isMoved ? { ...item, position: { ...item.position, ...place } } : item);
  }
  return items.map((item) => settled.get(item.id) ?? item);
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

/** Returns contents without an item and the filters that it alone has. */
export function withoutItem(contents: Contents, view: BoardView, id: string): Contents {
  const isOfItem = (group: Readonly<Record<string, unknown>>) =>
    group["origin"] === "itemFilter" && group["itemId"] === id;
  return withView(contents, {
    ...view,
    items: (view.items ?? []).filter((item) => item.id !== id),
    filterGroups: (view.filterGroups ?? []).filter((group) => !isOfItem(group)),
  });
}

/** Returns an item moved and resized by columns and rows, within the grid. */
export function moved(item: BoardItem, by: Partial<Position>): BoardItem {
  const from = positionOf(item);
  const sizeX = Math.max(least.sizeX, Math.min(columnCount, from.sizeX + (by.sizeX ?? 0)));
  const sizeY = Math.max(least.sizeY, from.sizeY + (by.sizeY ?? 0));
  const col = Math.max(0, Math.min(columnCount - sizeX, from.col + (by.col ?? 0)));
  const row = Math.max(0, from.row + (by.row ?? 0));
  return { ...item, position: { ...item.position, sizeX, sizeY, col, row } };
}

/** Says in which way two contents differ, by the ids of their items. */
export function differenceOf(
  before: Contents,
  after: Contents,
): { readonly added: number; readonly removed: number; readonly changed: number } {
  const itemsOf = ({ views = [] }: Contents) =>
    new Map(
      views.flatMap(({ screenModus, items = [] }) =>
        items.map((item) => [`${screenModus} ${item.id}`, JSON.stringify(item)] as const),
      ),
    );
  const [old, now] = [itemsOf(before), itemsOf(after)];
  return {
    added: [...now.keys()].filter((id) => !old.has(id)).length,
    removed: [...old.keys()].filter((id) => !now.has(id)).length,
    changed: [...now].filter(([id, item]) => old.has(id) && old.get(id) !== item).length,
  };
}
