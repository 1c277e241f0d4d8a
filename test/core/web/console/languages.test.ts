import { parseSync, Visitor } from "oxc-parser";
import * as assert from "uvu/assert";
import type { Page } from "playwright-core";
import { readSources } from "../../../support/importGraph.ts";
import { suite } from "../../../support/suite.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

const sources = readSources(["core/web/console", "core/web/charts/item"]);
/** The words of a folder in a language other than English, such as `pages/data/words/nl.ts`. */
const translated = [...sources.keys()].filter((file) => /\/(?!en)[a-z]{2}\.ts$/.test(file));

/** Returns the strings of a module, and the parts of its templates. */
function stringsOf(file: string): ReadonlySet<string> {
  const found = new Set<string>();
  new Visitor({
    Literal({ value }) {
      // Operators of the API, such as "? is not null", are keys.
      if (typeof value === "string" && !value.startsWith("?")) found.add(value.trim());
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
    await page.getByRole("link", { name: "Daten" }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Daten" }).waitFor();
    assert.is(await page.locator("html").getAttribute("lang"), "de");
    assert.equal(opened?.reports, []);
  });
});
