import {
  PluginError,
  type PluginErrorCode,
  pluginErrors,
} from "../../../../plugins/protocol/index.ts";
import { cleanText } from "./cleanText.ts";
import type { EgressAnswer } from "../egress.ts";
import { isObject, type Members } from "../../../base/index.ts";

const codeByStatus: Readonly<Record<number, PluginErrorCode>> = {
  400: "PLUGIN_MALFORMED",
  401: "PLUGIN_FORBIDDEN",
  403: "PLUGIN_FORBIDDEN",
  408: "PLUGIN_TIMEOUT",
  409: "PLUGIN_CONFLICT",
  429: "PLUGIN_BUSY",
  501: "PLUGIN_NOT_OFFERED",
  504: "PLUGIN_TIMEOUT",
};

/**
 * Converts a failed answer of a plugin to an error. The code is the one that the plugin names, or else the code for the
 * status. The message is the plugin's own text, shortened and without `secrets`. The content type is ignored, because
 * plugins often set a wrong one.
 */
export function remoteError(
  answer: EgressAnswer,
  path: string,
  secrets: readonly string[],
): PluginError {
  const { status, text } = answer;
  if (status >= 300 && status < 400)
    return new PluginError("PLUGIN_SOURCE_FAILED", [
      `${path} returned a redirect (status ${status}), which is not followed; set base_url to the destination`,
    ]);
  const body = parsed(text);
  const members = isObject<"code" | "details">(body) ? body : {};
  const named = namedCode(members.code);
  const details = named && detailsOf(members.details, named, secrets);
  if (named && details) return new PluginError(named, details);
  const own = cleanText(ownText(body, members, text), secrets);
  const shown = own ? `${own} (${path}, status ${status})` : `${path} returned status ${status}`;
  const code =
    named ?? codeByStatus[status] ?? (status < 500 ? "PLUGIN_INVALID" : "PLUGIN_SOURCE_FAILED");
  const placeholders = pluginErrors[code][1].split("%s").length - 1;
  return placeholders === 1
    ? new PluginError(code, [shown])
    : new PluginError("PLUGIN_INVALID", [shown]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function ownText(
  body: unknown,
  members: Members<"type" | "error" | "message">,
  text: string,
): string {
  const type = members.type;
  const error = members.error;
  const candidates = [
    body,
    members.message,
    error,
    isObject<"message">(error) ? error.message : undefined,
    isObject<"description">(type) ? type.description : undefined,
  ];
  const found = candidates.find((candidate) => typeof candidate === "string" && candidate !== "");
  const own = typeof found === "string" ? found : text;
  return /^\s*</.test(own) ? "an HTML page" : own;
}

const isPluginErrorCode = (code: unknown): code is PluginErrorCode =>
  typeof code === "string" && Object.hasOwn(pluginErrors, code);

function namedCode(code: unknown): PluginErrorCode | undefined {
  if (!isPluginErrorCode(code)) return undefined;
  // A bug in the plugin is not a bug of this host.
  return code === "PLUGIN_BUG" ? "PLUGIN_SOURCE_FAILED" : code;
}

/**
 * Reads the details that this project's plugins send in addition to the message. Returns them only if their number
 * matches the code.
 */
function detailsOf(
  details: unknown,
  code: PluginErrorCode,
  secrets: readonly string[],
): (string | number)[] | undefined {
  const due = pluginErrors[code][1].split("%s").length - 1;
  if (!Array.isArray(details) || details.length !== due) return undefined;
  if (!details.every((detail) => typeof detail === "string" || typeof detail === "number"))
    return undefined;
  return details.map((detail) => cleanText(String(detail), secrets));
}
