import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { checkProse } from "./checkProse.ts";
import { rules } from "./rules.ts";
import { wrapProse } from "./wrapProse.ts";

const found = (file: string, text: string) =>
  checkProse(file, text).map(({ line, found: words }) => [line, words]);

const long = "word ".repeat(40).trim();

suite("test/prose/checkProse", (test) => {
  test("a banned construction in a comment is found on its line, also where the line breaks within it", () => {
    const text = "/**\n * Fine.\n * The width hangs\n * on the rows.\n */\nexport const a = 1;\n";
    assert.equal(found("a.ts", text), [[3, "hangs on"]]);
  });

  test("messages are prose; code and short strings are not", () => {
    const text = 'const tells = ["tells", "a column that tells of bins"];\n';
    assert.equal(found("a.ts", text), [[1, "tells"]]);
    assert.equal(found("a.ts", "const a = `one who ${b} asks`;"), [[1, "one who"]]);
  });

  test("a banned name is found in code, and in prose", () => {
    assert.equal(found("a.ts", "/** A Doer acts. */\nexport interface Doer {}\n"), [
      [1, "Doer"],
      [2, "Doer"],
    ]);
  });

  test("a word that is wrong in some folders only is left alone in the others", () => {
    assert.is(found("core/queries/a.ts", "const probe = 1;").length, 1);
    assert.equal(found("engine/joins/a.ts", "const probe = 1;"), []);
  });

  test("words with a meaning in the field pass", () => {
    const fine = [
      "TTL stands for time to live.",
      "A plugin that lies is found out.",
      "Of course a stand-in relies on this.",
      "The caller's clock tells the reader nothing.",
      "Shows what is stored.",
    ];
    for (const sentence of fine) assert.equal(found("a.ts", `/** ${sentence} */`), [], sentence);
  });

  test("sentences do not begin with Of and What, and questions may", () => {
    const text = "Fine. Of these, one is kept. What is left goes.\n\nWhat is kept?\n";
    assert.is(found("a.md", text).length, 2);
  });

  test("a line of prose has at most 120 columns; code, tables and addresses may have more", () => {
    assert.equal(found("a.ts", `// ${long}\nconst a = "${long}";\n`), [[1, "202 columns"]]);
    assert.equal(found("a.ts", `// https://example.org/${"x".repeat(200)}\n`), []);
    const text = `${long}\n\n| ${long} |\n\n\`\`\`\n${long}\n\`\`\`\n\n- ${long}\n`;
    assert.equal(found("a.md", text), [
      [1, "199 columns"],
      [9, "201 columns"],
    ]);
  });

  test("long lines are broken between words, and nothing else changes", () => {
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

  test("a doc comment that another follows is found; a comment without a declaration is not", () => {
    const text = "const a = 1;\n/** Rows. */\n/** Columns. */\nconst b = 2;\n";
    assert.equal(found("a.ts", text), [[2, "a doc comment before another"]]);
    assert.equal(found("a.ts", "/* Conventions. */\n\n/** Columns. */\nconst b = 2;\n"), []);
    assert.equal(found("a.ts", "/** Rows. */\nconst a = 1;\n/** Columns. */\nconst b = 2;\n"), []);
  });

  test("every rule says what to write instead, and none catches its own advice", () => {
    for (const { pattern, better } of rules) assert.not.match(better, pattern);
  });
});
