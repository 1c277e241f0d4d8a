import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createOpenapi } from "../core/http/openapi/index.ts";
import { packageVersion } from "../core/base/process/index.ts";
import { declarations } from "../core/resources/index.ts";
import { formatVersion } from "../engine/files/frame.ts";
import { protocolVersions } from "../plugins/protocol/index.ts";
import { suite } from "./support/suite.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Reads a version number from the text of one of our files that does not export it. */
const written = (path: string, text: RegExp): string => text.exec(read(path))?.[1] ?? "nothing";

suite("versions", (test) => {
  test("docs/VERSIONS.md names the versions of the package, the API, the protocol and each format", () => {
    const document = JSON.stringify(createOpenapi({ handlers: new Map(), declarations, url: "" }));
    const api = /"version":"([\d.]+)"/.exec(document)?.[1];
    const rows = read("docs/VERSIONS.md").matchAll(/^\| ([\w ]+) \| ([^|]+) \| [^|]+ \|$/gm);
    const table = Object.fromEntries(Array.from(rows, ([, what, version]) => [what, version]));
    const expected = {
      package: packageVersion(),
      API: api,
      "plugin protocol": protocolVersions.join(", "),
      "files of the store": String(formatVersion),
      backups: written(
        "core/operating/backup/vault/openVault.ts",
        /^const formatVersion = (\d+);/m,
      ),
      "exported tenants": written(
        "core/operating/transfer/exportFolder.ts",
        /"manifold-tenant", version: (\d+)/,
      ),
    };
    for (const [what, version] of Object.entries(expected)) assert.is(table[what], version, what);
  });

  test("the host, the client and the OpenAPI description have the same API version", () => {
    for (const path of [
      "core/http/app.ts",
      "core/web/client/client.ts",
      "core/http/middleware/dispatch.ts",
    ])
      assert.match(read(path), /0\.1\.0/, path);
    assert.equal(
      [...read("core/http/app.ts").matchAll(/"\/(\d+\.\d+\.\d+)\//g)].map(([, found]) => found),
      ["0.1.0", "0.1.0", "0.1.0"],
    );
  });
});
