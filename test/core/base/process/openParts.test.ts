import * as assert from "uvu/assert";
import { openParts } from "../../../../core/base/process/openParts.ts";
import { suite } from "../../../support/suite.ts";

suite("core/base/process/openParts", (test) => {
  test("parts of the host close once each, in reverse order, and every call of close waits until all parts are closed", async () => {
    const closed: string[] = [];
    const last = Promise.withResolvers<void>();
    const opened = await openParts(
      async (opening) => {
        opening.defer(() => void closed.push("first"));
        opening.defer(async () => {
          await last.promise;
          closed.push("second");
        });
        return { name: "parts" };
      },
      () => assert.unreachable(),
    );
    assert.is(opened.name, "parts");
    let endedCount = 0;
    const closings = [opened.close(), opened.close()].map((closing) =>
      closing.then(() => endedCount++),
    );
    assert.is(endedCount, 0);
    last.resolve();
    await Promise.all(closings);
    assert.equal(closed, ["second", "first"]);
  });

  test("if a part of the host fails to open, the parts before it are closed and the failure is thrown", async () => {
    const closed: string[] = [];
    const noted: unknown[] = [];
    const failure = new Error("the port is taken");
    const late = new Error("the pool did not close");
    const opening = openParts(
      async (parts) => {
        parts.defer(() => void closed.push("first"));
        parts.defer(() => Promise.reject(late));
        throw failure;
      },
      (closing) => noted.push(closing),
    );
    assert.is(await opening.catch((thrown: unknown) => thrown), failure);
    assert.equal(closed, ["first"]);
    assert.equal(noted, [late]);
  });

  test("if a part of the host fails to close, the other parts are still closed", async () => {
    const closed: string[] = [];
    const opened = await openParts(
      async (opening) => {
        opening.defer(() => void closed.push("first"));
        opening.defer(() => Promise.reject(new Error("the disk is full")));
        opening.defer(() => void closed.push("third"));
        return {};
      },
      () => assert.unreachable(),
    );
    const failure = await opened.close().catch((thrown: unknown) => thrown);
    assert.match(String(failure), "the disk is full");
    assert.equal(closed, ["third", "first"]);
  });
});
