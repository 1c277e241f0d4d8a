import { randomBytes } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32c, pageBytes, pageChecksum, readChecksum, sealPage } from "./checksums.ts";
import { scramVerifier, verifierPattern } from "./scramVerifier.ts";

/** The first member of `pg_control` is the system identifier. */
const identifierBytes = 8;
/** The system identifier in the first page of a log segment (`XLogLongPageHeaderData.xlp_sysid`). */
const identifierInLogAt = 24;
/** The last members of `pg_control`: a nonce, three bytes of padding, and the CRC. */
const nonceBytes = 32;
const paddingBytes = 3;
/** `pg_control` without padding at its end is shorter than this. */
const mostControlBytes = 512;
/** The table `pg_authid`, which contains the passwords of all roles. */
const roles = "global/1260";

/**
 * Gives a stopped cluster its own secrets: the system identifier, by which PostgreSQL recognizes the log of a cluster;
 * the nonce for sign-in attempts of unknown roles; and the password of its only role, with a new salt. Each value is
 * replaced in place, where PostgreSQL's tools would have written it.
 * @throws {Error} if a file does not have the layout that this code knows. The cluster must then be deleted
 */
export async function renewSecrets(folder: string, password: string): Promise<void> {
  const identifier = randomBytes(identifierBytes);
  // PostgreSQL derives identifiers from the time, so the sign bit is never set.
  identifier[identifierBytes - 1] = (identifier.at(-1) ?? 0) & 0x7f;
  await renewControl(join(folder, "global/pg_control"), identifier);
  await renewLog(join(folder, "pg_wal"), identifier);
  await renewPassword(join(folder, roles), password);
}

async function renewControl(file: string, identifier: Buffer): Promise<void> {
  const control = await readFile(file);
  const crcAt = findCrc(control);
  identifier.copy(control);
  randomBytes(nonceBytes).copy(control, crcAt - paddingBytes - nonceBytes);
  control.writeUInt32LE(crc32c(control.subarray(0, crcAt)), crcAt);
  await writeFile(file, control);
}

/** Finds the CRC, which covers all bytes in front of it. Its place depends on the version of PostgreSQL. */
function findCrc(control: Buffer): number {
  for (let at = nonceBytes; at < mostControlBytes; at += 4)
    if (crc32c(control.subarray(0, at)) === control.readUInt32LE(at)) return at;
  throw new Error("the control file of the catalog's template has no checksum");
}

async function renewLog(folder: string, identifier: Buffer): Promise<void> {
  const segments = (await readdir(folder)).filter((name) => /^[0-9A-F]{24}$/.test(name));
  if (segments.length === 0) throw new Error("the catalog's template has no log");
  for (const segment of segments) {
    const file = join(folder, segment);
    const log = await readFile(file);
    identifier.copy(log, identifierInLogAt);
    await writeFile(file, log);
  }
}

async function renewPassword(file: string, password: string): Promise<void> {
  const table = await readFile(file);
  const verifier = await scramVerifier(password);
  let count = 0;
  for (let at = 0; at < table.length; at += pageBytes) {
    const page = table.subarray(at, at + pageBytes);
    const number = at / pageBytes;
    const found = [...page.toString("latin1").matchAll(verifierPattern)];
    if (found.length > 0 && readChecksum(page) !== pageChecksum(page, number))
      throw new Error("the roles of the catalog's template have no checksum");
    for (const { index } of found) page.write(verifier, index, "latin1");
    if (found.length > 0) sealPage(page, number);
    count += found.length;
  }
  if (count !== 1)
    throw new Error(`the catalog's template must contain one password, but contains ${count}`);
  await writeFile(file, table);
}
