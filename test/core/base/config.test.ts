import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { flagOf, readConfig, settings } from "../../../core/base/config.ts";
import { suite } from "../../support/suite.ts";

suite("core/base/config", (test) => {
  test("settings that are not set have their default values", () => {
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

  test("settings passed in code take precedence over the environment", () => {
    const config = readConfig(
      { port: 0 },
      { MANIFOLD_PORT: "5000", MANIFOLD_EGRESS_ALLOW: "a:1, b ,," },
    );
    assert.is(config.port, 0);
    assert.equal(config.egressAllow, ["a:1", "b"]);
    assert.is(readConfig({}, { MANIFOLD_PORT: "5000" }).port, 5000);
  });

  test("the error for an invalid setting names its environment variable", () => {
    assert.throws(
      () => readConfig({}, { MANIFOLD_PORT: "http" }),
      /MANIFOLD_PORT must be a whole number/,
    );
    assert.throws(() => readConfig({}, { MANIFOLD_PORT: "65536" }), /MANIFOLD_PORT/);
    assert.throws(() => readConfig({}, { MANIFOLD_WORKERS: "0" }), /MANIFOLD_WORKERS/);
  });

  test("the ClickHouse settings require the URL of a server", () => {
    const url = "http://ada:canary@db:8123";
    const read = (environment: Readonly<Record<string, string>>) => readConfig({}, environment);
    const isStore = { MANIFOLD_STORE: "clickhouse" };
    assert.is(read({ ...isStore, MANIFOLD_CLICKHOUSE_URL: url }).clickhouseUrl, url);
    assert.throws(
      () => read(isStore),
      /MANIFOLD_STORE is clickhouse, so MANIFOLD_CLICKHOUSE_URL must be set/,
    );
    assert.is(read({ MANIFOLD_CLICKHOUSE_URL: url }).store, "strata");
    for (const [name, value] of [
      ["MANIFOLD_CLICKHOUSE_DATABASE", "m"],
      ["MANIFOLD_CLICKHOUSE_CLUSTER", "pair"],
      ["MANIFOLD_CLICKHOUSE_READER", "ada:canary"],
    ] as const) {
      const refusal = failureIn(() => read({ [name]: value }));
      assert.match(refusal, `${name} is set, so MANIFOLD_CLICKHOUSE_URL must be set`);
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
      assert.match(refusal, /MANIFOLD_CLICKHOUSE_URL must have the form/);
      assert.not.match(refusal, /canary/);
    }
    const several = `${url},http://ada:can,ary@other:8123`;
    const cluster = { MANIFOLD_CLICKHOUSE_URL: several, MANIFOLD_CLICKHOUSE_CLUSTER: "pair" };
    assert.is(read(cluster).clickhouseUrl, several);
    const refusal = failureIn(() => read({ MANIFOLD_CLICKHOUSE_URL: several }));
    assert.match(refusal, /names several servers; set MANIFOLD_CLICKHOUSE_CLUSTER/);
    assert.is(read({ MANIFOLD_CLICKHOUSE_URL: "http://ada:can,ary@db" }).store, "strata");
    const reader = { ...isStore, MANIFOLD_CLICKHOUSE_URL: url, MANIFOLD_CLICKHOUSE_READER: "ada" };
    assert.match(
      failureIn(() => read(reader)),
      /MANIFOLD_CLICKHOUSE_READER must have the form/,
    );
  });

  test("the sign-up setting must be open or closed", () => {
    const signUp = (MANIFOLD_SIGN_UP: string) => readConfig({}, { MANIFOLD_SIGN_UP }).signUp;
    assert.equal([signUp("open"), signUp("closed"), signUp("")], [true, false, false]);
    assert.is(readConfig({ signUp: true }, { MANIFOLD_SIGN_UP: "closed" }).signUp, true);
    for (const odd of ["yes", "OPEN", "1", "constructor", "__proto__"])
      assert.throws(() => signUp(odd), /MANIFOLD_SIGN_UP must be open or closed/);
  });

  test("the warm-up setting must be on or off, and is on by default", () => {
    const warmUp = (MANIFOLD_WARM_UP: string) => readConfig({}, { MANIFOLD_WARM_UP }).warmUp;
    assert.equal([warmUp("on"), warmUp("off"), warmUp("")], [true, false, true]);
    assert.throws(() => warmUp("maybe"), /MANIFOLD_WARM_UP must be on or off/);
  });

  test("mails come from the domain of the public URL, unless another sender is set", () => {
    const from = (MANIFOLD_PUBLIC_URL: string, MANIFOLD_MAIL_FROM?: string) =>
      readConfig({}, { MANIFOLD_PUBLIC_URL, MANIFOLD_MAIL_FROM }).mailFrom;
    assert.is(from("https://data.example.org:8443/a"), "manifold@data.example.org");
    for (const odd of ["", "http://127.0.0.1:4000", "http://[::1]:4000", "data"])
      assert.is(from(odd), "manifold@localhost", odd);
    assert.is(from("https://data.example.org", "A <a@example.org>"), "A <a@example.org>");
  });

  test("docs/SETTINGS.md lists every setting", () => {
    const page = readFileSync(new URL("../../../docs/SETTINGS.md", import.meta.url), "utf8");
    const variables = Object.values(settings).map(({ variable }) => variable);
    const lacking = variables.filter((variable) => !page.includes(`\`${variable}\``));
    assert.equal(lacking, []);
  });

  test("the comment on each setting states the same default as --help", () => {
    const source = readFileSync(new URL("../../../core/base/config.ts", import.meta.url), "utf8");
    for (const [member, { shownDefault }] of Object.entries(settings)) {
      const [, stated] =
        new RegExp(`@default (.*)\\n   \\*/\\n  readonly ${member}: `).exec(source) ?? [];
      // A setting with two values is a boolean for `openHost` and a word on the command line.
      const shown = { open: "true", on: "true", closed: "false", off: "false" }[shownDefault];
      assert.is(stated, shown ?? shownDefault, member);
    }
  });

  test("the flag of a setting is its name in kebab case", () => {
    assert.is(flagOf("dataDir"), "--data-dir");
    assert.is(flagOf("host"), "--host");
  });

  test("settings that contain secrets have no flag", () => {
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

  test("the setting for data sent to the model must be names, statistics or samples", () => {
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
