import { mock } from "node:test";
import * as assert from "uvu/assert";
import { openCallDeadline } from "../../../plugins/sql/openCallDeadline.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/sql/openCallDeadline", (test) => {
  const inMockTime = (run: () => void) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      run();
    } finally {
      mock.timers.reset();
    }
  };

  test("a call is aborted at its deadline, unless the deadline was lifted or the call has ended", () =>
    inMockTime(() => {
      const never = new AbortController().signal;
      const [query, scan, ended] = [1, 2, 3].map(() => openCallDeadline(never, 1000));
      scan?.lift();
      ended?.close();
      mock.timers.tick(999);
      assert.not.ok(query?.signal.aborted);
      mock.timers.tick(1);
      assert.ok(query?.signal.aborted);
      assert.is(query?.signal.reason.name, "TimeoutError");
      assert.not.ok(scan?.signal.aborted);
      assert.not.ok(ended?.signal.aborted);
    }));

  test("a call without a deadline still ends with its caller", () => {
    const caller = new AbortController();
    const deadline = openCallDeadline(caller.signal, 1000);
    deadline.lift();
    caller.abort(new Error("the caller left"));
    assert.ok(deadline.signal.aborted);
    assert.is(deadline.signal.reason.message, "the caller left");
  });
});
