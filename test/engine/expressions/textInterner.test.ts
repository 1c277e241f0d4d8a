import * as assert from "uvu/assert";
import { EngineError } from "../../../engine/errors.ts";
import { mapTexts } from "../../../engine/expressions/mapTexts.ts";
import { TextInterner } from "../../../engine/expressions/textInterner.ts";
import type { Expression } from "../../../engine/types.ts";
import { suite } from "../../support/suite.ts";

const isRefused = (source: string) => (error: unknown) =>
  error instanceof EngineError &&
  error.code === "QUERY_TEXTS_LARGE" &&
  error.message.includes(`the strings that ${source} returns come to more than`);

suite("engine/expressions/textInterner", (test) => {
  test("each distinct string counts once towards the limit on strings", () => {
    const interner = new TextInterner("repeat", 5);
    assert.equal(
      ["ab", null, "cde", "ab"].map((text) => interner.codeOf(text)),
      [1, 0, 2, 1],
    );
    assert.throws(() => interner.codeOf("x"), isRefused("repeat"));
    assert.equal(interner.texts, ["ab", "cde"]);
  });

  test("a function whose results over a column are too large fails early, with its name in the error", () => {
    const texts = Array.from({ length: 10_000 }, (_, code) => `name ${code}`);
    const repeated: Expression = {
      kind: "call",
      function: "repeat",
      of: [
        { kind: "column", name: "name" },
        { kind: "literal", type: "number", value: 10_000 },
      ],
    };
    assert.throws(
      () => mapTexts(repeated, { texts, textCount: texts.length }),
      isRefused("repeat"),
    );
  });
});
