import * as assert from "uvu/assert";
import {
  layPages,
  type DocumentPage,
  type PlacedDrawing,
} from "../../../../core/exports/pages/layPages.ts";
import { usualPaper } from "../../../../core/exports/paper.ts";
import type { ItemDrawing } from "../../../../core/exports/drawStored.ts";
import { lightTheme, type Scene } from "../../../../core/web/charts/index.ts";
import { createPartRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const rowHeight = 26;
const headHeight = 60;

/** A picture without rows, whose title is its name. */
const pictureOf =
  (title: string) =>
  (drawing: ItemDrawing): Scene =>
    sceneOf(title, drawing);

function sceneOf(title: string, { width, height }: ItemDrawing, more: Partial<Scene> = {}): Scene {
  const look = { background: "#ffffff", description: "", nodes: [], legend: [], notes: [] };
  return { width, height, title, ...look, ...more };
}

/** A table that shows as many rows as fit, and names them in its description. */
const tableOf =
  (title: string, count: number) =>
  (drawing: ItemDrawing): Scene => {
    const { height, tablePart = { from: 0, isLast: true } } = drawing;
    const { from, isLast } = tablePart;
    const room = Math.max(0, Math.floor((height - headHeight) / rowHeight));
    const isCounted = isLast && count - from > room;
    const to = Math.min(count, from + (isCounted ? Math.max(0, room - 1) : room));
    const bottom = headHeight + (to - from + (isCounted ? 1 : 0)) * rowHeight;
    const rows = { to, count, bottom };
    return sceneOf(title, drawing, {
      description: `${from}-${to}`,
      tableRows: rows,
      notes: isCounted ? [`+ ${count - to}`] : [],
    });
  };

const lay = (drawings: readonly PlacedDrawing[], mostRows = 1_000) =>
  layPages(
    { title: "Sales", filters: ["Region: East"], date: "1 March 2026", drawings, mostRows },
    {
      paper: { name: "a4", orientation: "portrait" },
      width: 900,
      theme: lightTheme,
      localeId: "en",
    },
  );

/** The pictures of the items of a page, without its head and foot. */
const itemsOn = ({ placed }: DocumentPage) => placed.slice(1, -1);
const textsOf = ({ nodes }: Scene) =>
  nodes.flatMap((node) => (node.kind === "text" ? [node.text] : []));

suite("core/exports/pages/layPages", (test) => {
  test("a table continues on the next pages until its last row, and what stood below it follows it", async () => {
    const pages = await lay([
      { x: 0, y: 0, width: 440, height: 300, draw: pictureOf("chart") },
      { x: 0, y: 300, width: 440, height: 300, draw: tableOf("rows", 200) },
      { x: 450, y: 0, width: 440, height: 600, draw: pictureOf("tall") },
      { x: 0, y: 600, width: 900, height: 200, draw: pictureOf("below") },
    ]);
    const parts = pages.flatMap((page) =>
      itemsOn(page).flatMap(({ scene }) => (scene.title === "rows" ? [scene.description] : [])),
    );
    const ends = parts.map((part) => part.split("-").map(Number));
    assert.is(ends[0]?.[0], 0);
    assert.is(ends.at(-1)?.[1], 200);
    for (const [index, [from]] of ends.entries())
      if (index > 0) assert.is(from, ends[index - 1]?.[1]);
    const last = itemsOn(pages.at(-1)!);
    const table = last.find(({ scene }) => scene.title === "rows")!;
    const below = last.find(({ scene }) => scene.title === "below")!;
    assert.ok(below.y >= table.y + table.scene.height);
  });

  test("every page has the title and its number, and the first page names the filters", async () => {
    const pages = await lay([{ x: 0, y: 0, width: 900, height: 300, draw: tableOf("t", 150) }]);
    assert.ok(pages.length > 2);
    for (const [index, { placed }] of pages.entries()) {
      assert.is(textsOf(placed[0]!.scene)[0], "Sales");
      assert.equal(textsOf(placed.at(-1)!.scene), [
        "1 March 2026",
        `Page ${index + 1} of ${pages.length}`,
      ]);
      const filters = textsOf(placed[0]!.scene).slice(1);
      assert.equal(filters, index === 0 ? ["Filters: Region: East"] : []);
    }
  });

  test("a table that is longer than the limit ends with the number of its other rows", async () => {
    const pages = await lay(
      [{ x: 0, y: 0, width: 900, height: 300, draw: tableOf("t", 5_000) }],
      100,
    );
    const [part] = itemsOn(pages.at(-1)!);
    const [, to] = part!.scene.description.split("-").map(Number);
    assert.equal(part!.scene.notes, [`+ ${5_000 - to!}`]);
    assert.ok(to! >= 100 && to! < 200, String(to));
  });

  test("no item is lost, cut at an edge of a page, or drawn over another", async () => {
    const random = createPartRandom(37);
    await withSeed(random, async () => {
      for (let round = 0; round < 200; round++) {
        const drawings = Array.from({ length: 1 + random.below(12) }, (_, index): PlacedDrawing => {
          // The columns of a grid, in which no two items overlap.
          const column = index % 3;
          const above = Math.floor(index / 3) * 1_700;
          return {
            x: column * 300,
            y: above + random.below(300),
            width: 280,
            height: 40 + random.below(1_300),
            draw:
              random.below(3) === 0
                ? tableOf(`${index}`, random.below(300))
                : pictureOf(`${index}`),
          };
        });
        const pages = await lay(drawings);
        const titles = new Set<string>();
        for (const page of pages) {
          const items = itemsOn(page);
          for (const [index, one] of items.entries()) {
            titles.add(one.scene.title);
            assert.ok(one.y + one.scene.height <= page.height, `round ${round}`);
            for (const other of items.slice(index + 1)) {
              const isBeside =
                one.x + one.scene.width <= other.x || other.x + other.scene.width <= one.x;
              const isApart =
                one.y + one.scene.height <= other.y || other.y + other.scene.height <= one.y;
              assert.ok(isBeside || isApart, `round ${round}`);
            }
          }
        }
        assert.is(titles.size, drawings.length);
      }
    });
  });

  test("the usual paper is Letter in North America and A4 elsewhere", () => {
    const papers = ["en-US", "fr-CA", "es-MX", "en-GB", "de", "ja-JP", undefined].map(usualPaper);
    assert.equal(papers, ["letter", "letter", "letter", "a4", "a4", "a4", "a4"]);
  });
});
