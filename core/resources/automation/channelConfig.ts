import { ApiError, isObject } from "../../base/index.ts";
import { isMailAddress } from "./isMailAddress.ts";

/** A function that tests a config member, and a description of the allowed values. */
type Shape = readonly [isAllowed: (value: unknown) => boolean, allowed: string];

const isText = (value: unknown): boolean => typeof value === "string";

const texts: Shape = [
  (value) =>
    (isText(value) ? [value] : isObject(value) ? Object.values(value) : [undefined]).every(
      (each) => typeof each === "string" && wordsOf(each).every(isWord),
    ),
  "a string, or an object with a string per language; it may contain name, status, condition, count, digest, time and link in double braces",
];
const objects: Shape = [
  (value) => Array.isArray(value) && value.every(isObject),
  'a list of objects such as [{"email": "…"}]',
];
const mailRecipients: Shape = [
  (value) =>
    Array.isArray(value) &&
    value.every((each) => {
      if (!isObject<"email">(each)) return false;
      const email = each.email ?? null;
      return email === null || (typeof email === "string" && isMailAddress(email));
    }),
  'a list of objects with one e-mail address each, such as [{"email": "…"}]',
];
const address: Shape = [
  (value) => isText(value) && /^https?:$/.test(URL.parse(String(value))?.protocol ?? ""),
  "an absolute http or https URL",
];

const secret: Shape = [
  (value) => isText(value) && (!String(value).startsWith("whsec_") || isSigningKey(String(value))),
  "a string, or whsec_ followed by base64 of 24 to 64 bytes",
];
const instant: Shape = [
  (value) => isText(value) && !Number.isNaN(Date.parse(String(value))),
  "an instant as an ISO 8601 string",
];
const phone: Shape = [
  (value) =>
    [value].flat().every((each) => isText(each) && /^\+[\d\s().-]{3,30}$/.test(String(each))),
  "a phone number with its country code, such as +32 2 555 01 00, or a list of them",
];

/** The known members of each channel type. Other members are stored unchanged. */
const shapes: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  email: { message: texts, subject: texts, recipients: mailRecipients },
  slack: { url: address, text: texts },
  sms: { to: phone, recipients: objects, text: texts },
  teams: { url: address, text: texts },
  webhook: {
    url: address,
    secret,
    previous_secret: secret,
    previous_secret_until: instant,
  },
};

/** Members of which a channel needs at least one to send anything. */
const required: Readonly<Record<string, readonly string[]>> = {
  email: ["recipients"],
  slack: ["url"],
  sms: ["to", "recipients"],
  teams: ["url"],
  webhook: ["url"],
};

/** The words that a channel's template may contain within double braces. */
export const templateWords = [
  "name",
  "status",
  "condition",
  "count",
  "digest",
  "time",
  "link",
] as const;

function wordsOf(text: string): string[] {
  return [...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map(([, word = ""]) => word);
}
const isWord = (word: string): boolean => templateWords.some((each) => each === word);

/** Returns whether a string is a signing key of Standard Webhooks, which has 24 to 64 bytes. */
function isSigningKey(text: string): boolean {
  const encoded = text.slice("whsec_".length);
  const { length } = Buffer.from(encoded, "base64");
  return /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) && length >= 24 && length <= 64;
}

/**
 * Checks the config of a channel against its type: each known member must be valid, and a member required for sending
 * must exist.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_MISSING that name the member; no message contains a value
 */
export function checkChannelConfig(type: unknown, config: unknown, path = "properties"): void {
  checkConfigMembers(type, config, path);
  const members = required[String(type)] ?? [];
  const given = isObject(config) ? config : {};
  const isGiven = (member: string) => {
    const value = Object.hasOwn(given, member) ? (given[member] ?? null) : null;
    return value !== null && !(Array.isArray(value) && value.length === 0);
  };
  const [member = ""] = members;
  if (members.length === 0 || members.some(isGiven)) return;
  const allowed = shapes[String(type)]?.[member]?.[1] ?? "";
  const others = members.slice(1).map((each) => `, or ${each}`);
  const problem = `a channel of type ${String(type)} needs it${others.join("")}: ${allowed}`;
  throw new ApiError("MEMBER_MISSING", [`${path}.config.${member}`, problem], {
    validation: { config: [`${member}: ${problem}`] },
  });
}

/**
 * Checks the known members of a config against the type of its channel. Every member may be null, which keeps the
 * stored value or leaves the member unset.
 * @throws {ApiError} MEMBER_INVALID that names the member; no message contains a value
 */
export function checkConfigMembers(type: unknown, config: unknown, path = "properties"): void {
  if (!isObject(config)) return;
  for (const [member, [isAllowed, allowed]] of Object.entries(shapes[String(type)] ?? {})) {
    const value = Object.hasOwn(config, member) ? (config[member] ?? null) : null;
    if (value === null || isAllowed(value)) continue;
    const problem = `for a channel of type ${String(type)} it must be ${allowed}`;
    throw new ApiError("MEMBER_INVALID", [`${path}.config.${member}`, problem], {
      validation: { config: [`${member}: ${problem}`] },
    });
  }
}
