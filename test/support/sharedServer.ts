import type { TestServer } from "./testServer.ts";

/** The server that the processes of a run share; nothing in a file that is run without the runner. */
export const sharedServer: { find?: () => Promise<TestServer> } = {};
