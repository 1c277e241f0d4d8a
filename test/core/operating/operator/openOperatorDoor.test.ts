import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { requestHost, openOperatorDoor } from "../../../../core/operating/operator/index.ts";
import { messageOf } from "../../../../core/base/errors.ts";
import { silentLog } from "../../../support/testServer.ts";
import { suite } from "../../../support/suite.ts";

suite("core/operating/operator/openOperatorDoor", (test) => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-door-"));
  test.after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [length, name] of [
    ["short", "data"],
    ["long", "data-of-a-host-".repeat(12)],
  ] as const)
    test(`a command can call the host of a data folder with a ${length} path, and the host frees the response afterwards`, async () => {
      const dataDir = join(folder, name);
      mkdirSync(dataDir);
      assert.is(await requestHost(dataDir, "held"), undefined);
      let heldCount = 0;
      const open = () =>
        openOperatorDoor({
          dataDir,
          log: silentLog,
          requests: {
            held: async () => {
              heldCount++;
              return { answer: { text: "x".repeat(300_000) }, end: async () => void heldCount-- };
            },
            failing: () => Promise.reject(new Error("the disk is full")),
          },
        });
      const door = await open();
      assert.is(statSync(join(dataDir, "operator")).mode & 0o777, 0o700);
      const [one, other] = await Promise.all([
        requestHost(dataDir, "held"),
        requestHost(dataDir, "held"),
      ]);
      assert.equal(one?.answer, { text: "x".repeat(300_000) });
      assert.is(heldCount, 2);
      await one?.end();
      assert.is(heldCount, 1);
      const problemOf = (question: string) =>
        requestHost(dataDir, question).then(() => "nothing was refused", messageOf);
      assert.match(await problemOf("failing"), /the disk is full/);
      assert.match(await problemOf("constructor"), /does not know the request/);
      // The host stops while a command keeps the connection of its response open.
      await door?.close();
      assert.is(heldCount, 0);
      await other?.end();
      assert.is(await requestHost(dataDir, "held"), undefined);
      const again = await open();
      assert.ok(await requestHost(dataDir, "held"));
      await again?.close();
    });

  test("a host frees the response to a command when the command is killed", async () => {
    const dataDir = join(folder, "killed");
    mkdirSync(dataDir);
    const ended = Promise.withResolvers<void>();
    const door = await openOperatorDoor({
      dataDir,
      log: silentLog,
      requests: { held: async () => ({ answer: {}, end: async () => ended.resolve() }) },
    });
    const socket = connect(join(dataDir, "operator", "socket"));
    socket.write("held\n");
    await new Promise((resolve) => socket.once("data", resolve));
    socket.destroy();
    await ended.promise;
    await door?.close();
    assert.ok(true);
  });
});
