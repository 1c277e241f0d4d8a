import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { checkProse, type ProseRules } from "./checkProse.ts";
import { dictionaryFile, glossaryFile, readRules } from "./readRules.ts";
import { replacedWords, withoutReplaced } from "./replacedWords.ts";
import { openSpelling } from "./spelling.ts";
import { wrapProse } from "./wrapProse.ts";

const long = "word ".repeat(40).trim();

suite("test/prose/checkProse", (test) => {
  let rules: ProseRules;
  const found = (file: string, text: string) =>
    checkProse(file, text, rules).map(({ line, found: words }) => [line, words]);
  test.before(() => {
    rules = readRules();
  });

  test("the prose check finds a replaced word of the glossary in comments, titles, messages and documents", () => {
    const text = '/** A doer acts. */\ntest("the doer of it", run);\nsay("two doers act");\n';
    assert.equal(found("core/a.ts", text), [
      [1, "doer"],
      [2, "doer"],
      [3, "doers"],
    ]);
    assert.equal(found("a.md", "Fine.\n\nThe minting of tokens.\n"), [[3, "minting"]]);
  });

  test("the prose check finds a replaced phrase even across two lines of a comment", () => {
    const text = "/**\n * The width is a made\n * text.\n */\nexport const a = 1;\n";
    assert.equal(found("a.ts", text), [[2, "made text"]]);
  });

  test("the prose check finds a replaced word as part of an identifier", () => {
    assert.equal(found("a.ts", "const firstMadeText = outMadeTexture;"), [[1, "firstMadeText"]]);
    assert.equal(found("a.ts", "export interface Doer {}"), [[1, "Doer"]]);
  });

  test("the glossary's table of replaced words is read together with its replacements", () => {
    const glossary =
      "| doer | x |\n\n## Replaced words\n\n| replaced | write |\n|---|---|\n| a b | c |\n";
    assert.equal(
      replacedWords(glossary).map(({ better }) => better),
      ["c"],
    );
    assert.is(withoutReplaced(glossary), "| doer | x |\n\n");
    assert.ok(replacedWords(readFileSync(glossaryFile, "utf8")).length > 0);
  });

  test("the prose check finds a misspelled word in a comment, a title and a document", () => {
    assert.equal(found("a.ts", "/** Retruns the rows. */"), [[1, "Retruns"]]);
    assert.equal(found("test/a.test.ts", 'test.deep("rows are recieved", run);'), [
      [1, "recieved"],
    ]);
    assert.equal(found("a.md", "Fine.\n\nThe collumns of a\ntabel.\n"), [
      [3, "collumns"],
      [4, "tabel"],
    ]);
  });

  test("the prose check finds a misspelled word in a message, but ignores code, data and other languages", () => {
    assert.equal(found("core/a.ts", 'throw new Error("the name must be a sting of charcters");'), [
      [1, "charcters"],
    ]);
    const others = [
      "\"<p class='colum'>of the table</p>\"",
      '"select nme from the table"',
      '"Geef het gemiddelde per kwartaal"',
    ];
    for (const other of others) assert.equal(found("core/a.ts", `say(${other});`), [], other);
    assert.equal(found("test/a.test.ts", 'push("the valeu of rows");'), []);
  });

  test("names, paths, addresses, numbers and abbreviations are not checked for spelling", () => {
    const text =
      "The `retruns` of openHostt at https://exmple.org/ in core/quries/a.ts, 3ms, XQL, .ndjso and it's 2nd.";
    assert.equal(found("a.md", `${text}\n`), []);
  });

  test("the words of another language are not spelled in English, and comments beside them are", () => {
    const text =
      '/** Wrods of Italian. */\nexport const it = { one: "valori illeggibili sono nel file" };\n';
    assert.equal(found("core/web/words/it.ts", text), [[1, "Wrods"]]);
  });

  test("the report of a misspelled word suggests similar words and explains how to add a new word", () => {
    const [problem] = checkProse("a.md", "The tabel.\n", rules);
    assert.match(problem?.better ?? "", "table");
    assert.match(problem?.better ?? "", "test/prose/dictionary.txt");
  });

  test("a word in the project's dictionary is accepted, and a name only with its capital letter", () => {
    const spelling = openSpelling("backtest\nGrafana\n");
    const unknown = (text: string) => spelling.look(text).unknown.map(({ word }) => word);
    assert.equal(unknown("Backtest a backtest in Grafana, or grafana."), ["grafana"]);
  });

  test("the project's dictionary is sorted and contains no word of the English dictionary", () => {
    const words = readFileSync(dictionaryFile, "utf8").trimEnd().split("\n");
    const compared = (a: string, b: string) =>
      a.toLowerCase() < b.toLowerCase() || (a.toLowerCase() === b.toLowerCase() && a < b) ? -1 : 1;
    assert.equal(words, [...new Set(words)].toSorted(compared));
    const english = openSpelling("");
    assert.equal(
      words.filter((word) => english.look(word).unknown.length === 0),
      [],
    );
  });

  test("a reference to a review, an issue or a private specification is reported, except in messages", () => {
    const cited = [
      "A wrong key is refused (security S9).",
      "Lists are objects (B5).",
      "Fixed with issue 19.",
      "The roles are those of wire-facts 9.3.",
    ];
    for (const sentence of cited) {
      assert.is(found("a.ts", `/** ${sentence} */`).length, 1, sentence);
      assert.is(found("a.test.ts", `test("${sentence}", run);`).length, 1, sentence);
      assert.is(found("a.md", `${sentence}\n`).length, 1, sentence);
    }
    assert.equal(found("a.ts", 'say("the formula =SUM(A1) is (security S9)");'), []);
    assert.equal(found("a.md", "Files in a bucket of S3, query Q5, and RFC 5280 are fine.\n"), []);
  });

  test("prose lines over 120 columns are reported, but not code, tables and addresses", () => {
    assert.equal(found("a.ts", `// ${long}\nconst a = "${long}";\n`), [[1, "202 columns"]]);
    assert.equal(found("a.ts", `// https://example.org/${"x".repeat(200)}\n`), []);
    const text = `${long}\n\n| ${long} |\n\n\`\`\`\n${long}\n\`\`\`\n\n- ${long}\n`;
    assert.equal(found("a.md", text), [
      [1, "199 columns"],
      [9, "201 columns"],
    ]);
  });

  test("wrapping prose breaks long lines between words and changes nothing else", () => {
    const source = `/** ${long} */\nconst a = 1; // ${long}\n  // ${long}\n`;
    const wrapped = wrapProse("a.ts", source);
    assert.is(wrapped.split("\n")[0], "/**");
    assert.is(wrapped.match(/^ \* word/gm)?.length, 2);
    assert.is(wrapped.match(/^ {2}\/\/ word/gm)?.length, 2);
    assert.ok(wrapped.includes(`const a = 1; // ${long}\n`));
    const words = (text: string) => text.match(/[a-z]+/g);
    assert.equal(words(wrapped), words(source));
    const item = wrapProse("a.md", `- ${long}\n  more\n- short\n`);
    assert.match(item, /^- word.*\n {2}word.* more\n- short\n$/);
    assert.is(wrapProse("a.md", item), item);
  });

  test("a doc comment that is directly followed by another doc comment is reported", () => {
    const text = "const a = 1;\n/** Rows. */\n/** Columns. */\nconst b = 2;\n";
    assert.equal(found("a.ts", text), [[2, "a doc comment before another"]]);
    assert.equal(found("a.ts", "/* Conventions. */\n\n/** Columns. */\nconst b = 2;\n"), []);
    assert.equal(found("a.ts", "/** Rows. */\nconst a = 1;\n/** Columns. */\nconst b = 2;\n"), []);
  });
});
