import * as assert from "uvu/assert";
import { readHybrid } from "../../../engine/ingest/readHybrid.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20261125);

function putVarint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
}

/** Values, and their runs and packed groups as the specification has them. */
function encode(
  random: Random,
  width: number,
): { readonly values: readonly number[]; readonly bytes: Uint8Array } {
  const values: number[] = [];
  const bytes: number[] = [];
  const value = () => (width === 32 ? random.below(2 ** 32) : random.below(2 ** width)) | 0;
  for (let part = 0; part < 1 + random.below(5); part++) {
    if (random.chance(0.5)) {
      const count = 1 + random.below(300);
      const repeated = value();
      putVarint(bytes, count << 1);
      for (let shift = 0; shift < width; shift += 8) bytes.push((repeated >>> shift) & 255);
      values.push(...Array.from({ length: count }, () => repeated));
    } else {
      const groups = 1 + random.below(10);
      const packed = Array.from({ length: groups * 8 }, value);
      putVarint(bytes, (groups << 1) | 1);
      const bits = packed.flatMap((item) =>
        Array.from({ length: width }, (_, bit) => (item >>> bit) & 1),
      );
      for (let at = 0; at < bits.length; at += 8)
        bytes.push(bits.slice(at, at + 8).reduce((byte, bit, place) => byte | (bit << place), 0));
      values.push(...packed);
    }
  }
  return { values, bytes: Uint8Array.from(bytes) };
}

suite("engine/ingest/readHybrid", (test) => {
  test("reads runs and packed groups of every width", () => {
    for (let width = 0; width <= 32; width++)
      for (let index = 0; index < 20; index++) {
        const random = createRandom(seed + width * 100 + index);
        const { values, bytes } = encode(random, width);
        const output = new Int32Array(Math.max(0, values.length - random.below(8)));
        readHybrid(bytes, width, output);
        assert.equal(
          Array.from(output),
          values.slice(0, output.length),
          `SEED=${seed} width ${width}`,
        );
      }
  });

  test("refuses bytes that end before the values do, and more than 32 bits", () => {
    const { values, bytes } = encode(createRandom(seed), 7);
    for (let length = 0; length < bytes.length; length++)
      assert.throws(
        () => readHybrid(bytes.subarray(0, length), 7, new Int32Array(values.length)),
        /end too early/,
      );
    assert.throws(() => readHybrid(bytes, 33, new Int32Array(1)), /33 bits/);
    assert.throws(
      () => readHybrid(Uint8Array.of(255, 255, 255, 255, 255, 255), 1, new Int32Array(1)),
      /end too early/,
    );
  });
});
