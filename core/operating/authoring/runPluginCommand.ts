import { codeOf, messageOf } from "../../base/index.ts";
import type { PluginCommandIo } from "./commandIo.ts";
import { runBench } from "./runBench.ts";
import { runCheck } from "./runCheck.ts";
import { runDev } from "./runDev.ts";
import { runNew } from "./runNew.ts";

/** The help of `manifold plugin`, one string per line. */
export const pluginUsage = [
  "manifold plugin new NAME   writes a project with a plugin that passes the check; --kind rows, rest or sql [rows]",
  "    --name @SCOPE/NAME     the name of its package [NAME]; --folder FOLDER [NAME without its scope]",
  "manifold plugin dev FOLDER serves a plugin, reloads it on every change, and prints each query",
  "    --port N --slug SLUG   with MANIFOLD_KEY and MANIFOLD_TOKEN, registers it at the host of MANIFOLD_URL",
  "manifold plugin bench URL|FOLDER",
  "                           measures the response times of a plugin; --rounds N [20]",
  "manifold plugin check URL|FOLDER",
  "                           tests what a plugin claims; exits with 0 (passed), 1 (failed) or 2 (not checked)",
  "    --secret TEXT          the expected X-Secret; PLUGIN_SECRET keeps it out of the list of processes",
  "    --key, --host, --property ID=VALUE",
  "                           the credentials of a connection; also PLUGIN_KEY, and PLUGIN_TOKEN for the token",
  "    --protocol VERSION     detected by default; --pushdown and --distinctcount as in the plugin's record (1.0.0-3.0.0)",
  "    --seed N --queries N   the same seed sends the same queries [2000]",
  "    --rows N               checks datasets of at most N rows [5000]",
  "    --report FORM          text, html, json or junit; --output FILE writes it to a file",
  "    --badge FILE, --table FILE",
  "                           writes a badge (SVG), and a table for a README (Markdown)",
] as const;

/**
 * Runs `manifold plugin` and returns the exit status: 0 for success, 1 if the plugin has findings, or 2 if the command
 * could not be carried out.
 */
export async function runPluginCommand(
  [command, ...args]: readonly string[],
  io: PluginCommandIo,
): Promise<number> {
  try {
    if (command === "check") return await runCheck(args, io);
    if (command === "new") return await runNew(args, io);
    if (command === "dev") return await runDev(args, io);
    if (command === "bench") return await runBench(args, io);
    const given = command === undefined ? "nothing" : JSON.stringify(command);
    throw new Error(`plugin must be followed by new, dev, check or bench, not ${given}`);
  } catch (failure) {
    // The program names the option that was probably meant.
    if (codeOf(failure) === "ERR_PARSE_ARGS_UNKNOWN_OPTION") throw failure;
    io.note(`manifold: ${messageOf(failure)}`);
    return 2;
  }
}
