import { readFile } from "node:fs/promises";
import { messageOf } from "../../../base/index.ts";
import type { ServerUser } from "../runAs.ts";
import { unpackFolder } from "./packFolder.ts";
import { renewSecrets } from "./renewSecrets.ts";

export interface UnpackOptions {
  /** Path of the template. */
  readonly file: string;
  /** An empty folder. */
  readonly to: string;
  /** The owner of the files. Undefined means the current user. */
  readonly user: ServerUser | undefined;
  /** The password of the cluster's role. */
  readonly password: string;
}

/**
 * Unpacks a template into a folder, which then is a cluster with its own secrets. The files are not synced to the disk.
 * @throws {Error} naming the template if it is damaged. The folder must then be deleted
 */
export async function unpackTemplate({ file, to, user, password }: UnpackOptions): Promise<void> {
  try {
    await unpackFolder(await readFile(file), to, user);
    await renewSecrets(to, password);
  } catch (cause) {
    throw new Error(
      `the template of the catalog cannot be unpacked (${messageOf(cause)}); if it is damaged, delete ${file}, and the host will do without it`,
      { cause },
    );
  }
}
