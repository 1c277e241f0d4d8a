import { connect, createServer, type AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import {
  createClient,
  type Client,
  type UploadProgress,
} from "../../../../core/web/client/index.ts";
import type { Host } from "../../../../core/host.ts";
import { joinSharedHost } from "../../../support/joinSharedHost.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const rowCount = 6_000;
const file = `city,fare\n${Array.from({ length: rowCount }, (_, row) => `c${row % 7},${row}\n`).join("")}`;
const fileName = "trips.csv";

/** Opens a proxy that cuts its first connections after the given numbers of bytes. */
async function openCutter(target: string, cutBytes: number[]) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<{ destroy(): unknown }>();
  const server = createServer((client) => {
    const host = connect(Number(port), hostname);
    let left = cutBytes.shift() ?? Infinity;
    for (const socket of [client, host]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        client.destroy();
        host.destroy();
      });
    }
    client.on("data", (chunk: Buffer) => {
      const passed = chunk.subarray(0, left);
      left -= passed.length;
      if (left > 0) host.write(passed);
      else host.write(passed, () => client.destroy());
    });
    host.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

suite("core/web/client/uploadFile", (test) => {
  let host: Host;
  let client: Client;
  test.before(async () => {
    host = await joinSharedHost();
    client = createClient({ url: host.url, ...host.madeCredentials! });
  });
  test.after(() => host.close());

  test("a Blob, bytes and a stream are stored alike", async () => {
    const bytes = new TextEncoder().encode(file);
    for (const each of [new Blob([file]), bytes, new Blob([file]).stream()]) {
      const { rows } = await client.upload(each, { fileName });
      assert.is(rows[0]?.rows, rowCount);
      assert.equal(rows[0]?.name, { en: "trips" });
    }
  });

  test("an upload whose connection is cut several times continues by itself", async () => {
    const cutter = await openCutter(host.url, [10_000, 30_000, 5_000, 20_000]);
    try {
      const cutClient = createClient({
        url: cutter.url,
        ...host.madeCredentials!,
        // A busy host can notice a cut before it reads the bytes that arrived, and then keeps none.
        retryCount: 10,
        wait: async () => undefined,
      });
      const seen: UploadProgress[] = [];
      const { rows } = await cutClient.upload(new Blob([file]), {
        fileName,
        onProgress: (progress) => void seen.push(progress),
      });
      assert.is(rows[0]?.rows, rowCount);
      const last = seen.at(-1);
      assert.is(last?.state, "stored");
      assert.is(last?.rows, rowCount);
      assert.is(last?.receivedBytes, file.length);
    } finally {
      cutter.close();
    }
  });

  test("an upload that can never succeed rejects with the reason", async () => {
    const failure = await refused(
      client.upload(new Blob(["a,b\n1\n"]), { fileName, type: "create" }),
    );
    assert.is(failure.code, "FILE_UNREADABLE");
    assert.match(failure.message, /line 2 has 1 cell;/);
  });

  test("a preview sends only the start of a long text file", async () => {
    // A sample has 4 MiB. Few long rows are cheaper to read than many short ones.
    const lineCount = 4_500;
    const long = `n\n${`${"x".repeat(999)}\n`.repeat(lineCount)}`;
    const found = await client.previewFile<{
      readonly valid: boolean;
      readonly rows: readonly unknown[];
      readonly columns: readonly { readonly seen: { readonly rows: number } }[];
    }>(new Blob([long]), { fileName });
    assert.is(found.valid, true);
    assert.is(found.rows.length, 50);
    const seen = found.columns[0]?.seen.rows ?? 0;
    assert.ok(seen > 0 && seen < lineCount);
  });
});
