import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { folderDestination } from "../../../../../core/operating/backup/destination/folderDestination.ts";
import { openDestination } from "../../../../../core/operating/backup/destination/openDestination.ts";
import { openVault } from "../../../../../core/operating/backup/vault/openVault.ts";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { problemOf } from "../problemOf.ts";
import { suite } from "../../../../support/suite.ts";
import { bucketKeys, openBucket } from "../openBucket.ts";

const passphrase = "a passphrase of the tests";

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), "manifold-vault-"));
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

suite("core/operating/backup/vault/openVault", (test) => {
  test("a piece of a backup exists once its bytes are on the disk, and files of crashed writers are removed", async () => {
    const folder = makeFolder();
    try {
      const destination = openDestination(folder, {});
      const vault = await openVault({ destination, passphrase: undefined, isNew: true });
      const bytes = Uint8Array.of(1, 2, 3);
      const piece = await vault.keep(bytes);
      bytes.fill(9);
      assert.equal((await openVault({ destination, passphrase: undefined })).pieces(), new Set());
      assert.is(filesOf(folder).filter((file) => file.endsWith(".part")).length, 1);
      await vault.writeDocument("backups/one.json", {});
      assert.equal(
        (await openVault({ destination, passphrase: undefined })).pieces(),
        new Set([piece]),
      );
      assert.equal([...(await vault.find(piece))], [1, 2, 3]);
      assert.is(filesOf(folder).filter((file) => file.endsWith(".part")).length, 0);

      const [old, young] = ["old.part", "young.part"].map((name) => join(folder, "pieces", name));
      writeFileSync(old!, "old");
      writeFileSync(young!, "young");
      const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
      utimesSync(old!, twoDaysAgo, twoDaysAgo);
      await openVault({ destination, passphrase: undefined });
      assert.ok(existsSync(old!), "opening a vault for reading removes no file");
      await openVault({ destination, passphrase: undefined, isNew: true });
      assert.is(existsSync(old!), false);
      assert.ok(existsSync(young!));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("after a piece could not be written, every later step of its backup fails", async () => {
    const folder = makeFolder();
    try {
      const vault = await openVault({
        destination: openDestination(folder, {}),
        passphrase: undefined,
        isNew: true,
      });
      const keep = (number: number) => vault.keep(Uint8Array.of(number, 1));
      const named = createHash("sha256").update(Uint8Array.of(3, 1)).digest("hex");
      // A folder exists at the path at which the piece should be written.
      mkdirSync(join(folder, "pieces", named.slice(0, 2), named), { recursive: true });
      for (let number = 0; number < 64; number++) await keep(number);
      const later = (async () => {
        for (let number = 64; number < 200; number++) await keep(number);
      })();
      assert.match(await problemOf(later), /EISDIR|directory/);
      assert.match(
        await problemOf(vault.writeDocument("backups/one.json", {})),
        /EISDIR|directory/,
      );
      assert.is(existsSync(join(folder, "backups", "one.json")), false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  for (const given of [undefined, passphrase])
    test(`${given ? "an encrypted" : "an unencrypted"} vault returns the stored content, or an error if any byte changed`, async () => {
      const random = createRandom();
      const folder = makeFolder();
      try {
        await withSeed(random, async () => {
          const destination = openDestination(folder, {});
          const vault = await openVault({ destination, passphrase: given, isNew: true });
          const kept = new Map<string, Uint8Array>();
          for (const length of [0, 1, 1000, 70_000]) {
            const bytes = Uint8Array.from({ length }, () => random.below(256));
            const piece = await vault.keep(bytes, { isPacked: random.chance(0.5) });
            assert.is(await vault.keep(bytes), piece);
            kept.set(piece, bytes);
          }
          await vault.writeDocument("backups/one.json", { rows: 7, text: "canary" });
          const next = await openVault({ destination, passphrase: given });
          assert.equal(next.pieces(), new Set(kept.keys()));
          for (const [piece, bytes] of kept)
            assert.ok(Buffer.from(await next.find(piece)).equals(bytes), piece);
          assert.equal(await next.readDocument("backups/one.json"), { rows: 7, text: "canary" });
          for (const file of filesOf(folder)) {
            assert.is(statSync(file).mode & 0o777, 0o600, file);
            const isShown = readFileSync(file).includes("canary");
            assert.is(isShown, !given && file.endsWith("one.json"), file);
          }
          for (const [piece] of kept) {
            const file = filesOf(folder).find((each) => each.endsWith(piece)) ?? "";
            const bytes = readFileSync(file);
            const place = random.below(bytes.length);
            bytes[place] = (bytes[place] ?? 0) ^ (1 << random.below(8));
            writeFileSync(file, bytes);
            const problem = await problemOf(next.find(piece));
            // In the header of compressed bytes, some bits have no meaning.
            if (!given && problem === "nothing was refused")
              assert.ok(Buffer.from(await next.find(piece)).equals(kept.get(piece)!));
            else assert.match(problem, /damaged/);
          }
        });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });

  test("a destination opens only with its own passphrase, and a folder that is not a destination is refused", async () => {
    const [sealed, open, other] = [makeFolder(), makeFolder(), makeFolder()];
    const at = (folder: string, given?: string, isNew = false) =>
      openVault({ destination: openDestination(folder, {}), passphrase: given, isNew });
    try {
      await at(sealed, passphrase, true);
      await at(open, undefined, true);
      assert.match(await problemOf(at(sealed)), /is encrypted; set MANIFOLD_BACKUP_PASSPHRASE/);
      assert.match(await problemOf(at(sealed, "another passphrase")), /is not the passphrase/);
      assert.match(await problemOf(at(open, passphrase)), /is not encrypted/);
      assert.match(await problemOf(at(other)), /contains no backups/);
      assert.match(await problemOf(at(other, "short", true)), /at least 12 characters/);
      writeFileSync(join(open, "manifold-backups.json"), '{"format":2}');
      assert.match(await problemOf(at(open)), /format 2; this version of manifold reads format 1/);
    } finally {
      for (const folder of [sealed, open, other]) rmSync(folder, { recursive: true, force: true });
    }
  });

  test("a vault creates missing parent folders, and fails if a parent cannot contain folders", async () => {
    const folder = makeFolder();
    const destination = folderDestination(join(folder, "a", "b"));
    await destination.write("c/d", Buffer.from("e"));
    assert.is(String(await destination.read("c/d")), "e");
    if (process.platform !== "linux") return;
    const refused = folderDestination("/proc/no-such-process/backups");
    assert.match(await problemOf(refused.write("c/d", Buffer.from("e"))), /ENOENT.*mkdir/);
  });

  test("a backup to an S3 bucket works even with paged listings and failed requests", async () => {
    const bucket = await openBucket();
    const environment = {
      AWS_ACCESS_KEY_ID: bucketKeys.id,
      AWS_SECRET_ACCESS_KEY: bucketKeys.secret,
      AWS_REGION: bucketKeys.region,
      AWS_ENDPOINT_URL: bucket.url,
    };
    try {
      const destination = openDestination("s3://backups/of a host/é", environment);
      bucket.failures.push(503);
      const vault = await openVault({ destination, passphrase: undefined, isNew: true });
      const pieces: string[] = [];
      for (let piece = 0; piece < 8; piece++) {
        if (piece === 3) bucket.failures.push(500, 503);
        pieces.push(await vault.keep(Uint8Array.of(piece)));
      }
      const next = await openVault({ destination, passphrase: undefined });
      assert.equal(next.pieces(), new Set(pieces));
      assert.equal([...(await next.find(pieces[5] ?? ""))], [5]);
      await next.removePiece(pieces[5] ?? "");
      assert.match(await problemOf(next.find(pieces[5] ?? "")), /is incomplete/);
      assert.ok([...bucket.objects.keys()].every((key) => key.startsWith("of a host/é/")));
      const wrong = { ...environment, AWS_SECRET_ACCESS_KEY: "wrong" };
      const problem = await problemOf(
        openVault({ destination: openDestination("s3://backups/x", wrong), passphrase: undefined }),
      );
      assert.match(problem, /403 SignatureDoesNotMatch/);
      assert.not.match(problem, /wrong/);
      assert.throws(() => openDestination("s3://backups/x", {}), /AWS_ACCESS_KEY_ID/);
      assert.throws(() => openDestination("ftp://backups/x", {}), /folder or s3:/);
    } finally {
      await bucket.close();
    }
  });
});
