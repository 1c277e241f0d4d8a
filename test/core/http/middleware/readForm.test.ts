import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { readForm } from "../../../../core/http/middleware/readForm.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const part = (head: string, body: string) =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
const callPart = part('name="call"', "{}");
const filePart = (body: string) => part('name="file"; filename="a.csv"', body);
const end = "--b--\r\n";

/** Sends a body in the given pieces. Resolves to what the form contains, or to the code and message of its failure. */
async function receive(pieces: readonly string[], type = "multipart/form-data; boundary=b") {
  const result = Promise.withResolvers<readonly string[]>();
  const server: Server = createServer((request) => {
    const read = async () => {
      const form = await readForm(request, { callBytes: 100, stallMs: 5000 });
      let content = "";
      for await (const chunk of form.file?.chunks ?? []) content += Buffer.from(chunk).toString();
      return [form.call.toString(), form.file?.name ?? "no file", content];
    };
    read()
      .catch((failure: { readonly code: string; readonly message: string }) => [
        failure.code,
        failure.message,
      ])
      .then(result.resolve, result.reject);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.setNoDelay(true);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  socket.write(
    `POST / HTTP/1.1\r\nHost: h\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
  );
  for (const piece of pieces) {
    socket.write(piece, "latin1");
    await new Promise((resolve) => setImmediate(resolve));
  }
  const found = await result.promise;
  socket.destroy();
  server.closeAllConnections();
  server.close();
  return found;
}

suite("core/http/middleware/readForm", (test) => {
  test("a form is the same however its bytes are divided", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const body = Array.from({ length: 200 }, () =>
        random.pick(["a", "\r\n", "--", "-b", "\n"]),
      ).join("");
      const form = `${callPart}${filePart(body)}${end}`;
      for (let round = 0; round < 10; round++) {
        const cuts = Array.from({ length: 5 }, () => random.below(form.length)).toSorted(
          (a, b) => a - b,
        );
        const pieces = [0, ...cuts].map((from, index) =>
          form.slice(from, cuts[index] ?? form.length),
        );
        assert.equal(await receive(pieces), ["{}", "a.csv", body]);
      }
    });
  });

  test("a form may lack a file", async () => {
    assert.equal(await receive([callPart, end]), ["{}", "no file", ""]);
  });

  test("wrong forms are refused with the reason", async () => {
    const cases = [
      [[filePart("x"), callPart, end], /call must come before the file/],
      [[filePart("x"), end], /call must come before the file/],
      [
        [callPart, part('name="data"; filename="a.csv"', "x"), end],
        /must be named file, not "data"/,
      ],
      [[callPart, part('name="file"', "x"), end], /needs a filename/],
      [[callPart, filePart("x"), filePart("y"), end], /more than (one file|two parts)/],
      [[callPart, callPart, end], /two parts named call/],
      [[part('name="call"', "x".repeat(200)), end], /larger than 100 bytes/],
      [[callPart, filePart("x")], /incomplete or malformed/],
      [["nothing"], /incomplete or malformed|no part named call/],
      [[end], /no part named call|incomplete or malformed/],
    ] as const;
    for (const [pieces, message] of cases) {
      const [code, text] = await receive(pieces);
      assert.match(code ?? "", /REQUEST_FORM_INVALID|REQUEST_TOO_LARGE/, pieces.join(""));
      assert.match(text ?? "", message);
    }
    const [code] = await receive([callPart, end], "multipart/form-data");
    assert.is(code, "REQUEST_FORM_INVALID");
  });
});
