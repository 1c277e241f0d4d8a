import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildCsvReader, buildKernels } from "../../../engine/kernels/build.ts";
import { findPackages } from "../../support/findPackages.ts";
import { suite } from "../../support/suite.ts";

const root = join(import.meta.dirname, "../../..");
const kernels = join(root, "engine/kernels");
const committed = readFileSync(join(kernels, "kernels.wasm"));
const csvReader = readFileSync(join(root, "plugins/rows/formats/csvReader.wasm"));

/**
 * A build takes eight seconds of processor time. The test therefore caches the digest of the last successful build, and
 * skips the build if the digest is the same.
 */
const cacheDir = join(root, "node_modules/.cache/manifold-tests");
const builtFile = join(cacheDir, "kernels.sha256");

/** Returns a digest of the module, its sources and the lock file of the compiler. */
function digestOf(): string {
  const hash = createHash("sha256");
  const files = readdirSync(kernels, { recursive: true, encoding: "utf8" })
    .filter((file) => /(\.(ts|wasm)|package-lock\.json)$/.test(file))
    .filter((file) => !file.includes("node_modules"))
    .toSorted()
    .map((file) => join(kernels, file));
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  hash.update(csvReader);
  return hash.digest("hex");
}

suite("engine/kernels/build", (test) => {
  test.deep("the committed modules equal a build of their sources, byte for byte", async () => {
    const digest = digestOf();
    const isBuilt = existsSync(builtFile) && readFileSync(builtFile, "utf8") === digest;
    if (isBuilt) return;
    await findPackages("assemblyscript");
    assert.ok(
      committed.equals(await buildKernels()),
      "kernels.wasm is older than its sources; run npm run kernels",
    );
    assert.ok(
      csvReader.equals(await buildCsvReader()),
      "csvReader.wasm is older than its sources; run npm run kernels",
    );
    mkdirSync(cacheDir, { recursive: true });
    writeFileSync(builtFile, digest);
  });

  test("the kernel module imports only a shared memory and writes no data to it", () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536, shared: true });
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(committed), {
      env: { memory },
    });
    assert.ok(Object.keys(exports).length > 100);
    assert.ok(new Uint8Array(memory.buffer).every((byte) => byte === 0));
  });
});
