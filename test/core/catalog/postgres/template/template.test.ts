import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import * as assert from "uvu/assert";
import {
  openEmbeddedPostgres,
  type ServerAddress,
  writeTemplate,
} from "../../../../../core/catalog/index.ts";
import { migrations } from "../../../../../core/catalog/migrations/index.ts";
import { verifierPattern } from "../../../../../core/catalog/postgres/template/scramVerifier.ts";
import { unpackTemplate } from "../../../../../core/catalog/postgres/template/unpackTemplate.ts";
import { createTables } from "../../../../../core/jobs/index.ts";
import { findTestServer } from "../../../../support/findTestServer.ts";
import { rounds } from "../../../../support/layer.ts";
import { silentLog as log } from "../../../../support/silentLog.ts";
import { suite } from "../../../../support/suite.ts";

const run = promisify(execFile);
/** Runs share the template, whose name changes with its content. */
const cacheDir = join(import.meta.dirname, "../../../../../node_modules/.cache/manifold-tests");
const module = new URL("../../../../../core/catalog/index.ts", import.meta.url).href;

suite("core/catalog/postgres/template", (test) => {
  let template: string;
  const folders: string[] = [];
  test.before(async () => {
    template = await writeTemplate({ folder: cacheDir, log, fill: createTables });
  });
  test.after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });
  const newFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), "manifold-template-"));
    folders.push(folder);
    return folder;
  };
  const openIn = (dataDir: string, from = template) =>
    openEmbeddedPostgres({ dataDir, log, template: () => from });
  const ask = async (
    address: object,
    statement: string,
  ): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const client = new Client({ database: "manifold", ...address });
    await client.connect();
    return client.query(statement).then(
      async ({ rows }) => {
        await client.end();
        return rows;
      },
      async (failure: unknown) => {
        await client.end();
        throw failure;
      },
    );
  };
  const nonceIn = (control: Buffer) => {
    // The nonce is in front of the padding and the CRC, at the end of the file's content.
    const end = control.findLastIndex((byte) => byte !== 0) + 1;
    const crcAt = Math.ceil(end / 4) * 4 - 4;
    return { nonce: control.toString("hex", crcAt - 35, crcAt - 3), crcAt };
  };
  /** Opens a folder and reads its secrets. `use` gets the address of its server. */
  const secretsOf = async (
    dataDir: string,
    use: (address: ServerAddress) => Promise<void> = async () => undefined,
  ) => {
    const server = await openIn(dataDir);
    try {
      await use(server.address);
      const [row] = await ask(
        server.address,
        `select (select system_identifier::text from pg_control_system()) as identifier,
                (select rolpassword from pg_authid where rolpassword is not null) as verifier`,
      );
      const control = await readFile(join(dataDir, "catalog/global/pg_control"));
      const { nonce, crcAt } = nonceIn(control);
      const { identifier, verifier } = row ?? {};
      return { address: server.address, identifier, verifier, nonce, control, crcAt };
    } finally {
      await server.close();
    }
  };

  test("folders from one template differ in all secrets", async () => {
    const secretsIn = async (password: string) => {
      const folder = await newFolder();
      await unpackTemplate({ file: template, to: folder, user: undefined, password });
      const control = await readFile(join(folder, "global/pg_control"));
      const roles = await readFile(join(folder, "global/1260"), "latin1");
      const [verifier] = roles.match(verifierPattern) ?? [];
      return { identifier: control.toString("hex", 0, 8), nonce: nonceIn(control).nonce, verifier };
    };
    const [one, other] = [await secretsIn("one"), await secretsIn("other")];
    assert.ok(one.verifier);
    for (const member of ["identifier", "nonce", "verifier"] as const)
      assert.is.not(one[member], other[member]);
  });

  test.deep(
    "each server from one template has its own secrets and accepts only its own password",
    async () => {
      const other = await secretsOf(await newFolder());
      const one = await secretsOf(await newFolder(), async (address) => {
        assert.equal(await ask(address, "select 1 as one"), [{ one: 1 }]);
        await ask({ ...address, password: other.address.password }, "select 1").then(
          () => assert.unreachable(),
          (failure: Error) => assert.match(failure.message, /password authentication failed/),
        );
      });
      for (const member of ["identifier", "verifier", "nonce"] as const)
        assert.is.not(one[member], other[member]);
      assert.is.not(one.address.password, other.address.password);
      // A byte with 0 or 1 and three bytes of padding enclose the nonce, so it is the member that PostgreSQL reads.
      for (const { control, crcAt } of [one, other]) {
        assert.ok((control[crcAt - 36] ?? 2) <= 1);
        assert.equal([...control.subarray(crcAt - 3, crcAt)], [0, 0, 0]);
      }
    },
  );

  test.deep(
    "the template has the schema and the reference data of a catalog that initdb and the migrations created",
    async () => {
      const server = await findTestServer();
      const { address, close } = await openIn(await newFolder());
      const described = `
      select table_schema, table_name, column_name, data_type, column_default, is_nullable
        from information_schema.columns where table_schema in ('public', 'jobs') order by 1, 2, 3`;
      const counted = `
      select (select count(*)::int from country) as countries, (select count(*)::int from theme) as themes,
             (select array_agg(name) from migration) as steps, (select array_agg(version) from reference_version) as data,
             (select datcollate || datctype || datlocprovider::text || datlocale || encoding from pg_database
                where datname = current_database()) as texts, current_setting('data_checksums') as checksums`;
      try {
        const { host, port, user, password, template: database } = server;
        for (const statement of [described, counted])
          assert.equal(
            await ask(address, statement),
            await ask({ host, port, user, password, database }, statement),
          );
      } finally {
        await close();
      }
    },
  );

  test("a damaged template is an error that names the file, and leaves no partial cluster", async () => {
    const dataDir = await newFolder();
    const damaged = join(await newFolder(), "catalog-damaged.zst");
    await writeFile(damaged, await readFile(template));
    await truncate(damaged, 100_000);
    const refusal = await openIn(dataDir, damaged).then(
      async ({ close }) => void (await close()),
      (failure: Error) => failure.message,
    );
    assert.match(refusal ?? "", damaged);
    assert.equal((await readdir(dataDir)).toSorted(), ["catalog-lock", "catalog-password"]);
  });

  test.deep("a host that is killed while it unpacks the template starts again", async () => {
    const script = `
      const { openEmbeddedPostgres } = await import(${JSON.stringify(module)});
      const silent = () => undefined;
      const log = { info: silent, warn: silent, error: silent };
      const { DATA_DIR: dataDir, TEMPLATE: template, KILL_MS: killMs } = process.env;
      setTimeout(() => process.kill(process.pid, "SIGKILL"), Number(killMs));
      await openEmbeddedPostgres({ dataDir, log, template: () => template });
      process.kill(process.pid, "SIGKILL");
    `;
    for (const killMs of rounds({
      quick: [],
      deep: [20, 200, 600],
      soak: [20, 100, 200, 400, 600],
    })) {
      const dataDir = await newFolder();
      await run(process.execPath, ["--input-type=module", "-e", script], {
        env: { ...process.env, DATA_DIR: dataDir, TEMPLATE: template, KILL_MS: String(killMs) },
      }).then(
        () => assert.unreachable(),
        ({ signal }: { readonly signal?: string }) => assert.is(signal, "SIGKILL"),
      );
      const { address, close } = await openIn(dataDir);
      try {
        assert.equal(await ask(address, "select count(*)::int as steps from migration"), [
          { steps: migrations.length },
        ]);
      } finally {
        await close();
      }
      const left = (await readdir(dataDir)).filter((name) => name.startsWith("catalog.new"));
      assert.equal(left, []);
    }
  });
});
