import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { flagOf, readConfig, settings } from "../../../core/base/config.ts";
import { suite } from "../../support/suite.ts";

suite("core/base/config", (test) => {
  test("the defaults stand when nothing is given", () => {
    const config = readConfig({}, {});
    assert.is(config.host, "127.0.0.1");
    assert.is(config.port, 4000);
    assert.is(config.dataDir, ".manifold");
    assert.is(config.databaseUrl, undefined);
    assert.is(config.store, "strata");
    assert.equal(config.egressAllow, []);
    assert.is(config.publicUrl, "http://127.0.0.1:4000");
    assert.is(config.pluginTimeoutMs, 120_000);
    assert.is(config.pluginAnswerMb, 256);
    assert.is(config.callsPerSecond, 10);
    assert.is(config.callBurst, 200);
    assert.is(config.failuresPerMinute, 60);
    assert.is(config.proxyCount, 0);
    assert.is(config.signUp, false);
  });

  test("what is given comes before the environment", () => {
    const config = readConfig(
      { port: 0 },
      { MANIFOLD_PORT: "5000", MANIFOLD_EGRESS_ALLOW: "a:1, b ,," },
    );
    assert.is(config.port, 0);
    assert.equal(config.egressAllow, ["a:1", "b"]);
    assert.is(readConfig({}, { MANIFOLD_PORT: "5000" }).port, 5000);
  });

  test("a value that is not valid is refused with its variable's name", () => {
    assert.throws(
      () => readConfig({}, { MANIFOLD_PORT: "http" }),
      /MANIFOLD_PORT must be a whole number/,
    );
    assert.throws(() => readConfig({}, { MANIFOLD_PORT: "65536" }), /MANIFOLD_PORT/);
    assert.throws(() => readConfig({}, { MANIFOLD_WORKERS: "0" }), /MANIFOLD_WORKERS/);
  });

  test("settings of ClickHouse need a server", () => {
    const url = "http://ada:canary@db:8123";
    const read = (environment: Readonly<Record<string, string>>) => readConfig({}, environment);
    const isStore = { MANIFOLD_STORE: "clickhouse" };
    assert.is(read({ ...isStore, MANIFOLD_CLICKHOUSE_URL: url }).clickhouseUrl, url);
    assert.throws(() => read(isStore), /MANIFOLD_CLICKHOUSE_URL names no server/);
    assert.is(read({ MANIFOLD_CLICKHOUSE_URL: url }).store, "strata");
    for (const [name, value] of [
      ["MANIFOLD_CLICKHOUSE_DATABASE", "m"],
      ["MANIFOLD_CLICKHOUSE_CLUSTER", "pair"],
      ["MANIFOLD_CLICKHOUSE_READER", "ada:canary"],
    ] as const) {
      const refusal = failureIn(() => read({ [name]: value }));
      assert.match(refusal, `${name} is set, and MANIFOLD_CLICKHOUSE_URL names no server`);
      assert.not.match(refusal, /canary/);
    }
    for (const odd of [
      "db:8123",
      "ftp://db",
      "http://ada:canary@db:8123/m",
      "http://db?x=1",
      "canary",
    ]) {
      const refusal = failureIn(() => read({ ...isStore, MANIFOLD_CLICKHOUSE_URL: odd }));
      assert.match(refusal, /MANIFOLD_CLICKHOUSE_URL must be like/);
      assert.not.match(refusal, /canary/);
    }
    const several = `${url},http://ada:can,ary@other:8123`;
    const cluster = { MANIFOLD_CLICKHOUSE_URL: several, MANIFOLD_CLICKHOUSE_CLUSTER: "pair" };
    assert.is(read(cluster).clickhouseUrl, several);
    const refusal = failureIn(() => read({ MANIFOLD_CLICKHOUSE_URL: several }));
    assert.match(refusal, /names several servers, and MANIFOLD_CLICKHOUSE_CLUSTER no cluster/);
    assert.is(read({ MANIFOLD_CLICKHOUSE_URL: "http://ada:can,ary@db" }).store, "strata");
    const reader = { ...isStore, MANIFOLD_CLICKHOUSE_URL: url, MANIFOLD_CLICKHOUSE_READER: "ada" };
    assert.match(
      failureIn(() => read(reader)),
      /MANIFOLD_CLICKHOUSE_READER must be like/,
    );
  });

  test("sign-up is open or closed, and nothing else", () => {
    const signUp = (MANIFOLD_SIGN_UP: string) => readConfig({}, { MANIFOLD_SIGN_UP }).signUp;
    assert.equal([signUp("open"), signUp("closed"), signUp("")], [true, false, false]);
    assert.is(readConfig({ signUp: true }, { MANIFOLD_SIGN_UP: "closed" }).signUp, true);
    for (const odd of ["yes", "OPEN", "1", "constructor", "__proto__"])
      assert.throws(() => signUp(odd), /MANIFOLD_SIGN_UP must be open or closed/);
  });

  test("the warm-up is on or off, and on when nothing says so", () => {
    const warmUp = (MANIFOLD_WARM_UP: string) => readConfig({}, { MANIFOLD_WARM_UP }).warmUp;
    assert.equal([warmUp("on"), warmUp("off"), warmUp("")], [true, false, true]);
    assert.throws(() => warmUp("maybe"), /MANIFOLD_WARM_UP must be on or off/);
  });

  test("docs/SETTINGS.md names every setting", () => {
    const page = readFileSync(new URL("../../../docs/SETTINGS.md", import.meta.url), "utf8");
    const variables = Object.values(settings).map(({ variable }) => variable);
    const lacking = variables.filter((variable) => !page.includes(`\`${variable}\``));
    assert.equal(lacking, []);
  });

  test("flags are the members in kebab case", () => {
    assert.is(flagOf("dataDir"), "--data-dir");
    assert.is(flagOf("host"), "--host");
  });

  test("every secret is without a flag", () => {
    const secret = Object.entries(settings)
      .filter(([, setting]) => setting.secret)
      .map(([member]) => member);
    assert.equal(secret.toSorted(), [
      "aiKey",
      "clickhouseReader",
      "clickhouseUrl",
      "databaseUrl",
      "metrics",
      "secret",
      "secretNext",
      "secretPrevious",
      "smsUrl",
      "smtpUrl",
      "token",
    ]);
  });

  test("the model may be sent names, statistics or samples, and nothing else is a choice", () => {
    const sends = (MANIFOLD_AI_SENDS: string) => readConfig({}, { MANIFOLD_AI_SENDS }).aiSends;
    assert.equal([sends(""), sends("names"), sends("samples")], ["statistics", "names", "samples"]);
    for (const odd of ["all", "NAMES", "__proto__"])
      assert.throws(
        () => sends(odd),
        /MANIFOLD_AI_SENDS must be one of names, statistics, samples/,
      );
  });
});

function failureIn(run: () => unknown): string {
  try {
    run();
    return "nothing was thrown";
  } catch (failure) {
    return String(failure);
  }
}
