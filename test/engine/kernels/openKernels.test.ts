import assert from "node:assert/strict";
import { openKernels } from "../../../engine/kernels/openKernels.ts";
import { suite } from "../../support/suite.ts";

const openArena = (pageCount: number) =>
  new WebAssembly.Memory({ initial: pageCount, maximum: 65_536, shared: true });

/** Returns the names of all members in a tree that should be functions but are not. */
const missing = (tree: object, path: string): string[] =>
  Object.entries(tree).flatMap(([name, kernel]) => {
    if (typeof kernel === "function") return [];
    if (kernel !== null && typeof kernel === "object") return missing(kernel, `${path}.${name}`);
    return name === "0" ? [] : [`${path}.${name}`];
  });

suite("engine/kernels/openKernels", (test) => {
  test("every kernel in the interface exists in each of its widths", () => {
    assert.deepEqual(missing(openKernels(openArena(1)), "kernels"), []);
  });

  test("a kernel instance uses only its own arena", () => {
    const arenas = [openArena(1), openArena(2)];
    const [first, second] = arenas.map(openKernels);
    const [firstBytes, secondBytes] = arenas.map(({ buffer }) => new Uint8Array(buffer));
    firstBytes.fill(1, 0, 16);
    secondBytes.fill(0, 0, 16);
    first.notMask(0, 16, 64);
    second.notMask(0, 16, 64);
    assert.ok(firstBytes.subarray(64, 80).every((byte) => byte === 0));
    assert.ok(secondBytes.subarray(64, 80).every((byte) => byte === 1));
  });

  test("kernels accept addresses above 2 GiB", () => {
    const arena = openArena(40_000);
    const kernels = openKernels(arena);
    const values = 39_000 * 65_536;
    new Uint8Array(arena.buffer, values, 3).set([7, 0, 9]);
    kernels.decode[1](values, 3, 2, 1, values + 64);
    assert.deepEqual([...new Float64Array(arena.buffer, values + 64, 3)], [15, NaN, 19]);
  });

  test("opening kernels on memory that is not shared fails", () => {
    const unshared: WebAssembly.Memory = Reflect.construct(WebAssembly.Memory, [
      { initial: 1, maximum: 1 },
    ]);
    assert.throws(() => openKernels(unshared), { name: "LinkError" });
  });
});
