import * as assert from "uvu/assert";
import Type from "typebox";
import { typeOf } from "../../../../core/http/openapi/typeOf.ts";
import { suite } from "../../../support/suite.ts";

const written = (schema: unknown, isGiven = false) =>
  typeOf(JSON.parse(JSON.stringify(schema)), 0, isGiven);

suite("core/http/openapi/typeOf", (test) => {
  test("schemas of strings, numbers, lists, maps, choices and references become TypeScript types", () => {
    const Text = Type.String();
    const cases = [
      [Type.Integer(), "number"],
      [Type.Array(Text), "readonly string[]"],
      [Type.Array(Type.Union([Text, Type.Null()])), "ReadonlyArray<string | null>"],
      [Type.Record(Type.String(), Type.Number()), "Readonly<Record<string, number>>"],
      [Type.Union([Type.Literal("a"), Type.Union([Text, Type.Null()])]), '"a" | string | null'],
      [Type.Union([Text, Type.Unknown()]), "unknown"],
      [Type.Unsafe({ $ref: "#/components/schemas/Account" }), "Account"],
      [
        Type.Intersect([Type.Object({ a: Text }), Type.Object({ b: Text })]),
        "{ readonly a: string } & { readonly b: string }",
      ],
    ] as const;
    for (const [schema, type] of cases) assert.is(written(schema), type);
  });

  test("an optional member may be absent in a response, and absent or undefined in a request", () => {
    const schema = Type.Object({ "a-b": Type.String(), c: Type.Optional(Type.Number()) });
    assert.is(written(schema), '{ readonly "a-b": string; readonly c?: number }');
    assert.is(written(schema, true), '{ readonly "a-b": string; readonly c?: number | undefined }');
  });

  test("a schema's description becomes a comment, and nothing in the description can end the comment", () => {
    const schema = Type.Object({ at: Type.String({ description: "when */ it was" }) });
    assert.is(written(schema), "{\n  /** when it was */\n  readonly at: string;\n}");
  });
});
