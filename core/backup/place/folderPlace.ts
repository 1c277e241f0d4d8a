import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Place } from "./place.ts";

const isMissing = (failure: unknown) =>
  failure instanceof Error && "code" in failure && failure.code === "ENOENT";

/** Ends the name of a file that is being written. */
const partExtension = ".part";

/** Backups in a folder, made when missing; folders and files are for their owner alone. */
export function folderPlace(path: string): Place {
  const root = resolve(path);
  const made = new Set<string>();
  const makeFolder = async (folder: string) => {
    if (made.has(folder)) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    made.add(folder);
  };
  return {
    title: root,
    async read(name) {
      try {
        return await readFile(join(root, name));
      } catch (failure) {
        if (isMissing(failure)) return undefined;
        throw failure;
      }
    },
    async write(name, bytes) {
      const file = join(root, name);
      const folder = dirname(file);
      await makeFolder(folder);
      const part = `${file}.${randomBytes(4).toString("hex")}${partExtension}`;
      const handle = await open(part, "wx", 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.datasync();
      } finally {
        await handle.close();
      }
      await rename(part, file);
      const opened = await open(folder, "r");
      try {
        await opened.sync();
      } finally {
        await opened.close();
      }
    },
    async list(folder) {
      const names: string[] = [];
      const walk = async (below: string) => {
        const entries = await readdir(join(root, below), { withFileTypes: true });
        for (const entry of entries) {
          const name = `${below}/${entry.name}`;
          if (entry.isDirectory()) await walk(name);
          else if (!entry.name.endsWith(partExtension)) names.push(name);
        }
      };
      await walk(folder).catch((failure: unknown) => {
        if (!isMissing(failure)) throw failure;
      });
      return names;
    },
    remove: (name) => rm(join(root, name), { force: true }),
  };
}
