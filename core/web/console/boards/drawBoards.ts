import {
  columnAttributes,
  columnIdsOf,
  completeItems,
  createColors,
  darkTheme,
  drawItem,
  fetchItem,
  filtersOf,
  itemKinds,
  kindOfItem,
  lightTheme,
  loadKind,
  objectOf,
  readView,
  type ItemAnswer,
  type ItemQuery,
  type PlacedItem,
  type QueryAnswer,
  type SendQueries,
  type Stored,
} from "../../charts/index.ts";
import type { Api } from "../api/index.ts";
import { drawScene } from "../../embed/index.ts";
import { readerLocale, readerZone } from "../language/index.ts";
import { createSend } from "../pictures/index.ts";

/** The part of a dashboard that a picture shows, in grid columns and rows. */
const shown = { columns: 48, rows: 44 };
const columnPx = 24;
const rowPx = 16;
/** Maximum number of items per picture, because each takes a query. */
const mostItems = 6;
/** How long queries wait for others with which they are sent in one call, in milliseconds. */
const gatherMs = 10;
/** Maximum number of queries per call. */
const mostQueries = 20;

/** A dashboard whose picture was fetched. Draws it in a colour mode. */
export interface FetchedBoard {
  /** Whether the dashboard has no items. */
  readonly isEmpty: boolean;
  draw(theme: "light" | "dark"): Promise<readonly SVGSVGElement[]>;
}

/**
 * Fetches the upper part of several dashboards, with their stored filters and the rights of the reader: in three or
 * four calls, however many there are. Items that cannot be fetched are left out.
 */
export async function fetchBoards(
  api: Api,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FetchedBoard>> {
  const { rows } = await api.get<{ readonly id: string; readonly contents: unknown }>(
    "securable",
    { where: { id: { in: ids } }, attributes: ["id", "contents"] },
    { signal },
  );
  const boards = rows.map(({ id, contents }) => {
    const stored = objectOf<"views" | "filterGroups" | "filters">(contents);
    const view = readView(stored, "desktop");
    return { id, stored, view, isEmpty: view.items.length === 0, items: itemsOf(view.items) };
  });
  const columnIds = columnIdsOf(boards.flatMap(({ items }) => items));
  const { rows: columns } =
    columnIds.length === 0
      ? { rows: [] }
      : await api.get<Stored<"id">>(
          "column",
          { where: { id: { in: columnIds } }, attributes: ["id", ...columnAttributes] },
          { signal },
        );
  const send = gathered(createSend(api, signal));
  return new Map(
    await Promise.all(
      boards.map(async ({ id, stored, view, isEmpty, items }) => {
        const fetched = await Promise.all(
          completeItems(items, columns).map(async ({ item, position }) => {
            const filters = filtersOf({ contents: stored, view: view.stored }, item);
            const options = { ...filters, localeId: readerLocale, timezoneId: readerZone };
            try {
              const answer = await fetchItem(item, options, send);
              return [{ item, position, answer }];
            } catch (failure) {
              if (signal.aborted) throw failure;
              return [];
            }
          }),
        );
        const board: FetchedBoard = {
          isEmpty,
          draw: (theme) => Promise.all(fetched.flat().map((each) => draw(each, theme))),
        };
        return [id, board] as const;
      }),
    ),
  );
}

/** Returns the first items of a view that show data, moved up so that the picture begins with them. */
function itemsOf(items: readonly PlacedItem[]): readonly PlacedItem[] {
  const drawn = items.filter(({ item }) => {
    const kind = kindOfItem(item.type)?.kind;
    return kind !== undefined && itemKinds[kind].hasRows;
  });
  const top = Math.min(...drawn.map(({ position }) => position.row));
  return drawn
    .map(({ item, position }) => ({ item, position: { ...position, row: position.row - top } }))
    .filter(({ position }) => position.row < shown.rows)
    .toSorted((one, other) => one.position.row - other.position.row)
    .slice(0, mostItems);
}

async function draw(
  {
    item,
    position: { col, row, sizeX, sizeY },
    answer,
  }: PlacedItem & { readonly answer: ItemAnswer | undefined },
  theme: "light" | "dark",
): Promise<SVGSVGElement> {
  const chartTheme = theme === "dark" ? darkTheme : lightTheme;
  const kind = kindOfItem(item.type)?.kind ?? "table";
  const scene = drawItem(
    {
      item,
      fields: [],
      rows: [],
      ...answer,
      width: sizeX * columnPx - 8,
      height: sizeY * rowPx - 8,
      theme: chartTheme,
      colors: createColors(chartTheme),
      localeId: readerLocale,
      timezoneId: readerZone,
    },
    await loadKind(kind, readerLocale),
  );
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawScene(scene, svg, { hasTitles: false });
  svg.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
  const share = (part: number, of: number) => `${(100 * part) / of}%`;
  for (const [name, value] of [
    ["x", share(col, shown.columns)],
    ["y", share(row, shown.rows)],
    ["width", share(sizeX - 0.3, shown.columns)],
    ["height", share(sizeY - 0.5, shown.rows)],
  ] as const)
    svg.setAttribute(name, value);
  return svg;
}

/** Combines the queries of several items into calls of at most twenty. */
function gathered(send: SendQueries): SendQueries {
  let waiting: {
    readonly queries: readonly ItemQuery[];
    readonly done: (answers: Promise<readonly QueryAnswer[]>) => void;
  }[] = [];
  const flush = () => {
    const all = waiting;
    waiting = [];
    while (all.length > 0) {
      const part: typeof all = [];
      let count = 0;
      for (let next = all[0]; next; next = all[0]) {
        if (part.length > 0 && count + next.queries.length > mostQueries) break;
        count += next.queries.length;
        part.push(next);
        all.shift();
      }
      const answers = send(part.flatMap(({ queries }) => queries));
      let at = 0;
      for (const { queries, done } of part) {
        const from = at;
        at += queries.length;
        done(answers.then((found) => found.slice(from, from + queries.length)));
      }
    }
  };
  return async (queries) =>
    new Promise((resolve) => {
      if (waiting.length === 0) setTimeout(flush, gatherMs);
      waiting.push({ queries, done: resolve });
    });
}
