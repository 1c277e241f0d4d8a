import * as assert from "uvu/assert";
import { openSignInFailures } from "../../../../core/identity/access/index.ts";
import type { Records } from "../../../../core/base/contracts/index.ts";
import { silentLog } from "../../../support/catalog.ts";
import { principalOf } from "../../../support/plainHost.ts";
import { suite } from "../../../support/suite.ts";

suite("core/identity/access/openSignInFailures", (test) => {
  test("failed sign-ins write at most one audit event per user per minute", async () => {
    const noted: unknown[] = [];
    const records = {
      transaction: (run: (transaction: unknown) => Promise<unknown>) => run({}),
      insertMany: (_: string, events: readonly { readonly record_id: string }[]) => {
        noted.push(...events.map(({ record_id }) => record_id));
        return Promise.resolve([]);
      },
    } as unknown as Pick<Records, "transaction" | "insertMany">;
    let nowMs = 1_000;
    const failures = openSignInFailures({ records, log: silentLog, now: () => nowMs });
    const [ada, ben] = [principalOf("ada"), principalOf("ben")];
    const note = (...people: (typeof ada)[]) =>
      failures.note(people, ["password"], { address: "192.0.2.1", requestId: "r" });
    note(ada);
    note(ada);
    nowMs += 59_999;
    note(ada, ben);
    nowMs += 1;
    note(ada, ben);
    await failures.close();
    assert.equal(noted, ["ada", "ben", "ada"]);
  });
});
