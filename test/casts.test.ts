import { parseSync, Visitor } from "oxc-parser";
import * as assert from "uvu/assert";
import { readSources, type Sources } from "./support/importGraph.ts";
import { suite } from "./support/suite.ts";

/** How many casts product code may have, each at a border that types do not cross. This number may only fall. */
const ceiling = 119;

/** Lines in which `as` is prose, or the name of an import. */
const otherAs = /^\s*(?:\*|\/\/|\/\*)|^(?:import|export)\b.*\bfrom "|^\s+(?:type )?\w+ as \w+,?$/;

/** Whether a file may have a cast: parsing is slow, and most files have none. */
const mayHaveCasts = (text: string): boolean =>
  text.split("\n").some((line) => /\bas(?:\s+(?!const\b)|$)/.test(line) && !otherAs.test(line));

/** Lists the casts of files (`as`, except `as const`), as `path:line text`. */
function castsIn(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    if (!mayHaveCasts(text)) return [];
    const casts: string[] = [];
    new Visitor({
      TSAsExpression({ start, end, typeAnnotation }) {
        if (text.slice(typeAnnotation.start, typeAnnotation.end) === "const") return;
        const line = text.slice(0, start).split("\n").length;
        casts.push(`${file}:${line} ${text.slice(start, end).replaceAll(/\s+/g, " ")}`);
      },
    }).visit(parseSync(file, text).program);
    return casts;
  });
}

/** Says what is wrong with so many casts; undefined when they are within the ceiling. */
function excess(casts: readonly string[], most: number): string | undefined {
  if (casts.length <= most) return undefined;
  return `${casts.length} casts, at most ${most}. Narrow with a guard, or declare the type:\n${casts.join("\n")}`;
}

const planted: Sources = new Map([
  [
    "a.ts",
    'import { a as b } from "./b.ts";\nconst c = ["a"] as const;\nexport const d = b as unknown as\n  Date;\n',
  ],
]);

suite("test/casts", (test) => {
  test("a cast is found on its line, and one within another; as const and an import's name are none", () => {
    assert.equal(castsIn(planted), ["a.ts:3 b as unknown as Date", "a.ts:3 b as unknown"]);
  });

  test("one cast above the ceiling is refused, with the list", () => {
    assert.is(excess(castsIn(planted), 2), undefined);
    assert.match(excess(castsIn(planted), 1) ?? "", /2 casts, at most 1\..*\na\.ts:3 b as unknown/);
  });

  test("product code has no more casts than the ceiling", () => {
    const sources = readSources(["core", "engine", "plugins", "connectors", "examples"]);
    const own = new Map([...sources].filter(([file]) => !file.includes("/assembly/")));
    assert.ok(own.size > 500);
    const casts = castsIn(own);
    assert.is(excess(casts, ceiling), undefined);
  });
});
