import * as assert from "uvu/assert";
import { titlesIn } from "../../../../../core/web/console/boards/index.ts";
import { suite } from "../../../../support/suite.ts";

const item = (id: string, title?: unknown) => ({ id, options: { title } });

suite("core/web/console/boards/titlesIn", (test) => {
  test("returns each title of all views once", () => {
    const contents = {
      views: [
        { items: [item("1", { en: "Sales" }), item("2", "Plain"), item("3", { en: "" })] },
        { items: [item("4", { en: "Sales" }), item("5")] },
        {},
      ],
    };
    assert.equal(
      titlesIn(contents).map(({ text }) => text),
      ["Sales", "Plain"],
    );
  });

  test("contents of any other form have no titles", () => {
    for (const contents of [
      null,
      undefined,
      "views",
      { views: 1 },
      { views: [null, { items: 2 }] },
    ])
      assert.equal(titlesIn(contents), []);
  });
});
