import * as assert from "uvu/assert";
import { pino } from "pino";
import { openAct } from "../../core/openAct.ts";
import { suite } from "../support/suite.ts";

suite("core/openAct", (test) => {
  test("if a failed start cannot close a part of the host, the log names the part", async () => {
    const lines: string[] = [];
    const log = pino({}, { write: (line) => void lines.push(line) });
    const opened = openAct("the server", { log }, async (opening) => {
      opening.defer(() => {
        throw new Error("the door is stuck");
      });
      throw new Error("the port is taken");
    });
    const failure = await opened.then(
      () => undefined,
      (each: unknown) => each,
    );
    assert.instance(failure, Error);
    assert.match(String(failure), "the port is taken");
    assert.is(lines.length, 1);
    assert.match(lines[0] ?? "", "the server could not be closed after a failed start");
    assert.match(lines[0] ?? "", "the door is stuck");
  });
});
