import { PluginError } from "../../../../plugins/protocol/index.ts";
import {
  isSettingName,
  readSettings,
  remediesIn,
  settingDefinitions,
} from "../../../../plugins/rows/formats/index.ts";
import { ApiError, type Members, nearestName } from "../../../base/index.ts";
import { readObject } from "../parsePush.ts";

/** The settings with which a file is read, as `options.file` contains them: those of the readers, and `format`. */
export type FileSettings = Readonly<Record<string, unknown>> & Members<"format" | "sheet">;

const at = "properties.options.file";

/**
 * Parses the settings for reading a file; undefined if there are none. Members that are null are left out.
 * @throws {ApiError} MEMBER_UNKNOWN, MEMBER_INVALID
 */
export function parseFileSettings(given: unknown): FileSettings | undefined {
  const members = readObject(given, at);
  if (!members) return undefined;
  const settings: FileSettings = Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null),
  );
  const names = ["format", ...Object.keys(settingDefinitions)];
  for (const name of Object.keys(settings)) {
    if (name === "format" || isSettingName(name)) continue;
    const meant = nearestName(name, names);
    const all = names.join(", ");
    throw new ApiError("MEMBER_UNKNOWN", [
      `${at}.${name.slice(0, 100)}`,
      meant === undefined ? all : `${all} (did you mean ${meant}?)`,
    ]);
  }
  const { format } = settings;
  if (format !== undefined && typeof format !== "string")
    throw new ApiError("MEMBER_INVALID", [`${at}.format`, "it must be a string such as csv"]);
  try {
    readSettings({ properties: settings });
  } catch (cause) {
    if (!(cause instanceof PluginError)) throw cause;
    throw new ApiError("MEMBER_INVALID", [at, String(cause.details[0])], {
      cause,
      remedies: remediesIn(cause),
    });
  }
  return settings;
}
