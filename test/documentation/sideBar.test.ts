import * as assert from "uvu/assert";
import { groups, kindOf, pages, searchWeights } from "../../docs/.vitepress/pages.ts";
import { suite } from "../support/suite.ts";

suite("documentation/sideBar", (test) => {
  test("the side bar lists roles first, then concepts, reference, decisions and the source", () => {
    assert.equal(
      groups.map(({ title }) => title).filter((title) => title !== "API by resource"),
      [
        "Start here",
        "Embed in your product",
        "Write a plugin",
        "At home",
        "Run a host",
        "Concepts",
        "Reference",
        "Decisions",
        "Change Manifold",
        "Examples",
        "Source folders",
      ],
    );
  });

  test("every tutorial and how-to page belongs to a role, and counts as a guide", () => {
    const roles = groups.slice(0, 5).flatMap(({ paths }) => paths);
    for (const path of pages.filter((each) => /^docs\/(tutorials|how-to)\//.test(each))) {
      assert.ok(roles.includes(path), path);
      assert.is(kindOf(path), "guide", path);
    }
  });

  test("guides outrank reference in the search, and reference outranks decisions and folders", () => {
    const kinds = [
      "docs/EMBEDDING.md",
      "docs/QUERIES.md",
      "docs/decisions/egress.md",
      "core/README.md",
    ];
    assert.equal(kinds.map(kindOf), ["guide", "reference", "decision", "source"]);
    const ranks = ["guide", "reference", "concept", "decision", "source"] as const;
    const weights = ranks.map((kind) => searchWeights[kind]);
    assert.equal(
      weights,
      weights.toSorted((one, other) => other - one),
    );
  });
});
