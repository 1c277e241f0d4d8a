import { parseSync, Visitor } from "oxc-parser";
import * as assert from "uvu/assert";
import { readSources, type Sources } from "../../../support/importGraph.ts";
import { suite } from "../../../support/suite.ts";

/** Words that are the same in every language: names, and the keys of the keyboard. */
const names = new Set(["CSV", "Ctrl K", "JSON", "Manifold", "TypeScript", "curl", "ms"]);
/** Members and attributes whose text people read or hear. */
const said = [
  "alt",
  "aria-description",
  "aria-label",
  "hint",
  "label",
  "placeholder",
  "text",
  "title",
];
const isSaid = new RegExp(`\\b(${said.join("|")})="([^"]*)"`, "g");

const isText = (text: string): boolean => /\p{L}{2}/u.test(text) && !names.has(text.trim());

/** Returns the words in templates and options that do not come from a table of translations, as `path: text`. */
function looseTexts(sources: Sources): string[] {
  return [...sources].flatMap(([file, source]) => {
    const found: string[] = [];
    const note = (text: string) => {
      if (isText(text)) found.push(`${file}: ${text.replaceAll(/\s+/g, " ").trim()}`);
    };
    new Visitor({
      TaggedTemplateExpression({ tag, quasi }) {
        if (tag.type !== "Identifier" || (tag.name !== "html" && tag.name !== "svg")) return;
        const markup = quasi.quasis.map(({ value }) => value.cooked ?? "").join("\u0000");
        for (const [, , text = ""] of markup.matchAll(isSaid))
          for (const part of text.split("\u0000")) note(part);
        for (const text of markup.replaceAll(/<[^>]*>/g, "\u0000").split("\u0000")) note(text);
      },
      Property({ key, value }) {
        const name = key.type === "Identifier" ? key.name : "";
        if (!said.includes(name)) return;
        if (value.type === "Literal" && typeof value.value === "string") note(value.value);
        if (value.type === "TemplateLiteral")
          for (const quasi of value.quasis) note(quasi.value.cooked ?? "");
      },
    }).visit(parseSync(file, source).program);
    return found;
  });
}

suite("core/web/console: words", (test) => {
  test("the check finds words written directly in templates, attributes and options, but ignores values", () => {
    const planted: Sources = new Map([
      [
        "a.ts",
        'html`<p title="A hint">${words.a} Some text</p><b aria-label="${words.b}: x">x</b>`;\n' +
          'selectField({ id: "no-text", label: "A label", value: "none" }); field({ title: `Of ${name}` });',
      ],
    ]);
    assert.equal(looseTexts(planted).toSorted(), [
      "a.ts: A hint",
      "a.ts: A label",
      "a.ts: Of",
      "a.ts: Some text",
    ]);
  });

  test("all words that people see are defined in the tables of words of their folder", () => {
    const sources = readSources(["core"]);
    const ofConsole = [...sources].filter(
      ([file]) =>
        file.startsWith("core/web/console/") &&
        !file.startsWith("core/web/embed/") &&
        !/[wW]ords\.ts$/.test(file) &&
        !/\/[a-z]{2}\.ts$/.test(file),
    );
    assert.ok(ofConsole.length > 80, `${ofConsole.length} files`);
    assert.equal(looseTexts(new Map(ofConsole)), []);
  });
});
