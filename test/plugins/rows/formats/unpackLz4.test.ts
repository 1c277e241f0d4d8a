import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import {
  unpackLz4,
  unpackLz4Block,
  unpackLz4Frame,
} from "../../../../plugins/rows/formats/unpackLz4.ts";
import { packLz4Block, packLz4Frame } from "../../../files/packLz4Frame.ts";
import { createRandom } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

/** Blocks that were written by hand from the description of the format. */
const blocks: readonly (readonly [packed: readonly number[], unpacked: string])[] = [
  [[0x30, 97, 98, 99], "abc"],
  // Three literals, a match of 9 bytes that overlaps its copy, then the last literals.
  [[0x35, 97, 98, 99, 3, 0, 0x20, 100, 101], "abcabcabcabcde"],
  // A match of 19 bytes has a length of more than one byte.
  [[0x1f, 120, 1, 0, 0, 0x10, 121], `${"x".repeat(20)}y`],
  [[0xf0, 1, ...Buffer.from("0123456789abcdef")], "0123456789abcdef"],
];

suite("plugins/rows/formats/unpackLz4", (test) => {
  const hadoop = (parts: readonly (readonly [packed: readonly number[], unpacked: string])[]) =>
    Buffer.concat(
      parts.flatMap(([packed, unpacked]) => {
        const head = Buffer.alloc(8);
        head.writeUInt32BE(unpacked.length, 0);
        head.writeUInt32BE(packed.length, 4);
        return [head, Buffer.from(packed)];
      }),
    );

  test("blocks are unpacked with and without Hadoop's sizes", () => {
    for (const [packed, unpacked] of blocks) {
      const bytes = Uint8Array.from(packed);
      assert.is(Buffer.from(unpackLz4Block(bytes, unpacked.length)).toString(), unpacked);
      assert.is(Buffer.from(unpackLz4(bytes, unpacked.length)).toString(), unpacked);
    }
    const all = blocks.map(([, unpacked]) => unpacked).join("");
    assert.is(Buffer.from(unpackLz4(hadoop(blocks), all.length)).toString(), all);
  });

  test("a damaged block, or one of another size, is refused", () => {
    for (const [packed, unpacked] of blocks) {
      const bytes = Uint8Array.from(packed);
      for (const size of [0, unpacked.length - 1, unpacked.length + 1])
        assert.throws(() => unpackLz4(bytes, size), /not valid LZ4/);
      for (let length = 1; length < bytes.length; length++)
        assert.throws(() => unpackLz4(bytes.subarray(0, length), unpacked.length), /not valid/);
    }
    assert.throws(() => unpackLz4Block(Uint8Array.from([0x10, 97, 2, 0, 0x10, 98]), 6), /valid/);
    assert.throws(() => unpackLz4Block(Uint8Array.from([0x10, 97, 0, 0, 0x10, 98]), 6), /valid/);
  });

  test("a frame is unpacked with or without its size, checksums and compression", () => {
    const size = [5, 0, 0, 0, 0, 0, 0, 0];
    const block = [0x05, 0, 0, 0, 0x40, 97, 98, 97, 98];
    const plain = [0x04, 0, 0, 0x80, 97, 98, 97, 98];
    const frames: readonly (readonly [frame: readonly number[], unpacked: string])[] = [
      [[0x40, 0x40, 0, ...block, 0, 0, 0, 0], "abab"],
      [[0x4c, 0x40, ...size, 0, ...block, 0, 0, 0, 0, 1, 2, 3, 4], "abab"],
      [[0x50, 0x40, 0, ...block, 9, 9, 9, 9, 0, 0, 0, 0], "abab"],
      [[0x40, 0x40, 0, ...plain, ...block, 0, 0, 0, 0], "abababab"],
      // A match that begins in the block before.
      [[0x40, 0x40, 0, ...plain, 5, 0, 0, 0, 0x00, 4, 0, 0x10, 99, 0, 0, 0, 0], "ababababc"],
    ];
    for (const [frame, unpacked] of frames) {
      const bytes = Uint8Array.from([0x04, 0x22, 0x4d, 0x18, ...frame]);
      assert.is(Buffer.from(unpackLz4Frame(bytes, unpacked.length)).toString(), unpacked);
      for (const wrong of [unpacked.length - 1, unpacked.length + 1])
        assert.throws(() => unpackLz4Frame(bytes, wrong), /not a valid LZ4 frame/);
    }
  });

  test("a frame of linked blocks is unpacked, and every cut of it is refused", () => {
    const random = createRandom();
    for (let round = 0; round < 200; round++) {
      const bytes = Uint8Array.from({ length: random.below(400) }, () => random.below(3));
      const packed = packLz4Frame(bytes);
      assert.equal(unpackLz4Frame(packed, bytes.length), bytes);
      const cut = packed.subarray(0, random.below(packed.length));
      assert.throws(() => unpackLz4Frame(cut, bytes.length), /not a valid LZ4 frame/);
    }
  });

  test("random bytes never unpack to another size", () => {
    const random = createRandom();
    for (let round = 0; round < 3000; round++) {
      const bytes = Uint8Array.from({ length: random.below(30) }, () =>
        random.pick([0, 1, 0x10, 0xff, random.below(256)]),
      );
      try {
        assert.is(unpackLz4(bytes, 40).length, 40);
      } catch (failure) {
        assert.match(String(failure), /not valid LZ4/);
      }
    }
  });

  test.deep("each new process unpacks its first large block correctly", async () => {
    const random = createRandom();
    const text = Array.from({ length: 10_000 }, () =>
      Array.from({ length: 5 }, () =>
        random
          .below(2 ** 28)
          .toString(16)
          .padStart(7, "0"),
      ).join(""),
    ).join("\u0024\0\0\0");
    const folder = mkdtempSync(join(tmpdir(), "manifold-lz4-"));
    try {
      const file = join(folder, "block");
      writeFileSync(file, packLz4Block(Buffer.from(text)));
      const urlOf = (path: string) =>
        JSON.stringify(new URL(`../../../../${path}`, import.meta.url).href);
      // The mistake of V8 was found in the form that a bundler writes, which is that of the published package.
      const { rolldown } = await import("rolldown");
      const built = await rolldown({
        input: fileURLToPath(JSON.parse(urlOf("plugins/rows/formats/unpackLz4.ts"))),
        platform: "node",
      });
      await built.write({ file: join(folder, "unpackLz4.mjs"), format: "esm" });
      await built.close();
      const script = `
        import { readFileSync } from "node:fs";
        import { disableContextCells } from ${urlOf("core/base/process/disableContextCells.ts")};
        disableContextCells();
        const { unpackLz4Block } = await import(${JSON.stringify(join(folder, "unpackLz4.mjs"))});
        process.stdout.write(unpackLz4Block(readFileSync(${JSON.stringify(file)}), ${text.length}));`;
      for (let round = 0; round < 6; round++) {
        const args = ["--input-type=module", "--eval", script];
        const options = { env: { PATH: process.env["PATH"] }, maxBuffer: 2 ** 26 };
        assert.ok(execFileSync(process.execPath, args, options).toString() === text, `${round}`);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
