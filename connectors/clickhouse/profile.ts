import { PluginError } from "../../plugins/protocol/index.ts";
import type { SqlSession } from "../../plugins/sql/index.ts";
import { detailsOf } from "./failure.ts";
import type { Settings } from "./settings.ts";

/** The user's settings on the server, before the connector changes any of them. */
export interface Profile {
  /**
   * 0: the user can write. 1: the user can only read, and cannot change settings. 2: the user can only read, but can
   * change settings.
   */
  readonly readonly: number;
  /** Deadline of a statement in seconds; 0 means no deadline. */
  readonly deadlineS: number;
  /** Longest deadline that a statement can set, in seconds. */
  readonly mostDeadlineS: number;
}

/** Settings that can silently truncate results, each with the value that prevents this. */
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

/** Reads the profile of a session's user. If a server hides its settings, it is treated as a server without limits. */
export async function readProfile(session: SqlSession, signal: AbortSignal): Promise<Profile> {
  const found = await readSettings(session, ["readonly", "max_execution_time"], signal);
  const [deadline, mode] = [found.get("max_execution_time"), found.get("readonly")];
  return {
    readonly: Number(mode?.value ?? 2),
    deadlineS: Number(deadline?.value ?? 0),
    mostDeadlineS: Number(deadline?.most ?? Infinity),
  };
}

/**
 * Returns the settings with the profile's `readonly`, and with the profile's deadline if it is shorter than
 * `timeoutMs`.
 */
export function withinProfile(settings: Settings, timeoutMs: number, profile: Profile): Settings {
  const ours = Math.max(1, Math.ceil(timeoutMs / 1000));
  return {
    ...settings,
    readonly: profile.readonly === 0 ? 2 : profile.readonly,
    max_execution_time: Math.min(ours, profile.deadlineS || Infinity, profile.mostDeadlineS),
  };
}

/**
 * Returns the names of the given settings whose value in the user's profile differs from the given value.
 * @throws {PluginError} PLUGIN_INVALID if that value could silently truncate results
 */
export async function fixedSettings(
  session: SqlSession,
  refused: Settings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names = Object.keys(refused);
  if (names.length === 0) return [];
  const found = await readSettings(session, names, signal);
  // Settings that the server does not know have no value.
  const fixed = names.filter(
    (name) => found.has(name) && found.get(name)!.value !== String(refused[name]),
  );
  const cutting = fixed.find((name) => Object.hasOwn(whole, name));
  if (cutting === undefined) return fixed;
  throw new PluginError("PLUGIN_INVALID", [
    `the user's settings profile has ${cutting} = ${found.get(cutting)!.value}, which silently drops rows from answers; ` +
      `set it to ${whole[cutting]}, or let the user change it`,
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
