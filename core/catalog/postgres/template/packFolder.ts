import { chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import type { ServerUser } from "../runAs.ts";

/** A file of a packed folder; a folder if `sizeBytes` is absent. */
interface Entry {
  readonly path: string;
  readonly sizeBytes?: number;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Bytes before the list of entries: the length of the list. */
const headBytes = 4;

/**
 * Packs the files and folders of a folder whose paths in it pass `isKept`. No process may be changing them. The result
 * is compressed: 3 % of a new cluster, whose databases repeat each other.
 */
export async function packFolder(
  folder: string,
  isKept: (path: string) => boolean,
): Promise<Buffer> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((each) => ({ each, path: relative(folder, join(each.parentPath, each.name)) }))
    .filter(({ path }) => isKept(path))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const contents = found.map(({ each, path }) =>
    each.isDirectory() ? undefined : readFileSync(join(folder, path)),
  );
  const entries = found.map(({ path }, index): Entry => {
    const bytes = contents[index];
    return { path, ...(bytes && { sizeBytes: bytes.length }) };
  });
  const list = Buffer.from(JSON.stringify(entries));
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(list.length);
  const whole = Buffer.concat([head, list, ...contents.filter((bytes) => bytes !== undefined)]);
  return compress(whole, {
    pledgedSrcSize: whole.length,
    params: {
      [constants.ZSTD_c_compressionLevel]: 9,
      // The window must reach back to the previous database.
      [constants.ZSTD_c_windowLog]: 26,
    },
  });
}

/** Writes a packed folder into the empty folder `to`. Files get the mode 0600, and the owner `user`. */
export async function unpackFolder(
  packed: Buffer,
  to: string,
  user: ServerUser | undefined,
): Promise<void> {
  const whole = await decompress(packed, { params: { [constants.ZSTD_d_windowLogMax]: 26 } });
  let at = headBytes + whole.readUInt32LE();
  const entries: readonly Entry[] = JSON.parse(whole.toString("utf8", headBytes, at));
  for (const { path, sizeBytes } of entries) {
    const target = join(to, path);
    if (sizeBytes === undefined) mkdirSync(target, { mode: 0o700 });
    else writeFileSync(target, whole.subarray(at, (at += sizeBytes)), { mode: 0o600 });
    if (user) chownSync(target, user.uid, user.gid);
  }
}
