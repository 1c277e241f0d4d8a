import * as assert from "uvu/assert";
import { createGrants, openEgresses } from "../../../../core/sources/connections/index.ts";
import { readSources } from "../../../support/importGraph.ts";
import { createMemoryRecords } from "../../../support/memoryRecords.ts";
import { failureOf } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const named = "5a0d2c1e-7b1f-4c55-9a64-0f1f6f3a7c11";

suite("core/sources/connections/openEgresses", (test) => {
  test("an allow-list entry with an organization's id applies only to that organization", async () => {
    const records = createMemoryRecords();
    for (const id of ["o2", "o3", named]) await records.insert("organization", { id });
    records.link("user", "Organizations", "u2", "o2");
    records.link("user", "Organizations", "u3", named);
    const egressAllow = ["10.0.0.1", `10.0.0.2=${named}`];
    const grants = createGrants({
      config: { egressAllow, fileFolders: [], pluginTrust: [] },
      records,
    });
    const egresses = openEgresses({ grants, timeoutMs: 1_000, sizeBytes: 1_024 });
    try {
      const reached = async (egress: Awaited<ReturnType<typeof egresses.of>>) => {
        const found: string[] = [];
        for (const address of ["10.0.0.1", "10.0.0.2"]) {
          const answer = await egress.address(address, 80).catch(() => undefined);
          if (answer !== undefined) found.push(answer);
        }
        return found;
      };
      assert.equal(await reached(egresses.ofHost), ["10.0.0.1"]);
      assert.equal(await reached(await egresses.of("o1")), ["10.0.0.1"]);
      assert.equal(await reached(await egresses.ofUser("u1")), ["10.0.0.1"]);
      assert.equal(await reached(await egresses.ofUser("u3")), ["10.0.0.2"]);
      for (const id of ["o2", "gone", undefined, null])
        assert.equal(await reached(await egresses.of(id)), [], String(id));
      for (const id of ["u2", "gone", undefined])
        assert.equal(await reached(await egresses.ofUser(id)), [], String(id));
      assert.is(await egresses.of("o2"), await egresses.of("o3"));
      assert.is.not(await egresses.of("o1"), await egresses.of("o2"));
      const call = { method: "GET", url: "http://10.0.0.2/", headers: {} } as const;
      const { signal } = new AbortController();
      const failure = await failureOf((await egresses.of("o1")).call({ ...call, signal }));
      assert.is(failure.code, "PLUGIN_INVALID");
    } finally {
      egresses.close();
    }
  });

  test("only the modules in a fixed list open an egress without an organization", () => {
    const opening = [...readSources(["core", "plugins", "connectors"])]
      .filter(([, text]) => /\bopenEgress\(/.test(text))
      .map(([file]) => file);
    assert.equal(opening.toSorted(), [
      "core/operating/authoring/openTarget.ts",
      "core/sources/connections/egress.ts",
      "core/sources/connections/openEgresses.ts",
    ]);
  });
});
