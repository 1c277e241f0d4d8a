import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import * as assert from "uvu/assert";
import { findPackages } from "../../../support/findPackages.ts";
import { openTestHost } from "../../../support/openTestHost.ts";
import { suite } from "../../../support/suite.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../../..");

/**
 * A program that uses only generated functions. It pushes rows, runs a query, reads records and the account, and makes
 * one call that is refused.
 */
const program = `
import { accountOverview, createData, createTag, getData, getSecurable, health } from "./generated";
import { client } from "./generated/client.gen";

const { URL = "", KEY: key = "", TOKEN: token = "" } = process.env;
client.setConfig({ baseUrl: URL });
const pair = { key, token, version: "0.1.0" as const };
const throwOnError = true as const;
const data = [["a", 1], ["a", 2]];
await createData({
  throwOnError,
  body: { ...pair, action: "create", properties: { type: "create", data, options: { header: ["text", "number"] } } },
});
const { data: found } = await getSecurable({
  throwOnError,
  body: { ...pair, action: "get", find: { where: { type: "dataset" }, include: [{ model: "Column" }] } },
});
const id: string = found.rows[0]?.id ?? "";
const columns = (found.rows[0] as { columns?: { id: string; type: string }[] })?.columns ?? [];
const of = (type: string) => ({ dataset_id: id, column_id: columns.find((each) => each.type === type)?.id });
const { data: answer } = await getData({
  throwOnError,
  body: { ...pair, action: "get", find: { dimensions: [of("hierarchy")], measures: [of("numeric")] } },
});
const rows: unknown = Array.isArray(answer) ? undefined : answer.data;
const { data: account } = await accountOverview({ throwOnError, body: { key, token } });
const refused = await createTag({ body: { ...pair, action: "create", properties: { tag: "" } } });
const { data: state } = await health({ throwOnError });
console.log(JSON.stringify([found.count, rows, account.has_password, refused.error?.type.code, state.status]));
`;

suite("core/http/openapi: a generated client", (test) => {
  test.deep(
    "the client generated from the API description compiles in strict mode, and can call the host",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "manifold-generated-"));
      const host = await openTestHost();
      try {
        symlinkSync(await findPackages("generatedClient"), join(folder, "node_modules"));
        const document = await fetch(`${host.url}/openapi.json`);
        writeFileSync(join(folder, "openapi.json"), await document.text());
        const generator = join(folder, "node_modules/.bin/openapi-ts");
        await run(generator, ["-i", "openapi.json", "-o", "generated"], { cwd: folder });
        writeFileSync(join(folder, "program.ts"), program);
        const compilerOptions = {
          strict: true,
          noEmit: true,
          target: "esnext",
          module: "esnext",
          moduleResolution: "bundler",
          lib: ["esnext", "dom", "dom.iterable"],
          types: ["node"],
          typeRoots: [join(root, "node_modules/@types")],
        };
        const config = JSON.stringify({ compilerOptions, include: ["program.ts", "generated"] });
        writeFileSync(join(folder, "tsconfig.json"), config);
        await run(join(root, "node_modules/.bin/tsc"), ["-p", folder]);
        const bundle = await rolldown({ input: join(folder, "program.ts"), platform: "node" });
        await bundle.write({ file: join(folder, "program.mjs"), format: "es" });
        await bundle.close();
        const { key = "", token = "" } = host.madeCredentials ?? {};
        const { stdout } = await run(process.execPath, [join(folder, "program.mjs")], {
          env: { ...process.env, URL: host.url, KEY: key, TOKEN: token },
        });
        assert.equal(JSON.parse(stdout), [
          1,
          [[{ id: "a", name: { en: "a" } }, 3]],
          false,
          "MEMBER_INVALID",
          "alive",
        ]);
      } finally {
        await host.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
