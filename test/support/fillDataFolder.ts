import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findTestServer } from "./findTestServer.ts";
import { copyCatalog } from "./testServer.ts";

/**
 * Puts a catalog with its tables and nothing else into an empty data folder, and a secret of its own. A host on it
 * skips the seconds of a first start, and makes its own owner.
 */
export async function fillDataFolder(dataDir: string): Promise<void> {
  const server = await findTestServer();
  await copyCatalog(server.dataDir, dataDir);
  await writeFile(join(dataDir, "secret"), randomBytes(32).toString("base64url"), { mode: 0o600 });
}
