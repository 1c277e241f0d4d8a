import { PluginError, type Credentials } from "../../plugins/protocol/index.ts";
import { formatNamed, requireFormat, type FoundData } from "../../plugins/rows/formats/index.ts";
import { openWebFile, stateOf, versionOf, type WebFile } from "./openWebFile.ts";
import type { WebClient, WebPlace } from "./webClient.ts";

/** Bytes that are sampled to detect types. Local files get a larger sample. */
export const webSampleBytes = 2 * 2 ** 20;

/**
 * Finds the file that an account's `host` names by URL. `token` is sent as a bearer token or, if there is an
 * `identifier`, as the password of that user.
 * @throws {PluginError} PLUGIN_INVALID naming the member, or an error of the server
 */
export async function findWebFile(
  credentials: Credentials,
  client: WebClient,
  signal: AbortSignal,
): Promise<readonly FoundData[]> {
  const url = readWebAddress(credentials.host ?? "", "host");
  const segment = url.pathname.split("/").findLast((each) => each !== "");
  const name = segment === undefined ? url.hostname : decoded(segment);
  const { format: given } = credentials.properties;
  const format = given === undefined ? requireFormat(name) : formatNamed(given);
  const file: WebFile = { client, place: placeOf(credentials), url, format };
  const state = await stateOf(file, signal);
  return [
    {
      schema: "main",
      name,
      format,
      sampleBytes: webSampleBytes,
      version: versionOf(state),
      place: { kind: "remote", open: (until) => openWebFile(file, state, until) },
    },
  ];
}

/**
 * Parses a URL from a member of an account.
 * @throws {PluginError} PLUGIN_INVALID naming the member
 */
export function readWebAddress(text: string, member: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url && /^https?:$/.test(url.protocol);
  if (url && isWeb && url.username === "" && url.password === "" && url.hash === "") return url;
  throw new PluginError("PLUGIN_INVALID", [
    `${member} must be an https URL without user, password or fragment; put credentials into the account's ` +
      "identifier and token",
  ]);
}

function placeOf({ key, token }: Credentials): WebPlace {
  const authorization =
    token === undefined
      ? undefined
      : key === undefined
        ? `Bearer ${headerText(token)}`
        : `Basic ${Buffer.from(`${key}:${token}`).toString("base64")}`;
  const headers = authorization === undefined ? {} : { authorization };
  return { secretsFor: async () => headers };
}

/**
 * Returns a string that is valid as a header value. The string is checked here, because Node's error would contain the
 * whole header.
 */
function headerText(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new PluginError("PLUGIN_INVALID", [
    "token must contain only printable ASCII characters without spaces, because it is sent in a header",
  ]);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll("/", "_");
  } catch {
    return segment;
  }
}
