import * as assert from "uvu/assert";
import type { Grant } from "../../../../core/sources/connections/grants.ts";
import type { Egress, EgressAnswer } from "../../../../core/sources/connections/egress.ts";
import {
  type DeclaredRemote,
  openPluginVersions,
  type PluginVersions,
} from "../../../../core/sources/connections/openPluginVersions.ts";
import { PluginError } from "../../../../plugins/protocol/index.ts";
import { eventually } from "../../../support/eventually.ts";
import { suite } from "../../../support/suite.ts";

const declared: DeclaredRemote = {
  slug: "asked",
  baseUrl: "http://plugin.example.org",
  pushdown: false,
  supportsDistinctcount: false,
};
const grant = { key: "g", hosts: [] } as unknown as Grant;

suite("core/sources/connections/openPluginVersions", (test) => {
  let nowMs: number;
  let askedCount: number;
  let answer: () => Promise<EgressAnswer>;
  let versions: PluginVersions;
  const answers = (status: number, text = "") => {
    answer = async () => ({ status, text });
  };
  const fails = () => {
    answer = async () => {
      throw new PluginError("PLUGIN_SOURCE_FAILED", ["no connection"]);
    };
  };
  test.beforeEach(() => {
    nowMs = askedCount = 0;
    const egress: Egress = {
      sizeBytes: 1e6,
      async call() {
        askedCount += 1;
        return answer();
      },
      address: async () => "",
      close() {},
    };
    versions = openPluginVersions({ forGrant: () => egress }, () => nowMs);
  });
  test.afterEach(() => versions.close());
  const spoken = async (last?: "3.0.0" | "manifold-1") =>
    (await versions.open(declared, grant, last)).remote.protocolVersion;

  test("concurrent calls request a plugin's version once, and share the response for a minute", async () => {
    answers(200, '{"limit":true}');
    const opened = await Promise.all([spoken(), spoken()]);
    assert.equal(opened, ["manifold-1", "manifold-1"]);
    nowMs = 59_000;
    await spoken();
    assert.is(askedCount, 1);
    nowMs = 61_000;
    await spoken();
    assert.is(askedCount, 2);
  });

  test("the host notices an upgraded plugin while calls continue in the old protocol version", async () => {
    answers(404);
    assert.is(await spoken(), "3.0.0");
    answers(200, '{"limit":true}');
    nowMs = 299_000;
    assert.is(await spoken(), "3.0.0");
    assert.is(askedCount, 1);
    nowMs = 301_000;
    assert.is(await spoken(), "3.0.0", "this call does not wait for the question");
    await eventually(async () => (await spoken()) === "manifold-1", "the plugin was asked again");
    assert.is(askedCount, 2);
  });

  test("a plugin that went back to an older protocol version is called in that version", async () => {
    answers(200, '{"limit":true}');
    await spoken();
    answers(404);
    nowMs = 61_000;
    const { remote, answered } = await versions.open(declared, grant, "manifold-1");
    assert.equal([remote.protocolVersion, answered], ["3.0.0", "3.0.0"]);
  });

  test("if the request for its version fails, a plugin that is known to speak manifold-1 keeps that version", async () => {
    for (const fail of [fails, () => answers(500), () => answers(403, "no")]) {
      fail();
      const failure = await spoken("manifold-1").catch((thrown: unknown) => thrown);
      assert.instance(failure, PluginError);
    }
  });

  test("the host requests the version of an unreachable plugin again at the next call", async () => {
    fails();
    assert.is(await spoken(), "3.0.0");
    answers(200, '{"limit":true}');
    assert.is(await spoken(), "manifold-1");
  });

  test("after the host forgets a plugin, the next call requests the plugin's version", async () => {
    answers(404);
    await spoken();
    answers(200, '{"limit":true}');
    versions.forget(declared, grant);
    assert.is(await spoken(), "manifold-1");
  });

  test("if a plugin's record names the version, the host does not request the version", async () => {
    fails();
    const { remote } = await versions.open({ ...declared, protocolVersion: "2.0.0" }, grant);
    assert.is(remote.protocolVersion, "2.0.0");
    assert.is(askedCount, 0);
  });
});
