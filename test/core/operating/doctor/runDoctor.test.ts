import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { checkCatalog } from "../../../../core/operating/doctor/checks/checkCatalog.ts";
import { runDoctor } from "../../../../core/operating/doctor/index.ts";
import { openHost } from "../../../../core/host.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { testOptions, testSecret } from "../../../support/openTestHost.ts";
import { openSmtpSink } from "../../../support/smtpSink.ts";
import { suite } from "../../../support/suite.ts";

suite("core/operating/doctor/runDoctor", (test) => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-doctor-"));
  const dataDir = join(folder, "data");
  let catalog: TestCatalog | undefined;
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(async () => {
    await catalog?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = async (environment: Readonly<Record<string, string>> = {}) => {
    const lines: string[] = [];
    const status = await runDoctor([], {
      environment: {
        MANIFOLD_DATA_DIR: dataDir,
        DATABASE_URL: String(catalog?.databaseUrl),
        MANIFOLD_SECRET: testSecret,
        MANIFOLD_WORKERS: "1",
        MANIFOLD_MEMORY_MB: "256",
        ...environment,
      },
      write: (line) => void lines.push(line),
    });
    const text = lines.join("\n");
    assert.not(text.includes(testSecret));
    return { status, text };
  };

  test("the doctor checks both a running host and a stopped host without changing them", async () => {
    const { text: before } = await run();
    assert.match(before, /weak +disk +the folder .* does not exist/);
    const host = await openHost({
      ...testOptions,
      dataDir,
      databaseUrl: catalog?.databaseUrl,
      warmUp: false,
    });
    try {
      const { text } = await run();
      assert.match(text, new RegExp(`ok +host +runs at ${host.url}`));
      assert.match(text, /ok +host +store responds/);
      assert.match(text, /ok +secret +MANIFOLD_SECRET decrypts/);
      // The test server could lose data in a power cut.
      assert.match(text, /BAD +catalog +PostgreSQL runs with fsync off/);
      assert.match((await run({ MANIFOLD_SECRET: `${testSecret}!` })).text, /BAD +secret/);
    } finally {
      await host.close();
    }
    const names = readdirSync(dataDir, { recursive: true }).toSorted();
    const stopped = await run();
    assert.match(stopped.text, /ok +host +does not run/);
    assert.match(stopped.text, /ok +store +strata can be opened and has 0 datasets/);
    assert.is(stopped.status, 1);
    assert.equal(readdirSync(dataDir, { recursive: true }).toSorted(), names);
    const away = await run({
      MANIFOLD_STORE: "clickhouse",
      MANIFOLD_CLICKHOUSE_URL: "http://ada:canary@127.0.0.1:1",
    });
    assert.match(away.text, /BAD +host .*ClickHouse at 127\.0\.0\.1:1: the server refused/);
    assert.not.match(away.text, /canary/);
    const empty = join(folder, "empty");
    rmSync(empty, { recursive: true, force: true });
    assert.match((await run({ MANIFOLD_DATA_DIR: empty })).text, /not been started/);
  });

  test("the doctor reports each wrong setting with a fix", async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [
        { MANIFOLD_PUBLIC_ULR: "x" },
        /MANIFOLD_PUBLIC_ULR is set.*\n.*did you mean MANIFOLD_PUBLIC_URL\?/,
      ],
      [{ MANIFOLD_SECRET: "short" }, /weak +settings +MANIFOLD_SECRET has 5 characters/],
      [{ MANIFOLD_PUBLIC_URL: "http://data.example.com" }, /BAD .*are sent unencrypted/],
      [{ MANIFOLD_PUBLIC_URL: "nothing" }, /BAD .*must be a URL/],
      [
        { MANIFOLD_HOST: "0.0.0.0", MANIFOLD_PUBLIC_URL: "http://localhost" },
        /listens on 0\.0\.0\.0/,
      ],
      [{ MANIFOLD_AI_URL: "https://127.0.0.1:1/v1" }, /only one of MANIFOLD_AI_URL/],
      [
        { MANIFOLD_AI_URL: "https://127.0.0.1:1/v1", MANIFOLD_AI_MODEL: "m" },
        /127\.0\.0\.1 has a private address.*\n.*MANIFOLD_EGRESS_ALLOW/,
      ],
      [
        {
          MANIFOLD_AI_URL: "https://127.0.0.1:1/v1",
          MANIFOLD_AI_MODEL: "m",
          MANIFOLD_EGRESS_ALLOW: "127.0.0.1:1",
        },
        /BAD +model +127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/,
      ],
      [
        { MANIFOLD_AI_URL: "canary", MANIFOLD_AI_MODEL: "m" },
        /BAD +model +its address must be a URL/,
      ],
      [
        {
          MANIFOLD_SMS_URL: "https://canary:canary@127.0.0.1:1",
          MANIFOLD_EGRESS_ALLOW: "127.0.0.1:1",
        },
        /BAD +sms +127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/,
      ],
      [{ MANIFOLD_SMTP_URL: "smtp://u:canary@127.0.0.1:1" }, /BAD +mail .*ESOCKET|ECONNECTION/],
      [{ MANIFOLD_PUBLIC_URL: "https://127.0.0.1:1" }, /BAD +certificate .*ECONNREFUSED/],
      [
        { MANIFOLD_EGRESS_ALLOW: "nowhere.invalid" },
        /weak +egress +nowhere\.invalid .*does not resolve/,
      ],
      [{ MANIFOLD_MEMORY_MB: "9999999" }, /weak +machine +MANIFOLD_MEMORY_MB/],
      [{ MANIFOLD_WORKERS: "250" }, /weak +machine +MANIFOLD_WORKERS/],
      [
        {
          MANIFOLD_STORE: "clickhouse",
          MANIFOLD_CLICKHOUSE_URL: "http://ada:canary@127.0.0.1:1",
        },
        /weak +settings +MANIFOLD_CLICKHOUSE_READER is not set/,
      ],
      [{ MANIFOLD_SIGN_UP: "open" }, /weak .*can create an organization/],
    ];
    for (const [environment, problem] of cases) {
      // No host has been started in this folder, so the doctor does not open one.
      const { text } = await run({ ...environment, MANIFOLD_DATA_DIR: folder });
      assert.match(text, problem);
      assert.not(text.includes("canary"));
    }
  });

  test("the doctor reports a missing data folder as a host that was never started", async () => {
    const environment = {
      MANIFOLD_DATA_DIR: join(folder, "none"),
      MANIFOLD_RECOVERY_KEY: "canary",
      MANIFOLD_ACCOUNT_SALES_TOKEN: "canary",
    };
    const { text, status } = await run(environment);
    assert.is(status, 0, text);
    assert.match(text, /weak +disk +the folder .*none does not exist\n.*--data-dir/);
    assert.match(text, /has not been started/);
    assert.not.match(text, /not a setting of Manifold|canary/);
  });

  test("the doctor rates a working mail server as good, and a data folder open to other users as weak", async () => {
    const sink = await openSmtpSink();
    try {
      chmodSync(folder, 0o755);
      const { text } = await run({ MANIFOLD_SMTP_URL: sink.url, MANIFOLD_DATA_DIR: folder });
      assert.match(text, /ok +mail/);
      assert.match(text, /weak +disk +every user.*\n.*chmod 700/);
    } finally {
      await sink.close();
    }
  });

  test("the doctor detects clock skew, an outdated PostgreSQL and a database without free connections", async () => {
    const answer = (over: object) => ({
      version: 180_000,
      now: new Date(),
      fsync: "on",
      most: 100,
      used: 5,
      ...over,
    });
    const find = async (over: object) => {
      const knex = { raw: () => Promise.resolve({ rows: [answer(over)] }) };
      const diagnoses = await checkCatalog({ knex } as never);
      return diagnoses.map(({ check, state }) => `${check} ${state}`);
    };
    assert.equal(await find({}), ["catalog good", "clock good"]);
    assert.ok((await find({ now: new Date(Date.now() - 60_000) })).includes("clock bad"));
    assert.ok((await find({ version: 120_004 })).includes("catalog bad"));
    assert.ok((await find({ used: 95 })).includes("catalog weak"));
  });
});
