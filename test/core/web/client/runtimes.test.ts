import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { findPackages } from "../../../support/findPackages.ts";
import { findNode20 } from "../../../support/findNode20.ts";
import { layer, noteMissing } from "../../../support/layer.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { writeJavaScript } from "../../../support/writeJavaScript.ts";

const run = promisify(execFile);

const tags = ["a", "b", "c"];
const pdf = [37, 80, 68, 70, 0, 255];

/** Serves the script files of a folder, and responses to the calls of `useClient.js`. */
function openServer(folder: string) {
  return createServer((request, response) => {
    const path = request.url ?? "/";
    if (request.method === "GET") {
      const isScript = path.endsWith(".js");
      response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
      response.end(
        isScript ? readFileSync(join(folder, path)) : "<!doctype html><title>A page</title>",
      );
      return;
    }
    void json(request).then((body) => {
      const { find = {} } = body as { readonly find?: { readonly offset?: number } };
      const answerWith = (mediaType: string, answer: string | Uint8Array) =>
        void response.writeHead(200, { "Content-Type": mediaType }).end(answer);
      const { offset = 0 } = find;
      const rows = tags.slice(offset, offset + 2).map((tag) => ({ tag }));
      switch (path) {
        case "/0.1.0/tag":
          return answerWith("application/json", JSON.stringify({ count: tags.length, rows }));
        case "/0.1.0/export":
          return answerWith("application/pdf", Uint8Array.from(pdf));
        case "/0.1.0/aisummary":
          return answerWith("text/plain; charset=utf-8", "Köln leads.");
        case "/0.1.0/data":
          return answerWith(request.headers.accept ?? "", Uint8Array.from(pdf));
        case "/0.1.0/theme":
          return void response.writeHead(409).end('{"type":{"code":"CONFLICT"}}');
        default:
          // The client ends the other calls.
          return undefined;
      }
    });
  });
}

suite("core/web/client: runtimes", (test) => {
  let folder: string;
  let url: string;
  let server: ReturnType<typeof openServer>;
  test.before(async () => {
    if (layer === "quick") return;
    folder = mkdtempSync(join(tmpdir(), "manifold-runtimes-"));
    writeJavaScript(folder, ["core/web/client"]);
    copyFileSync(join(import.meta.dirname, "useClient.js"), join(folder, "useClient.js"));
    server = openServer(folder);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  test.after(() => {
    if (layer === "quick") return;
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const expected = {
    names: tags,
    file: pdf,
    text: "Köln leads.",
    pieces: pdf,
    refused: "CONFLICT",
    aborted: "ABORTED",
    timedOut: "TIMED_OUT",
    unreachable: "UNREACHABLE",
  };
  const checkIn = async (runtime: string, ...args: readonly string[]) => {
    const program = join(folder, "useClient.js");
    const { stdout } = await run(runtime, [...args, program, url], {
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    assert.equal(JSON.parse(stdout), expected);
  };

  test.deep("the client works in the Node.js of the tests and in Node 20", async () => {
    await checkIn(process.execPath);
    const node20 = findNode20();
    if (node20 === undefined) return noteMissing("Node 20, for core/web/client");
    await checkIn(node20);
  });

  test.deep("the client works in Deno and Bun", async () => {
    const packages = await findPackages("runtimes");
    const [deno] = globSync(join(packages, "@deno/*/deno"));
    const [bun] = globSync(join(packages, "@oven/*/bin/bun"));
    if (deno === undefined || bun === undefined)
      return noteMissing("Deno and Bun for this platform, for core/web/client");
    await checkIn(deno, "run", "--allow-net");
    await checkIn(bun);
  });

  test.deep("the client works in a browser", async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(url);
      const script = `import("/useClient.js").then(({ useClient }) => useClient(${JSON.stringify(url)}))`;
      assert.equal(await page.evaluate(script), expected);
    } finally {
      await browser.close();
    }
  });
});
