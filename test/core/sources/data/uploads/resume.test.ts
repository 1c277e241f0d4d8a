import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { eventually } from "../../../../support/eventually.ts";
import { rounds } from "../../../../support/layer.ts";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";
import {
  openUploader,
  uploaderOf,
  type Answered,
  type StoredDataset,
  type Uploader,
} from "./openUploader.ts";

const rowCount = 2_000;
const file = `city,fare\n${Array.from({ length: rowCount }, (_, row) => `c${row % 7},${row}\n`).join("")}`;
const sizeBytes = Buffer.byteLength(file);

/** Sends the bytes of a form up to an offset, and cuts the connection as soon as `received` resolves. */
async function cutAfter(
  uploader: Uploader,
  members: object,
  bytes: string,
  sentBytes: number,
  received: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const call = JSON.stringify({ key: uploader.key, token: uploader.token, ...members });
  const head = [
    "--b",
    'Content-Disposition: form-data; name="call"',
    "",
    call,
    "--b",
    'Content-Disposition: form-data; name="file"; filename="data.csv"',
    "",
    "",
  ].join("\r\n");
  const form = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from("\r\n--b--\r\n")]);
  const { hostname, port } = new URL(uploader.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const lines = [
    "POST /0.1.0/data HTTP/1.1",
    "Host: h",
    "Content-Type: multipart/form-data; boundary=b",
    `Content-Length: ${form.length}`,
  ];
  const sent = form.subarray(0, head.length + sentBytes);
  await new Promise<void>((resolve) => {
    socket.write(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), sent]), () =>
      resolve(),
    );
  });
  await received();
  socket.end();
  socket.destroySoon();
  await closed;
}

/** Asks how many bytes of an upload the host has. */
async function receivedOf(uploader: Uploader, requestId: string): Promise<Answered> {
  return uploader.call("data", {
    action: "create",
    request_id: requestId,
    properties: { type: "create", size_bytes: sizeBytes },
  });
}

suite("core/sources/data/uploads/resume", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-uploads-"));
  let uploader: Awaited<ReturnType<typeof openUploader>>;
  test.before(async () => {
    uploader = await openUploader({ dataDir });
  });
  test.after(async () => {
    await uploader.host.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("an upload that is cut at any byte continues where the host stopped receiving", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 2, deep: 12, soak: 50 }); round++) {
        const requestId = crypto.randomUUID();
        const properties = { type: "create", size_bytes: sizeBytes };
        const members = { action: "create", request_id: requestId, properties };
        let offset = 0;
        for (let cuts = random.below(4); cuts > 0 && offset < sizeBytes; cuts--) {
          const sentBytes = random.below(sizeBytes - offset + 1);
          const part = { ...members, properties: { ...properties, offset } };
          await cutAfter(uploader, part, file.slice(offset), sentBytes);
          const asked = await receivedOf(uploader, requestId);
          if (asked.status === 200) break;
          assert.is(asked.status, 409, asked.body.message);
          const received = asked.body.received_bytes ?? -1;
          assert.ok(received >= offset && received <= offset + sentBytes);
          offset = received;
        }
        const rest = { ...members, properties: { ...properties, offset } };
        const { status, body } = await uploader.send(rest, file.slice(offset));
        assert.is(status, 200, body.message);
        const [dataset] = body.rows as StoredDataset[];
        assert.is(dataset?.rows, rowCount);
        assert.is(dataset?.columns[1]?.["maximum"], rowCount - 1);
        // A repeated call returns the same answer without the file.
        const again = await receivedOf(uploader, requestId);
        assert.is(again.status, 200);
        assert.equal(again.body.rows, body.rows);
      }
    });
  });

  test("a call at another offset is told how many bytes the host has", async () => {
    const requestId = crypto.randomUUID();
    const properties = { type: "create", size_bytes: sizeBytes, offset: 7 };
    const members = { action: "create", request_id: requestId, properties };
    const { status, body } = await uploader.send(members, file.slice(7));
    assert.is(status, 409);
    assert.is(body.type?.code, "UPLOAD_OFFSET");
    assert.is(body.received_bytes, 0);
  });

  test("nobody else can continue an upload, or see how far it is", async () => {
    const requestId = crypto.randomUUID();
    const properties = { type: "create", size_bytes: sizeBytes };
    const members = { action: "create", request_id: requestId, properties };
    const progress = { action: "validate", request_id: requestId };
    const folder = join(dataDir, "uploads");
    const keptBytes = () =>
      readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    const before = keptBytes();
    // A busy host can notice a cut before it reads the first bytes, and then keeps none.
    await cutAfter(uploader, members, file, 1000, () =>
      eventually(() => keptBytes() > before, "the host has the first bytes"),
    );
    assert.is((await uploader.call("data", progress)).status, 200);
    const { body: made } = await uploader.call("authorization", {
      action: "create",
      properties: { type: "api" },
    });
    const { id, token } = made as unknown as { readonly id: string; readonly token: string };
    const other = uploaderOf(uploader.url, id, token);
    const asked = await receivedOf(other, requestId);
    assert.is(asked.body.received_bytes, 0);
    assert.is((await other.call("data", progress)).status, 404);
    const received = await receivedOf(uploader, requestId);
    assert.ok((received.body.received_bytes ?? 0) > 0);
  });

  test("the progress of an upload is readable while and after it is stored", async () => {
    const requestId = crypto.randomUUID();
    const properties = { type: "create", size_bytes: sizeBytes };
    const members = { action: "create", request_id: requestId, properties };
    const { status } = await uploader.send(members, file);
    assert.is(status, 200);
    const { body } = await uploader.call("data", { action: "validate", request_id: requestId });
    assert.equal(body, {
      state: "stored",
      received_bytes: sizeBytes,
      size_bytes: sizeBytes,
      rows: rowCount,
      share: 1,
    });
  });

  test("no file remains after an upload succeeds, fails or is cut", async () => {
    const folder = join(dataDir, "uploads");
    const before = readdirSync(folder).length;
    const create = { action: "create", properties: { type: "create" } };
    await uploader.send(create, file);
    await uploader.send(create, "a,b\n1\n");
    await cutAfter(uploader, create, file, 1000);
    await eventually(() => readdirSync(folder).length === before, "the spooled file is removed");
  });
});
