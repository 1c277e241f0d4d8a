import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { buildKernels } from "../../../engine/kernels/build.ts";
import { suite } from "../../support/suite.ts";

const committed = readFileSync(new URL("../../../engine/kernels/kernels.wasm", import.meta.url));

suite("engine/kernels/build", (test) => {
  test("the committed kernels.wasm is what its sources build to, byte by byte", async () => {
    assert.ok(
      committed.equals(await buildKernels()),
      "kernels.wasm is older than its sources: run npm run kernels",
    );
  });

  test("the module needs a shared memory and nothing else, and puts no data of its own into it", () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536, shared: true });
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(committed), {
      env: { memory },
    });
    assert.ok(Object.keys(exports).length > 100);
    assert.ok(new Uint8Array(memory.buffer).every((byte) => byte === 0));
  });
});
