import * as assert from "uvu/assert";
import { makeThreads } from "../../../core/cli/makeThreads.ts";
import { suite } from "../../support/suite.ts";

suite("core/cli/makeThreads", (test) => {
  const name = "UV_THREADPOOL_SIZE";
  const before = process.env[name];
  test.after(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });

  test("libuv gets twelve threads unless the environment sets a number", () => {
    delete process.env[name];
    makeThreads();
    assert.is(process.env[name], "12");
    process.env[name] = "5";
    makeThreads();
    assert.is(process.env[name], "5");
  });
});
