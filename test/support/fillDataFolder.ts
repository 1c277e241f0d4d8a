import { findTestServer } from "./findTestServer.ts";
import { copyCatalog } from "./testServer.ts";

/**
 * Puts a catalog with its tables and nothing else into an empty data folder. A host on it skips the seconds of a first
 * start, and makes its own owner and secret.
 */
export async function fillDataFolder(dataDir: string): Promise<void> {
  const server = await findTestServer();
  await copyCatalog(server.dataDir, dataDir);
}
