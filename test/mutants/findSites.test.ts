import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { findSites } from "./findSites.ts";

const found = (text: string) =>
  findSites("a.ts", text).map(({ kind, line, original, replacements }) => ({
    kind,
    line,
    original,
    replacements,
  }));

suite("test/mutants/findSites", (test) => {
  test("the mutation of an `if` that returns or throws deletes the `if` and keeps the number of lines", () => {
    assert.equal(found("const a = (b: boolean) => {\n  if (b)\n    return;\n};"), [
      { kind: "guard", line: 2, original: "if (b)\n    return;", replacements: [";\n"] },
    ]);
    assert.equal(
      found("if (b) { c; throw d; }").map(({ kind }) => kind),
      ["guard"],
    );
  });

  test("an `if` with an `else`, or without a return or throw at its end, is not mutated", () => {
    assert.equal(found("if (b) { c = 1; }"), []);
    assert.equal(found("const f = () => { if (b) return 1; else return 2; };"), []);
  });

  test("the mutation of a comparison negates an equality, and replaces `<` or `>` by its neighbor or opposite", () => {
    assert.equal(found("a === b"), [
      { kind: "comparison", line: 1, original: "===", replacements: ["!=="] },
    ]);
    assert.equal(found("a /* < */ < b").length, 0);
    assert.equal(found("a + 1 < b")[0]?.replacements, ["<=", ">="]);
    assert.equal(found("type A = Map<string, B>; a + b;"), []);
  });

  test("the mutation of a call drops the last argument with its comma", () => {
    const withoutLast = (text: string) => {
      const [site] = findSites("a.ts", text);
      return site && text.slice(0, site.start) + site.replacements[0] + text.slice(site.end);
    };
    assert.is(withoutLast("f(a, b)"), "f(a)");
    assert.is(withoutLast("new F(\n  a,\n)"), "new F(\n  \n)");
    assert.is(withoutLast("f()"), undefined);
  });
});
