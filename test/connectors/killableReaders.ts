import type { Credentials } from "../../plugins/protocol/index.ts";
import type { KillableServer } from "./faultEngine.ts";

/**
 * The reader processes of a file. A test can kill them as it would kill a server. The next statement starts a new
 * process.
 */
export function killableReaders(
  credentials: () => Credentials,
  pids: () => readonly number[],
): KillableServer {
  return {
    place: undefined,
    code: "PLUGIN_UNREADABLE",
    credentials,
    async kill() {
      for (const pid of pids()) process.kill(pid, "SIGKILL");
    },
    restart: async () => undefined,
    close: async () => undefined,
  };
}
