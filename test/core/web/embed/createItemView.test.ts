import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openBrowser } from "../../../support/openBrowser.ts";
import { findBarriers } from "../console/findBarriers.ts";
import { openPages, type Pages } from "../console/openPages.ts";
import { suite } from "../../../support/suite.ts";
import { samples, type Sample } from "../charts/samples.ts";

type Embed = typeof import("../../../../core/web/embed/index.ts");

interface Shown {
  readonly sample: Sample;
  readonly theme: "light" | "dark";
  readonly width?: number;
}

/**
 * Shows a sample in a view that replaces the page's content. The reader's selection is stored in the attribute
 * `data-chosen`.
 */
async function show({ sample, theme: name, width = 640 }: Shown): Promise<void> {
  const script = `${location.origin}/embed.js`;
  const embed = (await import(script)) as Embed;
  await embed.loadFonts(location.origin);
  const main = document.querySelector("main")!;
  const container = document.createElement("section");
  container.style.setProperty("height", "400px");
  container.style.setProperty("width", `${width}px`);
  main.replaceChildren(container);
  const theme = name === "dark" ? embed.darkTheme : embed.lightTheme;
  const item = embed.readItem(sample.stored);
  const view = embed.createItemView(container, {
    onRetry: () => container.setAttribute("data-retried", ""),
    onChoose: (choice) => container.setAttribute("data-chosen", JSON.stringify(choice ?? null)),
  });
  const { failure, rows, totals, pivotTotals, selected } = sample;
  view.show({
    item,
    theme,
    colors: embed.createColors(theme),
    localeId: "en",
    timezoneId: "UTC",
    state:
      failure === undefined
        ? {
            kind: "answer",
            rows,
            fields: embed.queryOf(item)?.fields ?? [],
            ...(totals && { totals }),
            ...(pivotTotals && { pivotTotals }),
          }
        : { kind: "failed", message: failure, requestId: "request-1" },
    ...(selected && { selected }),
  });
  // A view draws in the first frame in which its size is known.
  while (!container.querySelector("[data-state]"))
    await new Promise((resolve) => requestAnimationFrame(resolve));
}

const named = (name: string): Sample => {
  const found = samples.find((sample) => sample.name === name);
  if (!found) throw new TypeError(`no sample ${name}`);
  return found;
};

suite("core/web/embed/view/createItemView", (test) => {
  let pages: Pages;
  let browser: Browser;
  let page: Page;
  test.before(async () => {
    pages = await openPages();
    browser = await openBrowser();
    page = await pages.open(browser);
  });
  test.after(async () => {
    await browser?.close();
    await pages?.close();
  });
  const text = (selector: string) => page.locator(selector).allTextContents();

  test.deep(
    "every kind of picture is accessible as a chart and as a table, in light and dark mode",
    async () => {
      for (const theme of ["light", "dark"] as const)
        for (const sample of samples) {
          await page.evaluate<void, Shown>(show, { sample, theme });
          const twin = page.locator(".mf-tools button");
          for (const isTable of [false, true]) {
            if (isTable && !(await twin.isVisible())) continue;
            if (isTable) await twin.click();
            const found = await findBarriers(page, "main");
            assert.equal(found, [], `${sample.name}, ${theme}${isTable ? ", as a table" : ""}`);
          }
        }
      assert.equal(pages.reports, []);
    },
  );

  test.deep("keyboard navigation visits and announces every mark of every picture", async () => {
    for (const sample of samples) {
      await page.evaluate<void, Shown>(show, { sample, theme: "light" });
      const marks = await page.locator(".mf-plot svg [data-mark]").count();
      if (marks === 0) continue;
      await page.locator(".mf-plot").focus();
      const visited = await page.evaluate(() => {
        const plot = document.querySelector(".mf-plot")!;
        const press = (key: string) =>
          plot.dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
          );
        const active = () => plot.querySelector("svg .mf-active");
        const said = () => document.querySelector(".mf-said")?.textContent ?? "";
        const seen = new Set<Element>();
        const spoken = new Set<string>();
        press("Home");
        for (let at = active(); at && !seen.has(at); at = active()) {
          seen.add(at);
          spoken.add(said());
          press("PageDown");
        }
        // Left and right move within a series, up and down within a category.
        press("Home");
        const first = active();
        press("ArrowDown");
        press("ArrowUp");
        const isBack = active() === first;
        press("ArrowRight");
        press("ArrowLeft");
        spoken.delete("");
        return { seen: seen.size, spoken: spoken.size, isBack: isBack && active() === first };
      });
      assert.is(visited.seen, marks, sample.name);
      assert.ok(visited.spoken > 0 && visited.isBack, sample.name);
    }
    assert.equal(pages.reports, []);
  });

  test.deep(
    "the tooltip of every picture shows the mark under the pointer or with the keyboard's focus",
    async () => {
      for (const sample of samples) {
        await page.evaluate<void, Shown>(show, { sample, theme: "dark" });
        if ((await page.locator(".mf-plot svg [data-mark]").count()) === 0) continue;
        await page.locator(".mf-plot").focus();
        const seen = await page.evaluate(() => {
          const plot = document.querySelector(".mf-plot")!;
          const tip = plot.querySelector<HTMLElement>(".mf-tip")!;
          const said = () => document.querySelector(".mf-said")?.textContent ?? "";
          const press = (key: string) =>
            plot.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
          press("Home");
          const byKey = { isShown: !tip.hidden, text: tip.textContent ?? "", said: said() };
          press("Escape");
          const isGone = tip.hidden;
          const mark = plot.querySelector("svg [data-mark]")!;
          const { left, top, width, height } = mark.getBoundingClientRect();
          const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true };
          mark.dispatchEvent(new PointerEvent("pointermove", { ...at, pointerType: "mouse" }));
          return { byKey, isGone, byPointer: !tip.hidden && (tip.textContent ?? "") !== "" };
        });
        assert.ok(seen.byKey.isShown && seen.isGone && seen.byPointer, sample.name);
        const value = seen.byKey.said.split(", ").at(-1) ?? "";
        assert.ok(value !== "" && seen.byKey.text.includes(value), `${sample.name}: ${value}`);
      }
      assert.equal(pages.reports, []);
    },
  );

  test.deep(
    "clicking a name in the legend hides its series and adapts the axis, and clicking again shows the series",
    async () => {
      await page.evaluate<void, Shown>(show, { sample: named("stacked columns"), theme: "light" });
      const bars = page.locator(".mf-plot svg rect[data-mark]");
      const all = await bars.count();
      const entries = page.locator(".mf-series");
      const series = await entries.count();
      assert.ok(series > 1);
      await entries.first().click();
      assert.is(await entries.first().getAttribute("aria-pressed"), "false");
      assert.is(await bars.count(), (all / series) * (series - 1));
      await entries.first().click();
      assert.is(await bars.count(), all);
      await entries.nth(1).click({ modifiers: ["Shift"] });
      assert.is(await bars.count(), all / series);
      assert.equal(pages.reports, []);
    },
  );

  test.deep(
    "groups of a pivot table collapse to their subtotals, and its rows are sorted within their groups",
    async () => {
      const sample = named("pivot table with groups");
      await page.evaluate<void, Shown>(show, { sample, theme: "light" });
      const lines = () => page.locator(".mf-pivot tbody tr").allInnerTexts();
      const cells = async () => (await lines()).map((line) => line.split(/\s*\t\s*/));
      assert.equal((await cells())[0], ["Delta", "300", "600", "900"]);
      assert.is((await lines()).length, 8);
      const fold = page.locator('.mf-pivot tbody [aria-label="Delta"][aria-expanded]');
      await fold.click();
      assert.is(await fold.getAttribute("aria-expanded"), "false");
      assert.equal(
        (await cells()).slice(0, 2).map(([name]) => name),
        ["Delta", "United"],
      );
      const byTotal = page.locator(".mf-pivot thead button.mf-sort", { hasText: "Total" });
      await byTotal.click();
      assert.equal(
        (await cells()).map(([name]) => name),
        ["United", "Dallas Fort Worth", "Chicago O’Hare", "Atlanta", "Delta"],
      );
      const sorted = page.locator('.mf-pivot th[aria-sort="descending"]');
      assert.match((await sorted.allInnerTexts()).join(), /Total/);
      assert.equal(await text(".mf-pivot thead .mf-totals td"), ["900", "1,500", "2,400"]);
      assert.equal(pages.reports, []);
    },
  );

  test.deep(
    "in a pivot table, arrow keys visit cells beyond the visible ones, and Enter chooses a value",
    async () => {
      const [base, carriers] = [named("pivot table"), 60];
      const rows = Array.from({ length: 9_000 }, (_, index) => [
        `Airport ${String(Math.floor(index / carriers)).padStart(3, "0")}`,
        `Carrier ${String(index % carriers).padStart(2, "0")}`,
        index,
      ]);
      await page.evaluate<void, Shown>(show, { sample: { ...base, rows }, theme: "dark" });
      const drawn = await page.locator(".mf-pivot tbody td").count();
      assert.ok(drawn < 1_000, `only visible cells have elements, not ${drawn}`);
      const table = page.locator(".mf-pivot table");
      assert.is(await table.getAttribute("aria-rowcount"), "151");
      assert.is(await table.getAttribute("aria-colcount"), "61");
      await page.locator('.mf-pivot tbody [tabindex="0"]').focus();
      for (let count = 0; count < 12; count++) await page.keyboard.press("PageDown");
      await page.keyboard.press("End");
      const place = await page.evaluate(() => {
        const cell = document.activeElement!;
        const heads = [...document.querySelectorAll(".mf-pivot thead th[aria-colindex]")];
        const column = cell.getAttribute("aria-colindex");
        const [box, table] = [cell, cell.closest(".mf-pivot")!].map((each) =>
          each.getBoundingClientRect(),
        );
        return {
          row: cell.closest("tr")!.querySelector("th")!.textContent,
          column: heads.find((head) => head.getAttribute("aria-colindex") === column)?.textContent,
          isVisible: box!.right <= table!.right + 1 && box!.bottom <= table!.bottom + 1,
        };
      });
      assert.is(place.column, "Carrier 59");
      assert.ok(place.isVisible);
      await page.keyboard.press("Enter");
      const chosen = JSON.parse((await page.locator("section").getAttribute("data-chosen")) ?? "");
      const { row } = (chosen as { mark: { row: number } }).mark;
      assert.equal(rows[row]!.slice(0, 2), [place.row, place.column]);
      assert.equal(await findBarriers(page, "main"), []);
      assert.equal(pages.reports, []);
    },
  );

  test.deep(
    "on a phone, the names of a pivot table's rows take at most half of its width",
    async () => {
      const sample = named("pivot table with groups");
      const rows = sample.rows.map(([carrier, , ...rest]) => [carrier!, "x".repeat(200), ...rest]);
      const shown = { sample: { ...sample, rows }, theme: "light", width: 320 } as const;
      await page.evaluate<void, Shown>(show, shown);
      const held = await page.evaluate(() => {
        const scroller = document.querySelector(".mf-pivot")!;
        scroller.scrollLeft = 500;
        const name = scroller.querySelector("tbody th")!.getBoundingClientRect();
        const { left, width } = scroller.getBoundingClientRect();
        return { share: name.width / width, isHeld: name.left - left < 1, at: scroller.scrollLeft };
      });
      assert.ok(held.share <= 0.5 && held.at > 0 && held.isHeld, JSON.stringify(held));
    },
  );

  test.deep("the table view of a picture shows formatted cells and can be sorted", async () => {
    await page.evaluate<void, Shown>(show, { sample: named("bars"), theme: "light" });
    await page.locator(".mf-view").hover();
    await page.locator(".mf-tools button").click();
    const rows = await text(".mf-grid-body .mf-row");
    assert.is(rows.length, named("bars").rows.length);
    assert.match(rows.join("\n"), /Atlanta19\.0/);
    const headers = page.locator(".mf-grid-head button");
    await headers.nth(1).click();
    assert.is(await page.locator('[aria-sort="descending"]').count(), 1);
    assert.match((await text('.mf-row[aria-rowindex="2"]'))[0] ?? "", "Atlanta");
    await headers.nth(1).click();
    await page.locator('[aria-sort="ascending"]').waitFor();
    assert.match((await text('.mf-row[aria-rowindex="2"]'))[0] ?? "", "San Francisco");
    assert.equal(pages.reports, []);
  });

  test.deep(
    "a table of 100,000 rows has elements only for the visible rows, wherever the reader scrolls",
    async () => {
      const { stored } = named("table");
      const [first] = named("table").rows;
      const rows = Array.from({ length: 100_000 }, (_, index) => [...first!.slice(0, -1), index]);
      await page.evaluate<void, Shown>(show, {
        sample: { ...named("table"), stored, rows },
        theme: "light",
      });
      await page.locator('.mf-row[aria-rowindex="2"]').waitFor();
      assert.ok((await page.locator(".mf-grid-body .mf-row").count()) < 60);
      assert.is(await page.locator(".mf-grid").getAttribute("aria-rowcount"), "100001");
      await page.locator(".mf-grid").evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
      await page.locator('.mf-row[aria-rowindex="100001"]').waitFor();
      assert.match((await text('.mf-row[aria-rowindex="100001"]'))[0] ?? "", "99,999");
      assert.ok((await page.locator(".mf-grid-body .mf-row").count()) < 60);
    },
  );

  test.deep(
    "a picture is redrawn for a new size, and is drawn on a canvas above 3,000 nodes",
    async () => {
      await page.evaluate<void, Shown>(show, { sample: named("bars"), theme: "light" });
      await page.locator("section").evaluate((each) => each.style.setProperty("width", "300px"));
      await page.locator('.mf-plot svg[width="300"]').first().waitFor();
      const scatter = named("scatter");
      const rows = Array.from({ length: 4_000 }, (_, index) => [
        ...scatter.rows[index % scatter.rows.length]!,
      ]);
      await page.evaluate<void, Shown>(show, { sample: { ...scatter, rows }, theme: "dark" });
      await page.locator(".mf-plot canvas").waitFor();
      await page.locator(".mf-plot").focus();
      await page.keyboard.press("Home");
      assert.ok(((await text(".mf-tip"))[0] ?? "").length > 0);
      assert.equal(pages.reports, []);
    },
  );

  test.deep("a click or Enter chooses a mark, and Escape clears the choice", async () => {
    await page.evaluate<void, Shown>(show, { sample: named("bars"), theme: "light" });
    const section = page.locator("section");
    const chosen = async () => JSON.parse((await section.getAttribute("data-chosen")) ?? "0");
    await page.locator(".mf-plot svg [data-mark]").first().click();
    assert.is((await chosen()).mark.category, "Atlanta");
    await page.locator(".mf-plot").focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+Enter");
    assert.equal(
      [(await chosen()).mark.category, (await chosen()).isAdded],
      ["San Francisco", true],
    );
    await page.evaluate<void, Shown>(show, { sample: named("failed"), theme: "light" });
    assert.match((await text(".mf-state"))[0] ?? "", "request-1");
    await page.locator(".mf-state button").click();
    assert.is(await section.getAttribute("data-retried"), "");
  });
});
