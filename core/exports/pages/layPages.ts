import { fillIn, type ChartTheme, type Page, type Scene } from "../../web/charts/index.ts";
import { ApiError } from "../../base/index.ts";
import { exportWordsOf } from "../named/exportWordsOf.ts";
import { createPause } from "../createPause.ts";
import type { DrawAnswered } from "../drawStored.ts";
import { drawHead } from "./drawHead.ts";
import { sizeOfPaper, type Paper } from "../paper.ts";
import { gap, type PlacedBox } from "./placeItems.ts";

/** A page of a document. `pointsPerPixel` is the size on paper of a pixel of its pictures. */
export interface DocumentPage extends Page {
  readonly pointsPerPixel: number;
}

/** An item whose query has been answered, with its place above the first page break. */
export interface PlacedDrawing extends Omit<PlacedBox, "item"> {
  readonly draw: DrawAnswered;
}

/** What stands on the pages of a document. */
export interface DocumentContent {
  readonly title: string;
  /** The filters, which the first page names below the title. */
  readonly filters: readonly string[];
  /** The date of the document, as readers see it. */
  readonly date: string;
  readonly drawings: readonly PlacedDrawing[];
  /** Maximum number of rows of each table. The last page of a longer table says how many rows are missing. */
  readonly mostRows: number;
}

/** How the pages look. */
export interface DocumentForm {
  readonly paper: Paper;
  /** Width in pixels of the dashboard on a page. */
  readonly width: number;
  readonly theme: ChartTheme;
  readonly localeId: string | undefined;
}

const marginPoints = 30;
const footPoints = 20;
const mostPages = 500;
/** Space between two rows of items of which the page break removed the original space, in pixels. */
const mostSpace = 32;
/** Minimum height in pixels of a part of a table at the end of a page. */
const leastPart = 160;

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly scene: Scene;
}

/**
 * Lays items out on pages without cutting any of them. Items that stand side by side stay together; items that are
 * higher than a page become as high as the page. A table whose rows do not fit its place continues on the next pages,
 * with its title, the names of its columns and its totals on every page. Every page has the title, the date and its
 * number. Yields to other work from time to time.
 * @throws {ApiError} EXPORT_TOO_LARGE for more than 500 pages
 */
export async function layPages(
  content: DocumentContent,
  { paper, width, theme, localeId = "en" }: DocumentForm,
): Promise<readonly DocumentPage[]> {
  const size = sizeOfPaper(paper);
  const pointsPerPixel = (size.width - 2 * marginPoints) / width;
  const pixels = (points: number) => points / pointsPerPixel;
  const zoom = pixels(0.75);
  const margin = pixels(marginPoints);
  const whole = { width: pixels(size.width), height: pixels(size.height) };
  const foot = pixels(footPoints);
  const look = { width, theme, background: theme.background, zoom };
  const { title, filters, date } = content;
  const words = exportWordsOf(localeId);
  const lines = filters.length === 0 ? [] : [`${words.filters}: ${filters.join(" · ")}`];
  const firstHead = drawHead({ title, lines, ...look });
  const laterHead = drawHead({ title, lines: [], ...look });
  const headOf = (page: number) => (page === 0 ? firstHead : laterHead);
  /** The height that the items of a page can have. */
  const roomOf = (page: number) =>
    whole.height - 2 * margin - foot - headOf(page).height - 8 * zoom;
  const placedOn = await flow(content, roomOf);
  return placedOn.map((placed, index) => {
    const head = headOf(index);
    const top = margin + head.height + 8 * zoom;
    const number = fillIn(words.page, {
      page: new Intl.NumberFormat(localeId).format(index + 1),
      count: new Intl.NumberFormat(localeId).format(placedOn.length),
    });
    const bottom = drawFoot({ left: date, right: number, width, theme, zoom });
    return {
      ...whole,
      pointsPerPixel,
      background: theme.background,
      title,
      placed: [
        { x: margin, y: margin, scene: head },
        ...placed.map(({ x, y, scene }) => ({ x: margin + x, y: top + y, scene })),
        { x: margin, y: whole.height - margin - bottom.height, scene: bottom },
      ],
    };
  });
}

/** Places drawings on pages; the result has a list for each page. Places are relative to the room of the page. */
async function flow(
  { drawings, mostRows }: DocumentContent,
  roomOf: (page: number) => number,
): Promise<readonly (readonly Placed[])[]> {
  const pages: Placed[][] = [[]];
  const pause = createPause();
  const put = (page: number, placed: Placed) => {
    if (page >= mostPages)
      throw new ApiError("EXPORT_TOO_LARGE", [
        `more than ${mostPages} pages`,
        "filter the rows, or export the items one by one, as xlsx or csv",
      ]);
    while (pages.length <= page) pages.push([]);
    pages[page]?.push(placed);
  };
  let page = 0;
  let below = 0;
  for (const { drawings: row, space } of rowsOf(drawings)) {
    const top = Math.min(...row.map(({ y }) => y));
    const height = Math.max(...row.map((each) => each.y + each.height)) - top;
    let start = below === 0 ? 0 : below + Math.min(space, mostSpace);
    if (start > 0 && start + height > roomOf(page)) [page, start] = [page + 1, 0];
    let base = top;
    let [lastPage, lastBottom] = [page, start];
    const continued: Continued[] = [];
    for (const drawing of row.toSorted((one, other) => one.y - other.y)) {
      let y = start + drawing.y - base;
      for (const table of continued)
        if (isBelow(drawing, table) && (page < table.page || y < table.bottom))
          [page, start, base, y] = [table.page, table.bottom + gap, drawing.y, table.bottom + gap];
      const shownHeight = Math.min(drawing.height, roomOf(page));
      // Items of a row that is higher than a page move to the next page together with those below them.
      if (y > 0 && y + shownHeight > roomOf(page)) {
        [page, start, base, y] = [page + 1, 0, drawing.y, 0];
      }
      const end = await putDrawing(drawing, page, y);
      if (end.page > page || end.bottom > y + drawing.height)
        continued.push({ ...end, x: drawing.x, width: drawing.width });
      if (end.page > lastPage || (end.page === lastPage && end.bottom > lastBottom))
        [lastPage, lastBottom] = [end.page, end.bottom];
    }
    [page, below] = [lastPage, lastBottom];
  }
  return pages;

  /** Puts a drawing on a page, and the rest of its table on the next pages. Returns where it ends. */
  async function putDrawing(
    { x, width, height, draw }: PlacedDrawing,
    first: number,
    y: number,
  ): Promise<{ readonly page: number; readonly bottom: number }> {
    const own = Math.min(height, roomOf(first));
    const scene = draw({ width, height: own, tablePart: { from: 0, isLast: false } });
    await pause();
    const { tableRows } = scene;
    if (!tableRows || tableRows.to >= tableRows.count) {
      put(first, { x, y, scene });
      return { page: first, bottom: y + own };
    }
    let [at, from, partY] = roomOf(first) - y < leastPart ? [first + 1, 0, 0] : [first, 0, y];
    for (;;) {
      const room = roomOf(at) - partY;
      let part = draw({ width, height: room, tablePart: { from, isLast: false } });
      const { to = 0, count = 0, bottom = room } = part.tableRows ?? {};
      // A page without room for any row would be followed by endless others.
      const isCut = to < count && (to >= mostRows || to === from);
      if (isCut) part = draw({ width, height: room, tablePart: { from, isLast: true } });
      await pause();
      const isEnd = isCut || to >= count;
      const shownBottom = part.tableRows?.bottom ?? bottom;
      const partHeight = isEnd ? Math.min(room, shownBottom + 12) : room;
      put(at, { x, y: partY, scene: { ...part, height: partHeight } });
      if (isEnd) return { page: at, bottom: partY + partHeight };
      [at, from, partY] = [at + 1, to, 0];
    }
  }
}

/** A table that continues below its place, with the page and the height at which it ends. */
interface Continued {
  readonly x: number;
  readonly width: number;
  readonly page: number;
  readonly bottom: number;
}

/** Returns whether a drawing has a column of the page in common with a table that was placed above it. */
const isBelow = (drawing: PlacedDrawing, table: Continued): boolean =>
  drawing.x < table.x + table.width && table.x < drawing.x + drawing.width;

/**
 * Groups drawings into rows, from top to bottom. No drawing reaches into two rows. `space` is the space above a row, in
 * pixels.
 */
function rowsOf(
  drawings: readonly PlacedDrawing[],
): readonly { readonly drawings: readonly PlacedDrawing[]; readonly space: number }[] {
  const rows: { drawings: PlacedDrawing[]; space: number }[] = [];
  let bottom = 0;
  for (const drawing of drawings.toSorted((one, other) => one.y - other.y)) {
    const last = rows.at(-1);
    if (last && drawing.y < bottom) last.drawings.push(drawing);
    else rows.push({ drawings: [drawing], space: Math.max(0, drawing.y - bottom) });
    bottom = Math.max(bottom, drawing.y + drawing.height);
  }
  return rows;
}

function drawFoot({
  left,
  right,
  width,
  theme,
  zoom,
}: {
  readonly left: string;
  readonly right: string;
  readonly width: number;
  readonly theme: ChartTheme;
  readonly zoom: number;
}): Scene {
  const style = {
    kind: "text",
    y: 12 * zoom,
    size: 10 * zoom,
    weight: 400,
    fill: theme.muted,
  } as const;
  return {
    width,
    height: 16 * zoom,
    background: theme.background,
    title: "",
    description: "",
    nodes: [
      { ...style, x: 0, text: left, anchor: "start" },
      { ...style, x: width, text: right, anchor: "end" },
    ],
    legend: [],
    notes: [],
  };
}
