import * as assert from "uvu/assert";
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readHostSecret } from "../../../core/catalog/index.ts";
import { suite } from "../../support/suite.ts";

suite("core/catalog/hostSecret", (test) => {
  let dataDir: string;
  test.before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "manifold-secret-"));
  });
  test.after(() => rm(dataDir, { recursive: true, force: true }));

  test("a secret in the settings is used with any catalog", async () => {
    assert.is(
      await readHostSecret({ secret: "given", databaseUrl: "postgres://x/y", dataDir }),
      "given",
    );
    assert.equal(await readdir(dataDir), []);
  });

  test("a catalog that is not embedded requires a secret in the settings", async () => {
    const refusal = await readHostSecret({
      secret: undefined,
      databaseUrl: "postgres://u:canary@x/y",
      dataDir,
    }).catch((failure: Error) => failure.message);
    assert.match(refusal, /MANIFOLD_SECRET is required with DATABASE_URL/);
    assert.not.match(refusal, /canary/);
    assert.equal(await readdir(dataDir), []);
  });

  test("the embedded catalog gets one private secret, even if hosts start at the same time", async () => {
    const folder = join(dataDir, "new");
    const read = () =>
      readHostSecret({ secret: undefined, databaseUrl: undefined, dataDir: folder });
    const secrets = await Promise.all([read(), read(), read(), read()]);
    assert.is(new Set([...secrets, await read()]).size, 1);
    assert.is(Buffer.from(secrets[0] ?? "", "base64url").length, 32);
    assert.is((await stat(join(folder, "secret"))).mode & 0o777, 0o600);
    assert.equal(await readdir(folder), ["secret"]);
    assert.is(await readFile(join(folder, "secret"), "utf8"), secrets[0]);
  });

  test("a catalog that already exists gets no new secret", async () => {
    const folder = join(dataDir, "old");
    await mkdir(join(folder, "catalog"), { recursive: true });
    const read = (secret?: string) =>
      readHostSecret({ secret, databaseUrl: undefined, dataDir: folder });
    const refusal = await read().catch((failure: Error) => failure.message);
    assert.match(
      refusal,
      /has a catalog but no secret: set MANIFOLD_SECRET to the secret of earlier starts/,
    );
    assert.match(refusal, "openssl rand -base64 32");
    assert.equal(await readdir(folder), ["catalog"]);
    assert.is(await read("given"), "given");
  });
});
