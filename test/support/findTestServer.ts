import { sharedServer } from "./sharedServer.ts";
import { openTestServer, type TestServer } from "./testServer.ts";

let server: Promise<TestServer> | undefined;

/** Finds the server of the run or, in a file that is run without the runner, starts one for this process. */
export function findTestServer(): Promise<TestServer> {
  return sharedServer.find?.("postgres") ?? (server ??= ownServer());
}

async function ownServer(): Promise<TestServer> {
  const own = await openTestServer();
  // Files of one process share the server; the process ends when nothing but it is left.
  process.once("beforeExit", () => void own.close());
  return own;
}
