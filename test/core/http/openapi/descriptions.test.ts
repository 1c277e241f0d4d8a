import * as assert from "uvu/assert";
import { isObject } from "../../../../core/base/index.ts";
import { createOpenapi } from "../../../../core/http/openapi/index.ts";
import { memberDescriptions } from "../../../../core/http/openapi/memberDescriptions.ts";
import { describedActions } from "../../../../core/http/openapi/operationOf.ts";
import { declarations } from "../../../../core/resources/index.ts";
import { suite } from "../../../support/suite.ts";

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary?: string }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** Every member of every schema in a document, with its path. */
function* membersOf(
  value: unknown,
  path: string,
): Generator<{ readonly path: string; readonly member: Readonly<Record<string, unknown>> }> {
  if (Array.isArray(value)) for (const each of value) yield* membersOf(each, path);
  if (!isObject(value) || Array.isArray(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === "properties" && isObject(inner))
      for (const [member, schema] of Object.entries(inner)) {
        if (isObject(schema)) yield { path: `${path}.${member}`, member: schema };
        yield* membersOf(schema, `${path}.${member}`);
      }
    else yield* membersOf(inner, `${path}/${name}`);
  }
}

suite("core/http/openapi: descriptions", (test) => {
  const handlers = new Map(
    [...describedActions(declarations)].map(([resource, actions]) => [
      resource,
      Object.fromEntries(actions.map((action) => [action, async () => ({})])),
    ]),
  );
  const document = JSON.parse(
    JSON.stringify(createOpenapi({ handlers, declarations, url: "http://127.0.0.1:4000" })),
  ) as Document;
  const members = [...membersOf(document.paths, "paths"), ...membersOf(document.components, "")];

  test("every operation has a summary of its own", () => {
    const summaries = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ summary }) => summary ?? ""),
    );
    assert.ok(summaries.length > 200, `${summaries.length} operations`);
    assert.equal(
      summaries.filter((summary) => !/^[A-Z].*[^.]$/.test(summary)),
      [],
    );
    assert.is(new Set(summaries).size, summaries.length);
  });

  test("every member of a call and of an answer has a description that is a sentence", () => {
    assert.ok(members.length > 3_000, `${members.length} members`);
    const without = members.filter(
      ({ member }) =>
        member["$ref"] === undefined && !/^[A-Z`].*\.$/s.test(String(member["description"])),
    );
    assert.equal(
      [...new Set(without.map(({ path, member }) => `${path}: ${String(member["description"])}`))],
      [],
    );
  });

  test("every entry in the table of descriptions is used by a member", () => {
    const used = new Set(members.map(({ member }) => member["description"]));
    assert.equal(
      Object.entries(memberDescriptions).filter(([, description]) => !used.has(description)),
      [],
    );
  });
});
