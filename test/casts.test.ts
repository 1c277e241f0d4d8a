import { parseSync, Visitor } from "oxc-parser";
import * as assert from "uvu/assert";
import { readSources, type Sources } from "./support/importGraph.ts";
import { suite } from "./support/suite.ts";

/**
 * The allowed number of casts in product code. Each cast is at a border that types cannot cross. This number may only
 * decrease.
 */
const ceiling = 116;

/**
 * The allowed number of reads such as `value["member"]` in the host's code, which access members of untyped JSON. This
 * number may only decrease. Declare the members instead, as `isObject<"id" | "name">(value)` does.
 */
const bracketCeiling = 120;

/** Matches reads of environment variables, which are not JSON. */
const isEnvironment = /^(?:process\.env|(?:\w+\.)?environment|env)$/;

/** Matches lines in which `as` is part of a sentence or renames an import. */
const otherAs = /^\s*(?:\*|\/\/|\/\*)|^(?:import|export)\b.*\bfrom "|^\s+(?:type )?\w+ as \w+,?$/;

/** Returns whether a file may contain a cast. Most files do not, so the slow parsing can be skipped for them. */
const mayHaveCasts = (text: string): boolean =>
  text.split("\n").some((line) => /\bas(?:\s+(?!const\b)|$)/.test(line) && !otherAs.test(line));

/** Lists all casts with `as`, except `as const`, in the form `path:line text`. */
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

/** Lists reads such as `value["member"]` that could use a dot, in the form `path:line text`. */
function bracketsIn(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    if (!/\["[A-Za-z_]\w*"\]/.test(text)) return [];
    const brackets: string[] = [];
    new Visitor({
      MemberExpression({ start, end, object, property, computed }) {
        if (!computed || property.type !== "Literal" || typeof property.value !== "string") return;
        if (!/^[A-Za-z_]\w*$/.test(property.value)) return;
        if (isEnvironment.test(text.slice(object.start, object.end))) return;
        const line = text.slice(0, start).split("\n").length;
        brackets.push(`${file}:${line} ${text.slice(start, end).replaceAll(/\s+/g, " ")}`);
      },
    }).visit(parseSync(file, text).program);
    return brackets;
  });
}

/** Returns an error message if a list is longer than the allowed number; otherwise undefined. */
function excess(found: readonly string[], most: number, what: string): string | undefined {
  if (found.length <= most) return undefined;
  return `${found.length} ${what}, but at most ${most} are allowed. Narrow with a guard, or declare the type:\n${found.join("\n")}`;
}

const planted: Sources = new Map([
  [
    "a.ts",
    'import { a as b } from "./b.ts";\nconst c = ["a"] as const;\nexport const d = b as unknown as\n  Date;\n',
  ],
]);

suite("test/casts", (test) => {
  test("each cast in the code is reported with its line, except `as const` and renamed imports", () => {
    assert.equal(castsIn(planted), ["a.ts:3 b as unknown as Date", "a.ts:3 b as unknown"]);
  });

  test("one cast more than the ceiling allows fails the check, and the report lists the casts", () => {
    assert.is(excess(castsIn(planted), 2, "casts"), undefined);
    assert.match(
      excess(castsIn(planted), 1, "casts") ?? "",
      /2 casts, but at most 1 .*\na\.ts:3 b as unknown/,
    );
  });

  test("the product has no more casts than the ceiling allows", () => {
    const sources = readSources(["core", "engine", "plugins", "connectors", "examples"]);
    const own = new Map([...sources].filter(([file]) => !file.includes("/assembly/")));
    assert.ok(own.size > 500);
    const casts = castsIn(own);
    assert.is(excess(casts, ceiling, "casts"), undefined);
  });

  test('reads such as a["b"] are reported, except reads of environment variables and of names that need brackets', () => {
    const text =
      'a["b"]["c"];\na["b-c"];\nprocess.env["D"];\nio.environment["E"];\na[0];\na?.["f"];\n';
    assert.equal(bracketsIn(new Map([["a.ts", text]])), [
      'a.ts:1 a["b"]["c"]',
      'a.ts:1 a["b"]',
      'a.ts:6 a?.["f"]',
    ]);
  });

  test('the code of the host has no more reads in the form value["member"] than the ceiling allows', () => {
    const own = new Map(
      [...readSources(["core"])].filter(([file]) => !file.startsWith("core/web/console/")),
    );
    assert.ok(own.size > 500);
    assert.is(excess(bracketsIn(own), bracketCeiling, "reads with brackets"), undefined);
  });
});
