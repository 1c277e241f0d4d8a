import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import {
  explainFeatures,
  featureFlags,
  featureProblem,
  featureWarnings,
  parseFeatures,
} from "../../../../../core/identity/access/index.ts";
import { suite } from "../../../../support/suite.ts";
import { featureRows } from "./featureRows.ts";

suite("core/identity/access/features/featureFlags", (test) => {
  test("docs/TOKENS.md lists exactly the feature flags of the code", () => {
    const page = readFileSync(new URL("../../../../../docs/TOKENS.md", import.meta.url), "utf8");
    const written = page.split("\n").filter((line) => line.startsWith("| `flag_"));
    assert.equal(written, featureRows());
  });

  test("removing a feature flag overrides adding it, in any order and however often", () => {
    for (const flags of [
      ["flag_export", "!flag_export"],
      ["!flag_export", "flag_export", "!flag_export"],
    ]) {
      const { added, removed } = parseFeatures(flags);
      assert.equal([[...added], [...removed]], [[], ["flag_export"]]);
    }
    for (const odd of [null, undefined, "!flag_export", { 0: "!flag_export" }, [1, null]])
      assert.equal(parseFeatures(odd), { added: new Set(), removed: new Set() });
  });

  test("every known feature flag can be removed, with a warning if this has no effect", () => {
    for (const [name, { usual }] of Object.entries(featureFlags)) {
      assert.is(featureProblem([`!${name}`]), undefined);
      assert.is(featureWarnings([`!${name}`], "token").length, usual === "none" ? 1 : 0, name);
    }
  });

  test("names that every JavaScript object has, such as constructor, are unknown feature flags", () => {
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"])
      assert.match(String(featureProblem([`!${name}`])), "; known: ");
    const explained = explainFeatures({}, ["flag_x"]);
    assert.equal(explained.at(-1)?.state, "no_effect");
  });
});
