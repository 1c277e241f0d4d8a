import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as assert from "uvu/assert";
import {
  createPluginOpenapi,
  type JsonSchema,
  operations,
  schemaFiles,
  writeSchemas,
} from "../../../../deploy/npm/schemas/index.ts";
import { messages, operators, parseQuery } from "../../../../plugins/protocol/index.ts";
import { findPackages } from "../../../support/findPackages.ts";
import { suite } from "../../../support/suite.ts";

const root = join(import.meta.dirname, "../../../..");

/** The functions of `@redocly/openapi-core` that this test calls. */
interface Linter {
  createConfig(config: { readonly extends: readonly string[] }): Promise<unknown>;
  lintFromString(options: {
    readonly source: string;
    readonly config: unknown;
  }): Promise<readonly { readonly ruleId: string; readonly message: string }[]>;
}

/** Calls `visit` with every schema that has members. */
function visitObjects(value: unknown, path: string, visit: (path: string, of: JsonSchema) => void) {
  if (typeof value !== "object" || value === null) return;
  if ("properties" in value && "type" in value) visit(path, value as JsonSchema);
  for (const [key, each] of Object.entries(value)) visitObjects(each, `${path}/${key}`, visit);
}

suite("deploy/npm/schemas", (test) => {
  const files = schemaFiles();
  const openapi = createPluginOpenapi();

  test("every message has a JSON Schema that an independent validator compiles", () => {
    const written = [...files].filter(([name]) => name !== "openapi.json");
    assert.is(written.length, Object.keys(messages).length + 1);
    for (const [name, schema] of written) {
      const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
      assert.ok(ajv.compile(schema), name);
    }
  });

  test("every type, member and operation of the protocol has a description", () => {
    const missing: string[] = [];
    let memberCount = 0;
    visitObjects(openapi, "", (path, { properties = {} }) => {
      for (const [member, schema] of Object.entries(properties)) {
        memberCount++;
        if (!schema.description) missing.push(`${path}/${member}`);
      }
    });
    const { schemas } = openapi["components"] as { schemas: Record<string, JsonSchema> };
    for (const [name, { description }] of Object.entries(schemas))
      if (!description) missing.push(name);
    for (const { id, summary, description } of operations)
      if (!summary || !description) missing.push(id);
    assert.ok(memberCount > 100, String(memberCount));
    assert.equal(missing, []);
  });

  test("the schemas describe members in the words of the source comments, and state defaults separately", () => {
    const { $defs } = files.get("query-request.json") as { $defs: Record<string, JsonSchema> };
    const { properties } = $defs["QueryOptions"]!;
    assert.equal(properties?.["timezone_id"], {
      type: "string",
      description: "IANA name of the time zone in which datetimes are truncated.",
      default: "UTC",
    });
    assert.match($defs["Query"]?.description ?? $defs["QueryRequest"]!.description!, "query");
    assert.match($defs["Operator"]!.description!, "- `not in`: all other values");
    assert.equal($defs["Operator"]!["enum"], operators);
  });

  test("the schema of a query accepts nested filters and refuses malformed ones, as the SDK does", () => {
    const ajv = new Ajv2020({ strict: false });
    const validate = ajv.compile(files.get("query-request.json")!);
    const query = (filter: unknown) => ({
      id: "trips",
      columns: [{ column_id: "city" }],
      filters: [filter],
      options: { pushdown: false },
    });
    const test_ = { column_id: "km", expression: ">", value: [1] };
    const nested = { and: [test_, { or: [test_, { and: [] }] }] };
    const wrong = [
      { or: [{ column_id: "km", expression: "~" }] },
      { and: {} },
      { column_id: "km" },
      { ...test_, level: "decade" },
      { ...test_, value: 1 },
      { ...test_, value: [true] },
    ];
    for (const filter of [test_, nested]) {
      assert.ok(validate(query(filter)), JSON.stringify(validate.errors));
      parseQuery(query(filter));
    }
    for (const filter of wrong) {
      assert.not(validate(query(filter)), JSON.stringify(filter));
      assert.throws(() => parseQuery(query(filter)), /malformed/);
    }
  });

  test("the OpenAPI description has every route that the SDK serves to hosts of manifold-1", () => {
    const source = readFileSync(join(root, "plugins/sdk/serve.ts"), "utf8");
    const served = Array.from(
      source.matchAll(/router\.(get|post)\(\s*"([^"]+)"/g),
      ([, method, path]) => `${method} ${path}`,
    ).filter((route) => route !== "get /datasets");
    assert.equal(
      operations.map(({ method, path }) => `${method} ${path}`).toSorted(),
      served.toSorted(),
    );
  });

  test("the schema files are written to the folder that the package exports", () => {
    const folder = mkdtempSync(join(tmpdir(), "manifold-schemas-"));
    try {
      writeSchemas(folder);
      assert.equal(readdirSync(folder).toSorted(), [...files.keys()].toSorted());
      const text = readFileSync(join(folder, "openapi.json"), "utf8");
      assert.is(JSON.parse(text).openapi, "3.1.0");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    const { exports } = JSON.parse(readFileSync(join(root, "plugins/package.json"), "utf8"));
    assert.is(exports["./schemas/*.json"], "./schemas/*.json");
    const staging = readFileSync(join(root, "deploy/npm/stagePackages.ts"), "utf8");
    assert.match(staging, 'writeSchemas(join(plugin, "schemas"))');
  });

  test.deep(
    "the linter's recommended rules find no problem in the OpenAPI description",
    async () => {
      const packages = await findPackages("openapiLinter");
      const file = join(packages, "@redocly/openapi-core/lib/index.js");
      const linter: Linter = await import(pathToFileURL(file).href);
      const config = await linter.createConfig({ extends: ["recommended"] });
      const lint = async (document: unknown) =>
        (await linter.lintFromString({ source: JSON.stringify(document), config })).map(
          ({ ruleId, message }) => `${ruleId}: ${message}`,
        );
      assert.equal(await lint(openapi), []);
      const { security: _, ...open } = openapi;
      assert.match((await lint(open)).join("\n"), "security-defined");
    },
  );
});
