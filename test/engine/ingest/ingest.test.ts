import { Float64, Table, tableToIPC, vectorFromArray } from "apache-arrow";
import { parquetWriteBuffer } from "hyparquet-writer";
import * as assert from "uvu/assert";
import { EngineError } from "../../../engine/index.ts";
import { encodeJson } from "../../../engine/ingest/json/encodeJson.ts";
import { ingest, ingestFile, type IngestSource } from "../../../engine/ingest/ingest.ts";
import type { IngestTask } from "../../../engine/ingest/messages.ts";
import { runIngest } from "../../../engine/ingest/runIngest.ts";
import { BufferPool } from "../../../engine/memory/bufferPool.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { plainColumns } from "./plainEncode.ts";

const seed = Number(process.env["SEED"] ?? 20261122);
const bytesOf = (text: string) => new TextEncoder().encode(text);
/** Runs a task and clones its messages, as a pool does. */
const run = async (task: IngestTask) => structuredClone(await runIngest(structuredClone(task)));

/** Returns the cells of all batches, by column. */
async function ingested(request: IngestSource) {
  const { columns, batches } = await ingest(request, 2, run);
  const cells = columns.map((_, index) =>
    batches.flatMap((batch) => plainColumns(batch)[index].cells),
  );
  const types = batches.every(({ columns: each }) =>
    columns.every(
      ({ name, type }, index) => each[index].name === name && each[index].column.type === type,
    ),
  );
  assert.ok(types, "every batch has all columns, in the same order and with the same types");
  return { columns, cells, batchCount: batches.length };
}

async function refusal(request: IngestSource): Promise<EngineError> {
  const failure = await ingest(request, 2, run).then(
    () => new Error("not refused"),
    (error: unknown) => error,
  );
  if (failure instanceof EngineError) return failure;
  throw failure;
}

function randomRows(random: Random): readonly unknown[] {
  const isList = random.chance(0.5);
  const texts = ["a],[1", '"},{"', "],[", "}, {", "x", "\\", "2024-01-01", "é"];
  const kinds = Array.from({ length: 1 + random.below(4) }, () => random.below(4));
  return Array.from({ length: 1 + random.below(80) }, (_, row) => {
    const cells = kinds.map((kind) => {
      if (random.chance(0.2)) return null;
      if (kind === 0) return random.below(1000);
      if (kind === 1)
        return row < 40 ? "2024-01-31" : random.pick(["2024-01-31", "2024-01-31T00:00:00Z", 5]);
      if (kind === 2) return row < 50 ? random.below(9) : random.pick(texts);
      return random.pick(texts);
    });
    return isList
      ? cells
      : Object.fromEntries(
          cells.map((cell, index) => [`m${index}`, cell] as const).filter(() => random.chance(0.9)),
        );
  });
}

suite("engine/ingest/ingest", (test) => {
  test("JSON is encoded to the same columns in parts and as a whole, wherever it is cut", async () => {
    let cut = 0;
    for (let index = 0; index < rounds({ quick: 210, deep: 600 }); index++) {
      const random = createRandom(seed + index);
      const rows = randomRows(random);
      const text = JSON.stringify(rows, null, random.pick([0, 0, 1]));
      const bytes = bytesOf(`${random.pick(["", "\ufeff", " \n"])}${text}`);
      const about = `SEED=${seed + index} ${text.slice(0, 2_000)}`;
      let expected;
      try {
        expected = encodeJson(bytes);
      } catch (error) {
        assert.instance(error, EngineError);
        const { code, details } = error as EngineError;
        const found = await refusal({ format: "json", bytes, partBytes: 40 });
        assert.equal({ code: found.code, details: found.details }, { code, details }, about);
        continue;
      }
      const found = await ingested({ format: "json", bytes, partBytes: 10 + random.below(200) });
      const plain = plainColumns(expected);
      assert.equal(
        found.columns,
        plain.map(({ name, type, isDate }) => ({ name, type, isDate })),
        about,
      );
      assert.equal(
        found.cells,
        plain.map(({ cells }) => cells),
        about,
      );
      if (found.batchCount > 1) cut++;
    }
    assert.ok(cut > rounds({ quick: 60, deep: 200 }), `only ${cut} were split`);
  });

  test("an ingest into reused shared memory returns the same result as an ingest into new memory", async () => {
    const bufferPool = new BufferPool();
    let used = 0;
    const counted = async (task: IngestTask) => {
      const answer = await run(task);
      // A shared buffer that crosses threads becomes a new object over the same memory.
      if (answer.ok && task.buffer?.byteLength === answer.batches[0]?.buffer?.byteLength) used++;
      return answer;
    };
    for (let index = 0; index < rounds({ quick: 70, deep: 200 }); index++) {
      const random = createRandom(seed + index);
      const bytes = bytesOf(JSON.stringify(randomRows(random)));
      const partBytes = random.pick([2 ** 21, 60]);
      const expected = await ingest({ format: "json", bytes, partBytes }, 2, run).catch(
        () => undefined,
      );
      if (!expected) continue;
      const found = await ingest({ format: "json", bytes, partBytes, bufferPool }, 2, counted);
      // Another request arrives before the buffers of the first are returned.
      const other = await ingest(
        { format: "json", bytes: bytesOf('[["other",1]]'), bufferPool },
        2,
        run,
      );
      assert.equal(found.batches.map(plainColumns), expected.batches.map(plainColumns));
      assert.equal(found.columns, expected.columns);
      for (const { buffer } of [...found.batches, ...other.batches]) {
        assert.instance(buffer, SharedArrayBuffer);
        bufferPool.give(buffer as SharedArrayBuffer);
      }
    }
    assert.ok(used > rounds({ quick: 45, deep: 150 }), `only ${used} were reused`);
  });

  test("an error in a late part names its row and byte in the whole input", async () => {
    const rows = Array.from({ length: 1000 }, (_, row) => [row, "x"]);
    const whole = JSON.stringify(rows);
    const broken = whole.replace("[900,", "[90x,");
    const malformed = await refusal({ format: "json", bytes: bytesOf(broken), partBytes: 500 });
    assert.equal(
      [malformed.code, malformed.details[1]],
      ["INGEST_MALFORMED", broken.indexOf("90x") + 2],
    );
    const invalid = await refusal({
      format: "json",
      bytes: bytesOf(whole.replace("[900,", "[true,")),
      partBytes: 500,
    });
    assert.equal([invalid.code, invalid.details[0]], ["INGEST_CELL", 901]);
    const ragged = await refusal({
      format: "json",
      bytes: bytesOf(whole.replace('[900,"x"]', "[900]")),
      partBytes: 500,
    });
    assert.match(ragged.message, /row 901 has 1 cells, but the first row has 2/);
  });

  test("a row with a different number of cells is rejected, even in a later part", async () => {
    const rows = Array.from({ length: 100 }, (_, row) => (row < 50 ? [row, row] : [row]));
    assert.match(
      (await refusal({ format: "json", bytes: bytesOf(JSON.stringify(rows)), partBytes: 50 }))
        .message,
      /row 51 has 1 cells, but the first row has 2/,
    );
  });

  test("an ingest fails if its worker fails", async () => {
    const failure = await ingest({ format: "json", bytes: bytesOf("[[1]]") }, 2, async () => ({
      ok: false,
      code: "STORE_BUSY",
      details: [3],
    })).catch((error: unknown) => error);
    assert.ok(failure instanceof EngineError && failure.code === "STORE_BUSY");
  });

  test("the batches of a file arrive in order, before any later error is thrown", async () => {
    const file = parquetWriteBuffer({
      columnData: [
        {
          name: "n",
          type: "DOUBLE",
          data: Array.from({ length: 100 }, (_, row) => (row === 70 ? NaN : row)),
        },
      ],
      rowGroupSize: 10,
    });
    const seen: unknown[] = [];
    const read = async () => {
      for await (const batch of await ingestFile(
        { format: "parquet", bytes: new Uint8Array(file) },
        3,
        run,
      ))
        seen.push(...plainColumns(batch)[0].cells);
    };
    const failure = await read().catch((error: unknown) => error);
    assert.ok(failure instanceof EngineError && failure.details[0] === 71, String(failure));
    assert.equal(
      seen,
      Array.from({ length: 70 }, (_, row) => row),
    );
    const arrow = tableToIPC(
      new Table({ n: vectorFromArray([1, 2, 3], new Float64()) }).concat(
        new Table({ n: vectorFromArray([4], new Float64()) }),
      ),
      "stream",
    );
    assert.equal((await ingested({ format: "arrow", bytes: arrow })).cells, [[1, 2, 3, 4]]);
  });

  test("bytes that are not in the given format are rejected", async () => {
    for (const format of ["arrow", "parquet"] as const)
      for (const bytes of [
        new Uint8Array(0),
        bytesOf("hello, this is text and no file"),
        new Uint8Array(100),
      ])
        assert.is((await refusal({ format, bytes })).code, "INGEST_UNREADABLE", format);
  });
});
