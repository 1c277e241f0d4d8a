import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openFonts } from "../../../../core/exports/index.ts";
import { outlineTexts } from "../../../../core/exports/pictures/outlineTexts.ts";
import { writePdf } from "../../../../core/exports/pictures/writePdf.ts";
import {
  createColors,
  drawItem,
  kindOfItem,
  lightTheme,
  loadKind,
  loadWords,
  measureText,
  queryOf,
  readItem,
  type ChartCell,
  type Scene,
  type TextNode,
} from "../../../../core/web/charts/index.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { readPdf } from "../../exports/pictures/readPdf.ts";
import { openPages, type Pages } from "../console/openPages.ts";

type Embed = typeof import("../../../../core/web/embed/index.ts");

interface Case {
  readonly stored: Readonly<Record<string, unknown>>;
  readonly rows: readonly (readonly ChartCell[])[];
}

/** An item in the reader's words, an item of the page, and how the page is written. */
interface Shown extends Case {
  readonly localeId: string;
  readonly pageDirection: "ltr" | "rtl";
  readonly font?: string;
}

const size = { width: 480, height: 260 };
const field = (columnId: string, name: string, more: object) => ({
  datasetId: "d",
  columnId,
  label: { ar: name, he: name, en: columnId },
  ...more,
});
const branch = field("c", "الفرع", { type: "hierarchy" });
const sales = field("m", "المبيعات", {
  type: "numeric",
  aggregationFunc: "sum",
  format: ",.2f",
  currency: "EUR",
});
const orders = field("n", "الطلبات", { type: "numeric", aggregationFunc: "sum", format: ",.0f" });
const month = field("t", "التاريخ", { type: "datetime", level: 3 });
const rows = [
  ["القاهرة", 1_235_667.88, 12],
  ["٤٥٦", -334_567.5, 5],
  ["Branch ١٢٣", 34_567, 9],
  ["Paris (فرنسا)", 867, 1],
];
const periods = [5, 7, 6, 9].map((value, at) => [`2025-1${at % 3}-01T00:00:00.000Z`, value]);
const slots = (names: Readonly<Record<string, readonly object[]>>) =>
  Object.entries(names).map(([name, content]) => ({ name, content }));

const cases: Readonly<Record<string, Case>> = {
  bars: {
    stored: { type: "bar-chart", slots: slots({ "y-axis": [branch], measure: [sales] }) },
    rows: rows.map((row) => row.slice(0, 2)),
  },
  columns: {
    stored: {
      type: "column-chart",
      slots: slots({ "x-axis": [branch], measure: [sales, orders] }),
    },
    rows,
  },
  lines: {
    stored: { type: "line-chart", slots: slots({ "x-axis": [month], measure: [orders] }) },
    rows: periods,
  },
  number: {
    stored: { type: "evolution-number", slots: slots({ evolution: [month], measure: [sales] }) },
    rows: periods,
  },
  donut: {
    stored: { type: "donut-chart", slots: slots({ category: [branch], measure: [orders] }) },
    rows: rows.map(([name = null, , count = null]) => [name, count]),
  },
};

async function sceneOf({ stored, rows: answered }: Case, localeId: string): Promise<Scene> {
  const item = readItem(stored);
  const [draw] = await Promise.all([
    loadKind(kindOfItem(item.type)?.kind ?? "table", localeId),
    loadWords(localeId),
  ]);
  const fields = queryOf(item)?.fields ?? [];
  const look = { theme: lightTheme, colors: createColors(lightTheme), localeId, timezoneId: "UTC" };
  return drawItem({ item, fields, rows: answered, ...size, ...look }, draw);
}

/** Shows an item in a page that has a direction and a language of its own. */
async function show({ stored, rows: answered, localeId, pageDirection, font }: Shown) {
  const script = `${location.origin}/embed.js`;
  const embed = (await import(script)) as Embed;
  await embed.loadFonts(location.origin);
  document.documentElement.dir = pageDirection;
  const container = document.createElement("section");
  container.style.setProperty("height", "260px");
  container.style.setProperty("width", "480px");
  if (font !== undefined) container.style.setProperty("--manifold-font", font);
  document.querySelector("main")!.replaceChildren(container);
  const item = embed.readItem(stored);
  const theme = embed.lightTheme;
  const drawn = new Promise<void>((resolve) => {
    const view = embed.createItemView(container, { onDrawn: () => resolve() });
    const fields = embed.queryOf(item)?.fields ?? [];
    const state = { kind: "answer", rows: answered, fields } as const;
    const colors = embed.createColors(theme);
    view.show({ item, theme, colors, localeId, timezoneId: "UTC", state });
  });
  await drawn;
  const place = container.querySelector(".mf-plot svg")?.getBoundingClientRect();
  return [...container.querySelectorAll(".mf-plot svg > text")].map((text) => {
    const { left, right } = text.getBoundingClientRect();
    return {
      text: text.textContent,
      left: left - (place?.left ?? 0),
      right: right - (place?.left ?? 0),
      family: getComputedStyle(text).fontFamily,
      isNarrowed: text.hasAttribute("textLength"),
    };
  });
}

/** Returns the edge or middle of a text that its node places. */
const anchored = ({ anchor }: TextNode, left: number, right: number): number =>
  anchor === "start" ? left : anchor === "end" ? right : (left + right) / 2;

suite("core/web/embed/view, from right to left", (test) => {
  let pages: Pages;
  let browser: Browser;
  let page: Page;
  const fonts = openFonts();
  test.before(async () => {
    pages = await openPages();
    browser = await openBrowser();
    page = await pages.open(browser);
  });
  test.after(async () => {
    await browser?.close();
    await pages?.close();
  });

  for (const localeId of ["ar-EG", "he-IL", "en"])
    for (const pageDirection of ["rtl", "ltr"] as const)
      test.deep(
        `${localeId} in a page from ${pageDirection}: text is where the scene puts it, in a browser, a PNG and a PDF`,
        async () => {
          for (const [name, each] of Object.entries(cases)) {
            const scene = await sceneOf(each, localeId);
            const nodes = scene.nodes.filter((node) => node.kind === "text");
            const drawn = await page.evaluate(show, { ...each, localeId, pageDirection });
            assert.equal(
              drawn.map(({ text }) => text),
              nodes.map(({ text }) => text),
              name,
            );
            const { faces } = await fonts.facesOf(nodes.map(({ text }) => text));
            for (const [index, node] of nodes.entries()) {
              if (node.text.trim() === "") continue;
              const { left, right } = drawn[index]!;
              const said = `${name}: ${node.text}`;
              assert.ok(Math.abs(anchored(node, left, right) - node.x) < 1.5, said);
              const one = { ...scene, nodes: [node] };
              const picture = {
                ...size,
                background: "#ffffff",
                title: "",
                placed: [{ x: 0, y: 0, scene: one }],
              };
              const { placed } = await outlineTexts(picture, faces);
              const [outline] = placed[0]!.scene.nodes;
              const d = outline?.kind === "path" ? outline.d : "";
              const xs = [...d.matchAll(/(-?[\d.]+),-?[\d.]+/g)].map(([, x]) => Number(x));
              const [low, high] = [Math.min(...xs), Math.max(...xs)];
              // Letters do not fill their advance width.
              const bearing = 0.2 * node.size + 1;
              assert.ok(Math.abs(anchored(node, low, high) - node.x) < bearing, `PNG: ${said}`);
              const painted = await readPdf(
                await writePdf([{ ...picture, pointsPerPixel: 0.75 }], faces),
              );
              const starts = painted.flatMap((part) => (part.kind === "text" ? part.x : []));
              assert.ok(Math.abs(Math.min(...starts) - low) < bearing, `PDF: ${said}`);
            }
          }
          assert.equal(pages.reports, []);
        },
      );

  test.deep(
    "a table of a reader who reads from the right begins at the right, in any page",
    async () => {
      const columns = [{ name: "columns", content: [branch, sales] }];
      const shown = { stored: { type: "regular-table", slots: columns }, rows };
      for (const pageDirection of ["rtl", "ltr"] as const)
        for (const [localeId, isFirst] of [
          ["ar-EG", false],
          ["en", true],
        ] as const) {
          await page.evaluate(show, { ...shown, localeId, pageDirection });
          const [first, second] = await page.locator(".mf-grid-head [role=columnheader]").all();
          const [one, other] = [await first!.boundingBox(), await second!.boundingBox()];
          assert.is(one!.x < other!.x, isFirst, `${localeId} in ${pageDirection}`);
        }
    },
  );

  test.deep(
    "charts have the font of the page, and text that would be wider keeps its width",
    async () => {
      const shown = { ...cases["bars"]!, localeId: "en", pageDirection: "ltr" } as const;
      const widths = async (font?: string) =>
        page.evaluate(show, { ...shown, ...(font && { font }) });
      const { nodes: all } = await sceneOf(cases["bars"]!, "en");
      const nodes = all.filter((node) => node.kind === "text");
      const shipped = await widths();
      for (const { family, isNarrowed } of shipped) {
        assert.match(family, /^"?IBM Plex Sans/);
        assert.not(isNarrowed);
      }
      const own = await widths("monospace");
      assert.ok(own.some(({ isNarrowed }) => isNarrowed));
      for (const [index, { family, left, right }] of own.entries()) {
        assert.is(family, "monospace");
        const { text, size, weight } = nodes[index]!;
        assert.ok(right - left <= measureText(text, size, weight) + 2, text);
      }
      assert.not((await widths("IBM Plex Sans")).some(({ isNarrowed }) => isNarrowed));
    },
  );
});
