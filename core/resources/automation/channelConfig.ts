import { ApiError } from "../../errors.ts";
import { isObject } from "../../json/index.ts";

/** A test of a member of a config, and what is allowed in it. */
type Shape = readonly [isAllowed: (value: unknown) => boolean, allowed: string];

const isText = (value: unknown): boolean => typeof value === "string";

const texts: Shape = [
  (value) => isText(value) || (isObject(value) && Object.values(value).every(isText)),
  "a text, or an object of texts by language",
];
const objects: Shape = [
  (value) => Array.isArray(value) && value.every(isObject),
  'a list of objects, like [{"email": "…"}]',
];
const address: Shape = [
  (value) => isText(value) && /^https?:$/.test(URL.parse(String(value))?.protocol ?? ""),
  "an absolute http or https URL",
];

/** The members that are known by the type of a channel; others are kept as they are. */
const shapes: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  email: { message: texts, subject: texts, recipients: objects },
  webhook: { url: address, secret: [isText, "a text"] },
};

/**
 * Checks the config of a channel by its type. Null passes in every member: it keeps what is stored, or is not set yet.
 * @throws {ApiError} MEMBER_INVALID with the member; no message holds a value
 */
export function checkChannelConfig(type: unknown, config: unknown, path = "properties"): void {
  if (!isObject(config)) return;
  for (const [member, [isAllowed, allowed]] of Object.entries(shapes[String(type)] ?? {})) {
    const value = Object.hasOwn(config, member) ? (config[member] ?? null) : null;
    if (value === null || isAllowed(value)) continue;
    const problem = `of a channel of type ${String(type)} it must be ${allowed}`;
    throw new ApiError("MEMBER_INVALID", [`${path}.config.${member}`, problem], {
      validation: { config: [`${member}: ${problem}`] },
    });
  }
}
