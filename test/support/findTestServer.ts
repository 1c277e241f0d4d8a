import { sharedServer } from "./sharedServer.ts";
import { openTestServer, type TestServer } from "./testServer.ts";

let server: Promise<TestServer> | undefined;

/** Returns the run's PostgreSQL server. Without the runner, starts a server for this process. */
export function findTestServer(): Promise<TestServer> {
  return sharedServer.find?.("postgres") ?? (server ??= ownServer());
}

async function ownServer(): Promise<TestServer> {
  const own = await openTestServer();
  // Test files in one process share the server. The process can exit even while the server is running.
  process.once("beforeExit", () => void own.close());
  return own;
}
