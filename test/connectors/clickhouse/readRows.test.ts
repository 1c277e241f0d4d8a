import { Readable } from "node:stream";
import * as assert from "uvu/assert";
import { readRows } from "../../../connectors/clickhouse/readRows.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const rows = [
  [1, "a"],
  ["Code: 1. DB::Exception: ]\n[", null],
  ["\r\n__exception__\r\n", 1.5],
  ["é😀", -0.1],
];
const body = rows.map((row) => `${JSON.stringify(row)}\n`).join("");

async function read(text: Buffer, cuts: readonly number[]): Promise<unknown[]> {
  const ends = [...cuts.toSorted((one, other) => one - other), text.length];
  const chunks = ends.map((end, index) => text.subarray(ends[index - 1] ?? 0, end));
  const found: unknown[] = [];
  const stream = Readable.from(chunks.filter(({ length }) => length > 0));
  const parse = (message: string) => new Error(`parsed ${message}`);
  for await (const block of readRows(stream, 1e6, parse)) found.push(...block);
  return found;
}

suite("connectors/clickhouse/readRows", (test) => {
  const random = createRandom();
  const cutsOf = (text: Buffer) =>
    Array.from({ length: random.below(6) }, () => random.below(text.length));

  test("a response is parsed into the same rows however it is split into chunks", () =>
    withSeed(random, async () => {
      const text = Buffer.from(body);
      for (let round = 0; round < 300; round++) assert.equal(await read(text, cutsOf(text)), rows);
    }));

  test("an error after any byte of the rows fails the query, in both of the server's error formats", () =>
    withSeed(random, async () => {
      const whole = Buffer.from(body);
      const messages = [
        "Code: 395. DB::Exception: too far. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO) (version 21.8)\n",
        "\r\n__exception__\r\nabcdefgh\nCode: 395. DB::Exception: too far.\n40 abcdefgh\r\n__exception__\r\n",
      ];
      for (let round = 0; round < 300; round++) {
        const text = Buffer.concat([
          whole.subarray(0, random.below(whole.length + 1)),
          Buffer.from(random.pick(messages)),
        ]);
        const failure = await read(text, cutsOf(text)).then(String, String);
        assert.match(failure, /^Error: parsed [^]*DB::Exception: too far/);
      }
    }));

  test("reading fails if the response ends in the middle of a row", async () => {
    const text = Buffer.from(body).subarray(0, -1);
    assert.match(await read(text, []).then(String, String), /^Error: parsed /);
  });

  test("a response is refused as soon as it exceeds the size limit", async () => {
    async function* endless() {
      for (;;) yield Buffer.from(body);
    }
    const stream = Readable.from(endless());
    const all = async () => {
      for await (const _ of readRows(stream, 1000, () => new Error()));
    };
    assert.match(await all().then(String, String), /PLUGIN_INVALID|more than 1000 bytes/);
  });
});
