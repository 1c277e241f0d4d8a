import * as assert from "uvu/assert";
import { declarations } from "../../../../core/resources/index.ts";
import { inspect } from "../../../../core/resources/kernel/accept.ts";
import { suite } from "../../../support/suite.ts";

/** Returns the message with which a create is refused; empty if it is accepted. */
function refusalOf(resource: string, properties: object): string {
  const declaration = declarations.get(resource);
  if (!declaration) throw new Error(`there is no resource ${resource}`);
  return inspect(declaration, "create", properties).refusal?.message ?? "";
}

suite("core/resources/kernel/accept", (test) => {
  test("`create` accepts only null or the default for a member that the host sets", () => {
    for (const version of [0, null]) assert.is(refusalOf("column", { order: 1, version }), "");
    assert.match(refusalOf("column", { order: 1, version: 1 }), /properties\.version.*omit it/);
  });

  test("a name has at most 200 languages", () => {
    const name = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `${String.fromCharCode(97 + (index % 26))}${String.fromCharCode(97 + Math.floor(index / 26))}`,
          "x",
        ]),
      );
    assert.is(refusalOf("securable", { type: "dashboard", name: name(200) }), "");
    assert.match(
      refusalOf("securable", { type: "dashboard", name: name(201) }),
      /properties\.name.*at most 200 languages/,
    );
  });

  test("the finest level of a column or formula is the number of a level, or 0", () => {
    for (const [resource, more] of [
      ["column", { order: 1 }],
      ["formula", { name: {}, expression: "1" }],
    ] as const) {
      for (const lowestLevel of [0, 1, 9, null])
        assert.not.match(refusalOf(resource, { ...more, lowestLevel }), /lowestLevel/);
      for (const lowestLevel of [-1, 1.5, 10, 1e308])
        assert.match(
          refusalOf(resource, { ...more, lowestLevel }),
          /properties\.lowestLevel.*0 for all levels, or the number of a level: 1 year, 2 quarter/,
        );
    }
  });

  test("`create` refuses an instant that only the host sets", () => {
    const properties = { email: "ada@example.org", created_at: "2024-01-01T00:00:00.000Z" };
    assert.match(refusalOf("user", properties), /properties\.created_at.*omit it/);
  });
});
