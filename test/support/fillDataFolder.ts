import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findTestServer } from "./findTestServer.ts";
import { copyCatalog } from "./testServer.ts";

/**
 * Prepares an empty data folder with a secret and a catalog that contains only tables. A host on it skips the seconds
 * of a first start and creates its own owner.
 */
export async function fillDataFolder(dataDir: string): Promise<void> {
  const server = await findTestServer();
  await copyCatalog(server.dataDir, dataDir);
  await writeFile(join(dataDir, "secret"), randomBytes(32).toString("base64url"), { mode: 0o600 });
}
