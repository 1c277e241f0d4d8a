import { PluginError } from "../../protocol/index.ts";
import { ReaderEnded } from "./openReader.ts";
import { ReaderFailure } from "./receivedFailure.ts";

/**
 * Converts the error of a reader to a `PluginError`. An error that the parser itself throws means that the data is
 * damaged.
 */
export function unreadable(thrown: unknown): unknown {
  if (thrown instanceof ReaderEnded)
    return new PluginError("PLUGIN_UNREADABLE", [thrown.message], { cause: thrown });
  if (!(thrown instanceof ReaderFailure)) return thrown;
  const reason = thrown.message.includes("call stack")
    ? "it is nested too deeply"
    : `it is damaged, or not of the type that its name says: ${thrown.message.slice(0, 200)}`;
  return new PluginError("PLUGIN_UNREADABLE", [reason], { cause: thrown });
}
