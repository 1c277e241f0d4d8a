import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import type { Handler } from "../../../../core/base/contracts/index.ts";
import { createOpenapi } from "../../../../core/http/openapi/index.ts";
import { operationOf } from "../../../../core/http/openapi/operationOf.ts";
import { declarations } from "../../../../core/resources/index.ts";
import { suite } from "../../../support/suite.ts";

interface Schema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly const?: string;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly operationId: string;
          readonly requestBody: { readonly content: Content };
          readonly responses: { readonly 200: { readonly content: Content } };
        };
      }
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const root = join(import.meta.dirname, "../../../..");

suite("core/http/openapi/createOpenapi", (test) => {
  const handler: Handler = async () => undefined;
  const handlers = new Map([
    ...[...declarations.values()].map(
      ({ name, actions }) =>
        [name, Object.fromEntries(actions.map((action) => [action, handler]))] as const,
    ),
    ["data", { create: handler, get: handler }] as const,
    ["dataprovider", { create: handler, get: handler }] as const,
    ["hierarchy", { get: handler, update: handler }] as const,
  ]);
  const document = JSON.parse(
    JSON.stringify(createOpenapi({ handlers, declarations, url: "http://127.0.0.1:4000" })),
  ) as Document;
  const operations = Object.entries(document.paths).filter(([path]) => path.startsWith("/0.1.0/"));

  test("the API description has one operation, with an id of its own, per action of each resource and service", () => {
    const expected = [...handlers].flatMap(([name, offered]) =>
      Object.keys(offered).map((action) => `/0.1.0/${name}/${action}`),
    );
    assert.equal(operations.map(([path]) => path).toSorted(), expected.toSorted());
    const ids = operations.map(([, { post }]) => post.operationId);
    assert.is(new Set(ids).size, ids.length);
  });

  test("the API description lists only row formats for dataexport, and both row and picture formats for export", () => {
    const typesOf = (resource: "export" | "dataexport") => {
      const { properties } = operationOf(resource, "create", declarations)?.members ?? {};
      return JSON.stringify(properties);
    };
    for (const format of ["csv", "json"]) assert.match(typesOf("dataexport"), `"${format}"`);
    for (const format of ["svg", "pdf"]) {
      assert.not.match(typesOf("dataexport"), `"${format}"`);
      assert.match(typesOf("export"), `"${format}"`);
    }
  });

  test("the API description has types for warnings, `metadata_sync` and `update_metadata`, which are not members of records", () => {
    const text = (path: string) => JSON.stringify(document.paths[`/0.1.0/${path}`]);
    for (const path of ["account/create", "account/update", "account/validate", "plugin/create"])
      assert.match(text(path), '"warnings":{"type":"array","items":{"type":"string"}');
    for (const path of ["account/update", "securable/update"]) {
      assert.match(text(path), '"update_metadata":{"anyOf":[{"type":"boolean"}');
      assert.match(text(path), '"metadata_sync":{"type":"object"');
    }
    assert.not.match(text("account/create"), "update_metadata");
  });

  test("in the API description, every body has its action, a key and a token", () => {
    for (const [path, { post }] of operations) {
      const schema = post.requestBody.content["application/json"]?.schema;
      assert.is(schema?.properties["action"]?.const, path.split("/")[3]);
      assert.ok(schema?.required?.includes("key") && schema.required.includes("token"), path);
    }
  });

  test("the schema of a record contains no secrets", () => {
    for (const declaration of declarations.values()) {
      const name = declaration.name[0]?.toUpperCase() + declaration.name.slice(1);
      const shown = Object.keys(document.components.schemas[name]?.properties ?? {});
      assert.ok(shown.includes("id"), name);
      for (const [member, field] of Object.entries(declaration.fields))
        if (field.secret || field.hidden) assert.not(shown.includes(member), `${name}.${member}`);
    }
  });

  test("the body of `create` requires the members that the declaration of the resource requires", () => {
    const create =
      document.paths["/0.1.0/plugin/create"]?.post.requestBody.content["application/json"]?.schema;
    assert.equal(create?.properties["properties"]?.required, ["slug", "name", "base_url"]);
  });

  test("the API description lists every answer as JSON, and answers to data queries also as an Arrow stream", () => {
    for (const [path, { post }] of operations) {
      const types = Object.keys(post.responses[200].content);
      const arrow = path === "/0.1.0/data/get" ? ["application/vnd.apache.arrow.stream"] : [];
      assert.equal(types, ["application/json", ...arrow], path);
    }
  });

  test("the API description contains page sessions with their required header and errors", () => {
    const paths = document.paths["/auth/session"] as unknown as Readonly<
      Record<
        string,
        { parameters: readonly { name: string; required: boolean }[]; responses: object }
      >
    >;
    assert.equal(Object.keys(paths), ["post", "get", "delete"]);
    for (const { parameters, responses } of Object.values(paths)) {
      assert.equal(parameters[0], { ...parameters[0], name: "X-Manifold-Console", required: true });
      assert.equal(Object.keys(responses), ["200", "401", "403", "429", "default"]);
    }
  });

  test("the API description contains every path except those of pages and of self-describing protocols", () => {
    const elsewhere = [
      /^\/$/,
      /^\/(shared|chart-frame|assets|unsubscribe|scim)\b/,
      /^\/(embed\.js|editor\.js|metrics|mcp|openapi\.json)$/,
      /^\/0\.1\.0\/:resource$/,
    ];
    const mounted = readFileSync(join(root, "core/http/app.ts"), "utf8").matchAll(
      /router\s*\.(?:get|all|register)\(\s*"([^"]+)"/g,
    );
    const paths = [...new Set(Array.from(mounted, ([, path = ""]) => path))].filter((path) =>
      elsewhere.every((each) => !each.test(path)),
    );
    assert.ok(paths.length > 8, paths.join(" "));
    const described = new Set(Object.keys(document.paths));
    assert.equal(
      paths.filter((path) => !described.has(path.replaceAll(/:(\w+)/g, "{$1}"))),
      [],
    );
  });

  test("the API description contains the documented account actions, each with an id of its own", () => {
    const text = readFileSync(join(root, "docs/SIGN_ON.md"), "utf8");
    const table = text.slice(text.indexOf("| path | members | answer |"));
    const rows = table.slice(0, table.indexOf("\n\n")).split("\n").slice(2);
    const listed = rows.map((row) => `/auth/account/${row.split("|")[1]?.trim()}`);
    const described = Object.entries(document.paths).filter(([path]) =>
      path.startsWith("/auth/acc"),
    );
    assert.equal(
      described.map(([path]) => path),
      listed,
    );
    assert.is(new Set(described.map(([, { post }]) => post.operationId)).size, listed.length);
  });

  test("generating the API description fails for an action without a description", () => {
    assert.throws(
      () =>
        createOpenapi({
          handlers: new Map([["data", { delete: handler }]]),
          declarations,
          url: "",
        }),
      /delete of data/,
    );
  });
});
