import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as assert from "uvu/assert";
import type { Handler } from "../../../../core/base/contracts/index.ts";
import { createOpenapi } from "../../../../core/http/openapi/index.ts";
import { describedActions } from "../../../../core/http/openapi/operationOf.ts";
import { declarations } from "../../../../core/resources/index.ts";
import { findPackages } from "../../../support/findPackages.ts";
import { suite } from "../../../support/suite.ts";

/** The functions of `@redocly/openapi-core` that this test calls. */
interface Linter {
  createConfig(config: { readonly extends: readonly string[] }): Promise<unknown>;
  lintFromString(options: { readonly source: string; readonly config: unknown }): Promise<
    readonly {
      readonly ruleId: string;
      readonly severity: "error" | "warn";
      readonly message: string;
    }[]
  >;
}

suite("core/http/openapi: a public linter", (test) => {
  test.deep("the linter's recommended rules find no error in the API description", async () => {
    const handler: Handler = () => Promise.resolve(undefined);
    const handlers = new Map(
      [...describedActions(declarations)].map(([name, actions]) => [
        name,
        Object.fromEntries(actions.map((action) => [action, handler])),
      ]),
    );
    const document = JSON.parse(
      JSON.stringify(createOpenapi({ handlers, declarations, url: "https://host.example.org" })),
    ) as object;
    const packages = await findPackages("openapiLinter");
    const file = join(packages, "@redocly/openapi-core/lib/index.js");
    const linter: Linter = await import(pathToFileURL(file).href);
    const config = await linter.createConfig({ extends: ["recommended"] });
    const lint = async (described: object) =>
      linter.lintFromString({ source: JSON.stringify(described), config });
    const found = await lint(document);
    assert.equal(
      found.filter(({ severity }) => severity === "error").map(({ message }) => message),
      [],
    );
    // `default` describes every refusal, so operations list no 4XX.
    const warned = new Set(found.map(({ ruleId }) => ruleId));
    assert.equal([...warned], ["operation-4xx-response"]);
    const rules = new Set(
      (await lint({ ...document, security: undefined })).map((each) => each.ruleId),
    );
    assert.ok(rules.has("security-defined"));
  });
});
