import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { isBuiltin } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Got } from "got";
import * as assert from "uvu/assert";
import {
  bundledDependencies,
  bundleDependencies,
  bundleOf,
  sharedDependencies,
} from "../../../deploy/npm/bundleDependencies.ts";
import { createSoftPasskey } from "../../support/softPasskey.ts";
import { suite } from "../../support/suite.ts";

const run = promisify(execFile);
const { dependencies }: { readonly dependencies: object } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8"),
);
const origin = "https://analytics.example.org";

suite("deploy/npm/bundleDependencies", (test) => {
  let place: string;
  let folder: string;
  test.before(async () => {
    place = mkdtempSync(join(tmpdir(), "manifold-bundled-"));
    folder = join(place, "bundled");
    // The bundles import some packages that users install.
    symlinkSync(join(import.meta.dirname, "../../../node_modules"), join(place, "node_modules"));
    await bundleDependencies(folder);
  });
  test.after(() => rmSync(place, { recursive: true, force: true }));
  const load = <Module>(name: string): Promise<Module> => import(join(folder, bundleOf(name)));

  test.deep("each bundle exports the same names as its package", async () => {
    for (const name of bundledDependencies) {
      const [bundled, original] = await Promise.all([load<object>(name), import(name)]);
      assert.equal(Object.keys(bundled).toSorted(), Object.keys(original).toSorted(), name);
    }
  });

  test.deep(
    "the bundles import only Node.js, each other and dependencies that users install",
    () => {
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
      const imports = files
        .filter((file) => file.endsWith(".js"))
        .flatMap((file) => {
          const text = readFileSync(join(folder, file), "utf8");
          return Array.from(
            text.matchAll(/^(?:import|export) [^"';]*?(?:from )?"([^"]+)";$/gm),
            ([, specifier = ""]) => specifier,
          );
        });
      assert.ok(imports.length > 10);
      const packages = imports.filter((name) => !name.startsWith(".") && !isBuiltin(name));
      assert.equal([...new Set(packages)].toSorted(), sharedDependencies);
      for (const name of sharedDependencies) assert.ok(name in dependencies, name);
    },
  );

  test.deep("no bundle names a folder of the machine that built it", () => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    for (const file of files.filter((each) => /\.(js|txt)$/.test(each))) {
      const text = readFileSync(join(folder, file), "utf8");
      assert.not.match(text, "#region", file);
      assert.not.match(text, join(import.meta.dirname, "../../.."), file);
    }
  });

  test.deep("the licences of all bundled packages are next to the bundles", () => {
    const licences = readFileSync(join(folder, "licences.txt"), "utf8");
    for (const name of [...bundledDependencies, "@peculiar/x509", "keyv", "d3-path", "luxon"])
      assert.match(licences, new RegExp(`^${name} \\d`, "m"), name);
  });

  test.deep(
    "the bundled passkey library accepts a passkey, and rejects a passkey for another challenge",
    async () => {
      const library = await load<typeof import("@simplewebauthn/server")>("@simplewebauthn/server");
      const options = await library.generateRegistrationOptions({
        rpName: "Manifold",
        rpID: "analytics.example.org",
        userName: "ada",
      });
      const created = createSoftPasskey(origin).create({ ...options });
      const verify = (expectedChallenge: string) =>
        library.verifyRegistrationResponse({
          response: created as unknown as RegistrationResponseJSON,
          expectedChallenge,
          expectedOrigin: origin,
          expectedRPID: "analytics.example.org",
        });
      assert.is((await verify(options.challenge)).verified, true);
      await verify("another").then(
        () => assert.unreachable(),
        (failure: unknown) => assert.match(String(failure), "challenge"),
      );
    },
  );

  test.deep("the bundled HTTP client decompresses answers and reports statuses", async () => {
    const server = createServer((request, response) => {
      if (request.url !== "/") return void response.writeHead(404).end();
      response.setHeader("Content-Encoding", "gzip").end(gzipSync('{"rows":3}'));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { default: got } = await load<{ readonly default: Got }>("got");
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      assert.equal(await got(url).json(), { rows: 3 });
      const failed: { readonly response?: { readonly statusCode: number } } = await got(
        `${url}/none`,
        { retry: { limit: 0 } },
      ).then(
        () => ({}),
        (failure: unknown) => failure as object,
      );
      assert.is(failed.response?.statusCode, 404);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test.deep("the bundled chart libraries return the same results as the packages", async () => {
    const program = (from: (name: string) => string) => `
      const { nice, ticks } = await import("${from("d3-array")}");
      const { utcTicks } = await import("${from("d3-time")}");
      const { format } = await import("${from("d3-format")}");
      const { hsl } = await import("${from("d3-color")}");
      const { interpolateRgb } = await import("${from("d3-interpolate")}");
      const { area, curveMonotoneX } = await import("${from("d3-shape")}");
      const { hierarchy, treemap } = await import("${from("d3-hierarchy")}");
      const tree = hierarchy({ children: [{ value: 3 }, { value: 1 }] }).sum((each) => each.value);
      console.log(JSON.stringify([
        nice(0.13, 9.7, 5), ticks(0, 1, 7), utcTicks(new Date(0), new Date(1e9), 5), format("~s")(12345),
        hsl("teal").darker(1).formatHex(), interpolateRgb("red", "blue")(0.3),
        area().curve(curveMonotoneX)([[0, 1], [2, 3], [4, 0]]),
        treemap().size([10, 10])(tree).leaves().map(({ x0, x1 }) => [x0, x1]),
      ]));
    `;
    const print = async (from: (name: string) => string) => {
      const flags = ["--input-type=module", "-e", program(from)];
      return (await run(process.execPath, flags, { cwd: import.meta.dirname })).stdout;
    };
    assert.is(await print((name) => join(folder, bundleOf(name))), await print((name) => name));
  });
});
