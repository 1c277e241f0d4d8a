import { PluginError } from "../../plugins/protocol/index.ts";
import type { SqlSession } from "../../plugins/sql/index.ts";
import { detailsOf } from "./failure.ts";
import type { Settings } from "./settings.ts";

/** Settings as the server gives them to the user, before a statement has any of ours. */
export interface Profile {
  /** 0: the user may write; 1: it may change no setting; 2: it reads only. */
  readonly readonly: number;
  /** The deadline of a statement in seconds; 0 for none. */
  readonly deadlineS: number;
  /** The longest deadline that a statement may have set, in seconds. */
  readonly mostDeadlineS: number;
}

/** Settings without which an answer may be cut without a word, and their values that keep it whole. */
const whole: Settings = {
  timeout_overflow_mode: "throw",
  result_overflow_mode: "throw",
  read_overflow_mode: "throw",
  group_by_overflow_mode: "throw",
  sort_overflow_mode: "throw",
  distinct_overflow_mode: "throw",
  skip_unavailable_shards: 0,
  limit: 0,
  offset: 0,
};

/** Reads the profile of a session's user. A server that does not show its settings counts as one without limits. */
export async function readProfile(session: SqlSession, signal: AbortSignal): Promise<Profile> {
  const found = await readSettings(session, ["readonly", "max_execution_time"], signal);
  const [deadline, mode] = [found.get("max_execution_time"), found.get("readonly")];
  return {
    readonly: Number(mode?.value ?? 2),
    deadlineS: Number(deadline?.value ?? 0),
    mostDeadlineS: Number(deadline?.most ?? Infinity),
  };
}

/** Returns settings with the stricter deadline of the profile's and ours, and with its way to forbid writing. */
export function withinProfile(settings: Settings, timeoutMs: number, profile: Profile): Settings {
  const ours = Math.max(1, Math.ceil(timeoutMs / 1000));
  return {
    ...settings,
    readonly: profile.readonly === 0 ? 2 : profile.readonly,
    max_execution_time: Math.min(ours, profile.deadlineS || Infinity, profile.mostDeadlineS),
  };
}

/**
 * Returns which of the wanted settings have another value at the server, which a profile fixes.
 * @throws {PluginError} PLUGIN_INVALID where that lets the server cut answers without a word
 */
export async function fixedSettings(
  session: SqlSession,
  refused: Settings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names = Object.keys(refused);
  if (names.length === 0) return [];
  const found = await readSettings(session, names, signal);
  // A setting that the server does not know has no value.
  const fixed = names.filter(
    (name) => found.has(name) && found.get(name)!.value !== String(refused[name]),
  );
  const cutting = fixed.find((name) => Object.hasOwn(whole, name));
  if (cutting === undefined) return fixed;
  throw new PluginError("PLUGIN_INVALID", [
    `the settings profile of the user has ${cutting} = ${found.get(cutting)!.value}, which leaves rows out of answers ` +
      `without a word; set it to ${whole[cutting]}, or let the user change it`,
  ]);
}

async function readSettings(
  session: SqlSession,
  names: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, { readonly value: string; readonly most: string | null }>> {
  const listed = names.map((name) => `'${name}'`).join(", ");
  const text = `select name, value, max from system.settings where name in (${listed})`;
  const found = new Map<string, { readonly value: string; readonly most: string | null }>();
  try {
    for await (const rows of session.rows({ text, values: [] }, signal))
      for (const [name, value, most] of rows)
        found.set(String(name), {
          value: String(value),
          most: most === null ? null : String(most),
        });
  } catch (failure) {
    signal.throwIfAborted();
    if (detailsOf(failure).type !== "ACCESS_DENIED") throw failure;
  }
  return found;
}
