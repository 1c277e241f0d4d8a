import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import * as assert from "uvu/assert";
import { instantFormat } from "../../../core/exports/instantFormat.ts";
import { WrittenAnswer } from "../../../core/base/contracts/index.ts";
import { writeCsv } from "../../../core/exports/formats/writeCsv.ts";
import { writeParquet } from "../../../core/exports/formats/writeParquet.ts";
import { writeXlsx } from "../../../core/exports/formats/writeXlsx.ts";
import { TimeSlices } from "../../../core/base/process/index.ts";
import type { AnsweredTable, TableColumn } from "../../../core/queries/index.ts";
import { openFakeApp, type FakeApp } from "../../support/fakeApp.ts";
import { suite } from "../../support/suite.ts";

/** Number of rows of a table that fills many chunks in every format. */
const rowCount = 40_000;
const csv = { isRaw: true, instants: instantFormat("UTC") };
const xlsx = { isRaw: true, instants: instantFormat("UTC") };

/**
 * Creates a table of `rowCount` rows. If `failsAt` is given, reading that row fails when it is read for the
 * `readCount`th time.
 */
function tableOf(failsAt?: number, readCount = 1): AnsweredTable {
  const slices = new TimeSlices();
  let reads = 0;
  const text = (row: number) => {
    if (row === failsAt && ++reads === readCount)
      throw new Error("canary of a source that is gone");
    // All strings are different, so that many bytes remain after compression.
    return `${row * 7_919} ${(row * 104_729) % 1_000_003}`;
  };
  const column: TableColumn = {
    name: "text",
    type: "text",
    isDate: false,
    number: () => Number.NaN,
    text,
    id: text,
  };
  const tenant = { organization: "o", user: "u" };
  return {
    rowCount,
    warnings: [],
    columns: [column],
    inSlices: (chunks) => slices.each(tenant, chunks),
  };
}

const formats: Readonly<
  Record<string, (table: AnsweredTable) => AsyncIterable<string | Uint8Array>>
> = {
  csv: (table) => table.inSlices(writeCsv(table, csv)),
  xlsx: (table) => writeXlsx(table, xlsx),
  parquet: (table) => table.inSlices(writeParquet(table)),
};

suite("core/exports, files that fail", (test) => {
  let app: FakeApp;
  let chunks: () => AsyncIterable<string | Uint8Array>;
  test.before(async () => {
    const create = async () => new WrittenAnswer("application/octet-stream", chunks(), {});
    app = await openFakeApp({ handlers: new Map([["export", { create }]]) });
  });
  test.after(() => app.close());

  const receive = async () => {
    const outgoing = httpRequest(`${app.url}/0.1.0/export`, { method: "POST" });
    outgoing.end(JSON.stringify({ action: "create", key: "K", token: "T", properties: {} }));
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    let sizeBytes = 0;
    incoming.on("data", (chunk: Buffer) => (sizeBytes += chunk.length));
    incoming.on("error", () => undefined);
    await new Promise((resolve) => incoming.once("close", resolve));
    return { status: incoming.statusCode, isWhole: incoming.complete, sizeBytes };
  };

  // XLSX checks the lengths of all strings before its first byte, so each row is read twice.
  for (const [format, write] of Object.entries(formats))
    test(`a ${format} file is recognizably incomplete if its source fails near the end`, async () => {
      chunks = () => write(tableOf(rowCount - 5, format === "xlsx" ? 2 : 1));
      const cut = await receive();
      assert.equal([cut.status, cut.isWhole], [200, false]);
      assert.ok(cut.sizeBytes > 100_000, `${cut.sizeBytes} bytes`);
      chunks = () => write(tableOf());
      const whole = await receive();
      assert.equal([whole.status, whole.isWhole], [200, true]);
      assert.ok(whole.sizeBytes > cut.sizeBytes);
    });

  for (const [format, write] of Object.entries(formats))
    test(`a ${format} export whose source fails immediately returns an error`, async () => {
      chunks = () => write(tableOf(0));
      const { status, isWhole } = await receive();
      assert.equal([status, isWhole], [500, true]);
    });
});
