import * as assert from "uvu/assert";
import {
  completionsAt,
  withIds,
  withNames,
} from "../../../../core/web/console/pages/data/expressionText.ts";
import {
  formulaSignatures,
  functionSignatures,
} from "../../../../core/web/console/pages/data/functionSignatures.ts";
import { listSignatures } from "../../../../core/queries/expressions/index.ts";
import { suite } from "../../../support/suite.ts";

const columns = [
  { id: "c1", name: { en: "km" } },
  { id: "c2", name: { en: "kind of trip" } },
  { id: "c3", name: { en: "twice" } },
  { id: "c4", name: { en: "twice" } },
  { id: "c5", name: { en: "odd {name}:'" } },
];

suite("core/web/console/pages/data/expressionText", (test) => {
  test("references with unique names become column names, but strings and other references stay unchanged", () => {
    const stored = "{d:c1} + length({ d : c2 }) || '{d:c1}' || {d:c3} || {other:c1} || {d:c5}";
    const shown = "{km} + length({kind of trip}) || '{d:c1}' || {d:c3} || {other:c1} || {d:c5}";
    assert.is(withNames(stored, "d", columns), shown);
    assert.is(withIds(shown, "d", columns), stored.replace("{ d : c2 }", "{d:c2}"));
    assert.is(
      withIds("\"{km}\" || 'it''s {km}' || {km}", "d", columns),
      "\"{km}\" || 'it''s {km}' || {d:c1}",
    );
    assert.is(withIds("{twice} + {unknown}", "d", columns), "{twice} + {unknown}");
  });

  test("completing a word offers columns before functions, and within braces only columns", () => {
    const at = (text: string) =>
      completionsAt(text, text.length, columns, functionSignatures).found.map(({ text: of }) => of);
    assert.equal(at("1 + k"), ["{km}", "{kind of trip}"]);
    assert.equal(at("ro"), ["round()"]);
    assert.equal(at("sum({TRI"), ["{kind of trip}"]);
    assert.equal(at("no"), ["now()"]);
    assert.equal(at("12"), []);
    assert.is(completionsAt("a {k", 4, columns, []).from, 2);
    const [now] = completionsAt("now", 3, columns, functionSignatures).found;
    assert.is(now?.back, 0, "there is nothing between its parentheses");
  });

  test("the editor completes exactly the functions of the expression language", () => {
    assert.equal(functionSignatures, listSignatures("column"));
    assert.equal(formulaSignatures.toSorted(), listSignatures("formula").toSorted());
  });
});
