import * as assert from "uvu/assert";
import { type Config, readConfig } from "../../../../core/base/config.ts";
import type { ConnectionOverride } from "../../../../core/base/contracts/index.ts";
import { declarationOf } from "../../../../core/sources/connections/pluginProof.ts";
import { openConnections } from "../../../../core/sources/connections/index.ts";
import type { Capabilities, Plugin } from "../../../../plugins/protocol/index.ts";
import { serve, type Served } from "../../../../plugins/sdk/index.ts";
import { plantedPlugin } from "../../../plugins/conformance/plantedLiars.ts";
import { createMemoryRecords, type MemoryRecords } from "../../../support/memoryRecords.ts";
import { suite } from "../../../support/suite.ts";

const capabilities: Capabilities = { projection: true, order: true, limit: true };
const organizationId = "5a0d2c1e-7b1f-4c55-9a64-0f1f6f3a7c11";
const strata: Plugin = {
  capabilities: { write: true, temporary: true },
  datasets: async () => [],
  query: async () => ({ rowCount: 0, columns: [] }),
};

suite("core/sources/connections/createRemotes", (test) => {
  let served: Served;
  let records: MemoryRecords;
  let port: string;
  test.before(async () => {
    const plugin: Plugin = { ...plantedPlugin(), capabilities };
    served = await serve(plugin, { secret: "s", onError: () => {} });
    ({ port } = new URL(served.url));
  });
  test.after(() => served.close());
  test.beforeEach(async () => {
    records = createMemoryRecords();
    await records.insert("organization", { id: organizationId, signed_up: false });
    const remote = {
      slug: "p",
      baseUrl: served.url,
      protocolVersion: "manifold-1",
      pushdown: false,
      supportsDistinctcount: false,
    } as const;
    await records.insert("plugin", {
      id: "p1",
      slug: "p",
      base_url: served.url,
      organization_id: organizationId,
      protocol_version: "manifold-1",
      secret: "s",
      verification: "verified",
      check_report: { proved: ["rows", "projection", "order", "limit"] } as never,
      checked_declaration: declarationOf(remote, capabilities),
    });
    await records.insert("account", {
      id: "c1",
      provider: "p",
      plugin_id: "p1",
      user_id: "u1",
      active: true,
    });
  });

  /** Returns true if the plugin may receive order and limit; otherwise, the reason why it may not. */
  const orderTrust = async (pluginTrust: readonly string[], override?: ConnectionOverride) => {
    const egressAllow = ["127.0.0.1", "localhost", `127.0.0.1=${organizationId}`];
    const settings: Partial<Config> = { egressAllow, pluginTrust };
    const connections = await openConnections({
      config: readConfig(settings, {}),
      records,
      plugins: { plugins: new Map([["strata", strata]]), close: async () => {} },
    });
    try {
      const { isTrusted, mayOrder, orderRefusal } = await connections.ofAccount("c1", override);
      assert.is(isTrusted, false, "the host checks every answer over HTTP");
      assert.is(mayOrder === true, orderRefusal === undefined);
      return mayOrder ?? orderRefusal;
    } finally {
      await connections.close();
    }
  };
  const notTrusted =
    "plugins over HTTP receive order and limit only at an address that the operator trusts (MANIFOLD_PLUGIN_TRUST)";

  test("a verified plugin receives the order and limit of a query at an address that the operator trusts", async () => {
    assert.is(await orderTrust([]), notTrusted);
    for (const entry of [
      `127.0.0.1:${port}`,
      `http://127.0.0.1:${port}`,
      `http://127.0.0.1:${port}/`,
      `0x7f.1:${port}`,
      `127.0.0.1:${port}=${organizationId.toUpperCase()}`,
    ])
      assert.is(await orderTrust([entry]), true, entry);
    for (const entry of [
      "127.0.0.1:1",
      "http://127.0.0.1",
      `https://127.0.0.1:${port}`,
      `localhost:${port}`,
      `127.0.0.1:${port}=0b5c1f0e-3a52-4c1b-9d5a-6f1c2e7a8b90`,
    ])
      assert.is(await orderTrust([entry]), notTrusted, entry);
  });

  test("a plugin at a trusted address receives the order and limit of a query only while its check is valid", async () => {
    const unverified =
      "the operator trusts the address of the plugin, but the host has not verified the plugin; the plugin's owner can run its test action";
    const trusted = [`127.0.0.1:${port}`, `localhost:${port}`];
    for (const verification of ["unchecked", "failed"] as const) {
      await records.change("plugin", "p1", { verification });
      assert.is(await orderTrust(trusted), unverified);
    }
    await records.change("plugin", "p1", { verification: "verified" });
    assert.is(await orderTrust(trusted), true);
    // The check says nothing about the plugin at another address.
    const base_url = `http://localhost:${port}`;
    assert.is(await orderTrust(trusted, { base_url }), unverified);
    await records.change("plugin", "p1", { pushdown: true });
    assert.is(await orderTrust(trusted), unverified);
  });

  test("the reason why a plugin does not receive order and limit says which claim a check found wrong", async () => {
    await records.change("plugin", "p1", {
      verification: "failed",
      check_report: {
        proved: ["rows"],
        wrong: { limit: ["returns one row more than the limit"] },
      } as never,
    });
    assert.is(
      await orderTrust([`127.0.0.1:${port}`]),
      "the operator trusts the address of the plugin, but the conformance kit found its claim limit wrong: returns one row more than the limit; the plugin's owner can mend the plugin and run its test action again",
    );
  });

  test("for an organization that signed up itself, an address is trusted only by an entry with the organization's id", async () => {
    await records.change("organization", organizationId, { signed_up: true });
    assert.is(await orderTrust([`127.0.0.1:${port}`]), notTrusted);
    assert.is(await orderTrust([`127.0.0.1:${port}=${organizationId}`]), true);
  });

  for (const entry of [
    "plugins.example.com",
    "https://plugins.example.com/path",
    "ftp://plugins.example.com",
    "https://ada:pw@plugins.example.com",
    "*.example.com:443",
    "*",
    "10.0.0.0/8",
    "host:99999",
  ])
    test(`the host does not start with ${entry} in MANIFOLD_PLUGIN_TRUST`, async () => {
      const failure = await orderTrust([entry]).catch(String);
      assert.match(
        String(failure),
        /MANIFOLD_PLUGIN_TRUST contains .*, which must be host:port or an origin such as/,
      );
      assert.not.match(String(failure), "pw");
    });
});
