import { parseSync, Visitor } from "oxc-parser";
import * as assert from "uvu/assert";
import { readSources, type Sources } from "./support/importGraph.ts";
import { suite } from "./support/suite.ts";

/**
 * The allowed number of casts in product code. Each cast is at a border that types cannot cross. The number may only
 * fall.
 */
const ceiling = 119;

/**
 * The allowed number of reads such as `value["member"]` in the host's code, which access members of untyped JSON. The
 * number may only fall: declare the members instead, as `isObject<"id" | "name">(value)` does.
 */
const bracketCeiling = 148;

/** Matches expressions for environment variables, which are not JSON. */
const isEnvironment = /^(?:process\.env|(?:\w+\.)?environment|env)$/;

/** Lines in which `as` is part of a sentence or renames an import. */
const otherAs = /^\s*(?:\*|\/\/|\/\*)|^(?:import|export)\b.*\bfrom "|^\s+(?:type )?\w+ as \w+,?$/;

/** Returns whether a file may contain a cast. Most files contain none, so this avoids slow parsing. */
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

/** Returns an error message if a list is longer than its ceiling, otherwise undefined. */
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
  test("each cast is reported with its line, even a nested cast, but as const and renamed imports are not", () => {
    assert.equal(castsIn(planted), ["a.ts:3 b as unknown as Date", "a.ts:3 b as unknown"]);
  });

  test("exceeding the ceiling by one cast fails and lists the casts", () => {
    assert.is(excess(castsIn(planted), 2, "casts"), undefined);
    assert.match(
      excess(castsIn(planted), 1, "casts") ?? "",
      /2 casts, but at most 1 .*\na\.ts:3 b as unknown/,
    );
  });

  test("the product has no more casts than the ceiling", () => {
    const sources = readSources(["core", "engine", "plugins", "connectors", "examples"]);
    const own = new Map([...sources].filter(([file]) => !file.includes("/assembly/")));
    assert.ok(own.size > 500);
    const casts = castsIn(own);
    assert.is(excess(casts, ceiling, "casts"), undefined);
  });

  test('reads such as a["b"] are reported with their lines, except of environment variables and of names that need brackets', () => {
    const text =
      'a["b"]["c"];\na["b-c"];\nprocess.env["D"];\nio.environment["E"];\na[0];\na?.["f"];\n';
    assert.equal(bracketsIn(new Map([["a.ts", text]])), [
      'a.ts:1 a["b"]["c"]',
      'a.ts:1 a["b"]',
      'a.ts:6 a?.["f"]',
    ]);
  });

  test('the host has no more reads such as value["member"] than the ceiling', () => {
    const own = new Map(
      [...readSources(["core"])].filter(([file]) => !file.startsWith("core/web/console/")),
    );
    assert.ok(own.size > 500);
    assert.is(excess(bracketsIn(own), bracketCeiling, "reads with brackets"), undefined);
  });
});
