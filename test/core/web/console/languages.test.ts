import { parseSync, Visitor } from "oxc-parser";
import * as assert from "uvu/assert";
import type { Browser, Page } from "playwright-core";
import { readSources } from "../../../support/importGraph.ts";
import { suite } from "../../../support/suite.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";
import { openConsolePage } from "./openConsolePage.ts";
import { openStockedPeople, type StockedPeople } from "./openStockedPeople.ts";
import { readScreen } from "./readScreen.ts";

const sources = readSources(["core/web/console", "core/web/charts/item"]);
/** The words of a folder in a language other than English, such as `pages/data/words/nl.ts`. */
const translated = [...sources.keys()].filter((file) => /\/(?!en)[a-z]{2}\.ts$/.test(file));

/** Returns the strings of a module, and the parts of its templates, without the names of its members. */
function stringsOf(file: string): ReadonlySet<string> {
  const found = new Set<string>();
  const keys = new Set<number>();
  new Visitor({
    Property({ key }) {
      keys.add(key.start);
    },
    Literal({ value, start }) {
      if (typeof value === "string" && !keys.has(start)) found.add(value.trim());
    },
    TemplateElement({ value }) {
      found.add((value.cooked ?? "").trim());
    },
  }).visit(parseSync(file, sources.get(file) ?? "").program);
  return found;
}

/** Returns the module of the English words that a translation follows. */
const englishOf = (file: string): string =>
  file.includes("/itemTitles/")
    ? "core/web/charts/item/itemKinds.ts"
    : file.replace(/[a-z]{2}\.ts$/, "en.ts");

/** Returns where a module reads words outside functions, as `path: source`. */
function wordsReadWhileLoading(file: string, text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  const enter = () => void depth++;
  const leave = () => void depth--;
  new Visitor({
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": leave,
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": leave,
    FunctionExpression: enter,
    "FunctionExpression:exit": leave,
    ClassBody: enter,
    "ClassBody:exit": leave,
    MemberExpression({ object, start, end }) {
      if (depth === 0 && object.type === "Identifier" && /^words$|Words$/.test(object.name))
        found.push(`${file}: ${text.slice(start, end)}`);
    },
  }).visit(parseSync(file, text).program);
  return found;
}

const wordCount = (text: string): number => text.match(/\p{L}+/gu)?.length ?? 0;

suite("core/web/console: languages", (test) => {
  let opened: OpenConsole | undefined;
  const open = async (path: string, locale: string): Promise<Page> => {
    opened ??= await openConsole();
    return opened.openPage(path, { locale });
  };
  test.after(() => opened?.close());

  test("no translation repeats three words of the English table", () => {
    assert.ok(translated.length > 100, `${translated.length} files`);
    const repeated = translated.flatMap((file) => {
      const english = stringsOf(englishOf(file));
      return [...stringsOf(file)]
        .filter((text) => wordCount(text) >= 3 && text.includes(" ") && english.has(text))
        .map((text) => `${file}: ${text}`);
    });
    assert.equal(repeated, []);
  });

  test("a module of words imports only types and the folder of languages, so that it waits for no other words", () => {
    const imports = translated.flatMap((file) =>
      [...(sources.get(file) ?? "").matchAll(/^import (?!type ).* from "([^"]+)"/gm)]
        .map(([, from = ""]) => from)
        .filter((from) => !/^(\.\.\/)+language\/index\.ts$/.test(from))
        .map((from) => `${file}: ${from}`),
    );
    assert.equal(imports, []);
  });

  test("each table of words exists in all languages, under the path by which it is looked up", () => {
    const paths = [...sources].flatMap(([file, text]) =>
      [...text.matchAll(/chooseWords\(\s*"([^"]+)"/g)].map(([, path = ""]) => `${file} ${path}`),
    );
    const expected = [...sources.keys()]
      .filter((file) => file.endsWith("/en.ts"))
      .map((file) => file.slice("core/web/console/".length, -"/en.ts".length));
    assert.ok(expected.length > 30, `${expected.length} tables`);
    assert.equal(paths.map((each) => each.split(" ")[1]).toSorted(), expected.toSorted());
    for (const path of expected)
      for (const language of ["nl", "fr", "de", "es"])
        assert.ok(sources.has(`core/web/console/${path}/${language}.ts`), `${path} in ${language}`);
  });

  test("modules that load before the words read them only in functions", () => {
    const read = [...sources].flatMap(([file, text]) =>
      /\/(?:pages|language)\/|\/[a-z]{2}\.ts$/.test(file) || !file.startsWith("core/web/console/")
        ? []
        : wordsReadWhileLoading(file, text),
    );
    assert.equal(read, []);
  });

  test("the console is in the first language of the browser that it has", async () => {
    const page = await open("/", "nl-BE");
    await page.getByRole("link", { name: "Waarschuwingen" }).waitFor();
    assert.is(await page.locator("html").getAttribute("lang"), "nl");
    const other = await open("/", "ja-JP");
    await other.getByRole("link", { name: "Alerts" }).waitFor();
    assert.is(await other.locator("html").getAttribute("lang"), "en");
  });

  test("a reader chooses another language in the account menu, and it stays after a reload", async () => {
    const page = await open("/dashboards", "en-US");
    await page.getByRole("button", { name: /^Account/ }).click();
    await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
    await page.getByRole("link", { name: "Daten", exact: true }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Daten", exact: true }).waitFor();
    assert.is(await page.locator("html").getAttribute("lang"), "de");
    assert.equal(opened?.reports, []);
  });
});

/** Strings of at least three words in the English tables. Names of products and protocols are the same everywhere. */
const english = new Set(
  [...sources.keys()]
    .filter((file) => file.endsWith("/en.ts"))
    .flatMap((file) => [...stringsOf(file)])
    .filter((text) => wordCount(text) >= 3 && text.includes(" ")),
);

suite("core/web/console: every page in another language", (test) => {
  let stocked: StockedPeople;
  let browser: Browser;
  test.before(async () => {
    stocked = await openStockedPeople();
    browser = await openBrowser();
  });
  test.after(async () => {
    await browser?.close();
    await stocked?.close();
  });

  /** Visits every page as an owner, and returns what `look` finds on each, with the address. */
  const visit = async (
    options: Parameters<typeof openConsolePage>[2],
    look: (page: Page) => Promise<readonly string[]>,
  ): Promise<readonly string[]> => {
    const { people, paths, ownerPaths } = stocked;
    const { url } = people.host;
    const { page, reports } = await openConsolePage(
      browser,
      { url, pair: people.owner.pair },
      options,
    );
    const found: string[] = [];
    for (const path of [...paths, ...ownerPaths]) {
      await page.goto(url + path);
      await page.waitForLoadState("networkidle");
      found.push(...(await look(page)).map((each) => `${path}: ${each}`));
    }
    await page.context().close();
    assert.equal(reports, []);
    return found;
  };

  test.deep("no page shows English to a French reader", async () => {
    assert.ok(english.size > 500, `${english.size} strings`);
    const found = await visit({ locale: "fr-FR" }, async (page) => {
      const shown = await readScreen(page);
      const language = await page.locator("html").getAttribute("lang");
      return [
        ...(language === "fr" ? [] : [`the page is in ${language}`]),
        ...[...english].filter((text) => shown.some((line) => line.includes(text))),
      ];
    });
    assert.equal(found, []);
  });

  test.deep("no page scrolls sideways on a phone in German", async () => {
    const found = await visit({ locale: "de-DE", size: "phone" }, (page) =>
      page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth > clientWidth ? [`${scrollWidth} px wide, not ${clientWidth}`] : [];
      }),
    );
    assert.equal(found, []);
  });

  test.deep("the audit tells tokens, links, schedules and views with names and links", async () => {
    const { people, board } = stocked;
    const { url } = people.host;
    const { page } = await openConsolePage(browser, { url, pair: people.owner.pair });
    await page.goto(`${url}/access/audit`);
    const row = (text: RegExp) => page.locator(".audit-sentence").filter({ hasText: text }).first();
    const isolate = /[\u2068\u2069]/g;
    await row(/created a private link/).waitFor();
    const told = (await page.locator(".audit-sentence").allInnerTexts()).map((text) =>
      text.replaceAll(isolate, "").replaceAll(/\s+/g, " ").trim(),
    );
    for (const expected of [
      "issued embed token for reader-1 on dashboard Kilometres",
      "created a private link to dashboard Kilometres",
      "created a schedule of dashboard Kilometres",
      "put dashboard Kilometres on a schedule",
      "added channel Desk to a schedule of dashboard Kilometres",
      "created saved view Mondays of dashboard Kilometres",
    ])
      assert.ok(
        told.some((text) => text.endsWith(expected)),
        `${expected}\n${told.join("\n")}`,
      );
    const [share] = (await people.owner.get("share", { limit: 1 })).rows;
    await people.owner.delete("share", String(share?.["id"]));
    await page.reload();
    await row(/deleted .*a private link.* to dashboard .*Kilometres/).waitFor();
    const link = row(/created saved view/).getByRole("link", { name: "Kilometres" });
    assert.is(await link.getAttribute("href"), `/dashboards/${board.id}`);
    await page.context().close();
  });
});
