import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findTestServer } from "./findTestServer.ts";
import { copyCatalog } from "./testServer.ts";

/**
 * Writes a secret and a catalog without records to an empty data folder. A host with this folder does not need the
 * seconds that a first start usually takes. It still creates its owner.
 */
export async function fillDataFolder(dataDir: string): Promise<void> {
  const server = await findTestServer();
  await copyCatalog(server.dataDir, dataDir);
  await writeFile(join(dataDir, "secret"), randomBytes(32).toString("base64url"), { mode: 0o600 });
}
