import Type, { type TSchema } from "typebox";
import Value from "typebox/value";
import { ApiError, isObject, listOf, type Members, type NamedSchemas } from "../../base/index.ts";
import { millisecondsOf } from "../../../plugins/protocol/index.ts";
import { isMailAddress } from "./isMailAddress.ts";

/** The allowed values of a config member. */
interface Shape {
  readonly schema: TSchema;
  /** The allowed values, in the words that follow "it must be" in an error message. */
  readonly allowed: string;
  /** Tests the rules that the schema cannot express. */
  readonly isAllowed?: (value: unknown) => boolean;
  /** For a list whose entries have a rule of their own: the rule, and where the entries are that break it. */
  readonly entries?: {
    readonly allowed: string;
    /** Returns places such as `[1].email`. */
    wrongAt(value: unknown): readonly string[];
  };
}

/** A config member of a channel type, with its meaning in the API description. */
interface Member extends Shape {
  readonly description: string;
}

const AnyObject = Type.Record(Type.String(), Type.Unknown());

const texts: Shape = {
  schema: Type.Union([Type.String(), Type.Record(Type.String(), Type.String())]),
  allowed:
    "a string, or an object with a string per language; it may contain name, status, condition, count, digest, time and link in double braces",
  isAllowed: (value) =>
    (isObject(value) ? Object.values(value) : [value]).every((each) =>
      wordsOf(String(each)).every(isWord),
    ),
};
const objects: Shape = {
  schema: Type.Array(AnyObject),
  allowed: 'a list of objects such as [{"email": "…"}]',
};
const mailRecipients: Shape = {
  schema: Type.Array(
    Type.Object(
      {
        email: Type.Optional(
          Type.Union([Type.String(), Type.Null()], {
            description: "E-mail address of the recipient.",
          }),
        ),
      },
      { additionalProperties: true },
    ),
  ),
  allowed: 'a list of objects with one e-mail address each, such as [{"email": "…"}]',
  entries: {
    allowed: "one e-mail address",
    wrongAt: (value) =>
      listOf(value).flatMap((each, at) => {
        const { email }: Members<"email"> = isObject(each) ? each : {};
        return (email ?? null) === null || isMailAddress(String(email)) ? [] : [`[${at}].email`];
      }),
  },
};
const address: Shape = {
  schema: Type.String(),
  allowed: "an absolute http or https URL",
  isAllowed: (value) => /^https?:$/.test(URL.parse(String(value))?.protocol ?? ""),
};

const secret: Shape = {
  schema: Type.String(),
  allowed: "a string, or whsec_ followed by base64 of 24 to 64 bytes",
  isAllowed: (value) => !String(value).startsWith("whsec_") || isSigningKey(String(value)),
};
const instant: Shape = {
  schema: Type.String(),
  allowed: "an instant as an ISO 8601 string",
  isAllowed: (value) => millisecondsOf(String(value)) !== undefined,
};
const phone: Shape = {
  schema: Type.Union([Type.String(), Type.Array(Type.String())]),
  allowed: "a phone number with its country code, such as +32 2 555 01 00, or a list of them",
  entries: {
    allowed: "a phone number with its country code, such as +32 2 555 01 00",
    wrongAt: (value) =>
      [value]
        .flat()
        .flatMap((each, at) =>
          /^\+[\d\s().-]{3,30}$/.test(String(each)) ? [] : [Array.isArray(value) ? `[${at}]` : ""],
        ),
  },
};

const placeholders =
  "It may contain `name`, `status`, `condition`, `count`, `digest`, `time` and `link` in double braces.";
const text: Member = {
  ...texts,
  description: `Text of the message: a string, or one per language. ${placeholders}`,
};
const url: Member = {
  ...address,
  description:
    "The http or https URL to which messages are posted. Responses never show it, because it can be a credential.",
};

/** The known members of each channel type. Other members are stored unchanged. */
const shapes: Readonly<Record<string, Readonly<Record<string, Member>>>> = {
  email: {
    message: text,
    subject: {
      ...texts,
      description: `Subject of the mail: a string, or one per language. ${placeholders}`,
    },
    recipients: {
      ...mailRecipients,
      description:
        'The recipients of a mail, each with an address, such as `[{"email": "…"}]`. At most 100 receive it.',
    },
  },
  slack: { url, text },
  sms: {
    to: {
      ...phone,
      description:
        "One or more phone numbers with country code, such as `+32 2 555 01 00`. At most 100 are used.",
    },
    recipients: {
      ...objects,
      description:
        'The recipients of a text message, each with a number, such as `[{"phone": "…"}]`, in addition to `to`.',
    },
    text,
  },
  teams: { url, text },
  webhook: {
    url,
    secret: {
      ...secret,
      description:
        "The secret that signs messages: any string, or `whsec_` and the base64 form of 24 to 64 bytes. Absent: the host creates a secret.",
    },
    previous_secret: {
      ...secret,
      description: "The secret before the last change, which also signs messages.",
    },
    previous_secret_until: {
      ...instant,
      description:
        "The instant until which the previous secret also signs messages, as an ISO 8601 string.",
    },
  },
};

/** For each channel type, the members that sending requires: a channel needs at least one of them. */
const required: Readonly<Record<string, readonly string[]>> = {
  email: ["recipients"],
  slack: ["url"],
  sms: ["to", "recipients"],
  teams: ["url"],
  webhook: ["url"],
};

const configName = (type: string): string =>
  `${type.slice(0, 1).toUpperCase()}${type.slice(1)}Config`;

const orNull = ({ schema, description }: Member): TSchema =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));

/** Returns the schema of a new channel's config. A member without which nothing can be sent is required. */
function configOf(type: string): TSchema {
  const needed = required[type] ?? [];
  const members = Object.entries(shapes[type] ?? {}).map(([member, shape]) => {
    const isRequired = needed.length === 1 && needed[0] === member;
    const { schema, description } = shape;
    return [member, isRequired ? { ...schema, description } : orNull(shape)] as const;
  });
  return Type.Object(Object.fromEntries(members), {
    description: `The config of a channel of type ${type}. Other members are stored unchanged.`,
  });
}

const everyMember = new Map<string, Member[]>();
for (const members of Object.values(shapes))
  for (const [member, shape] of Object.entries(members))
    everyMember.set(member, [...(everyMember.get(member) ?? []), shape]);

/** The name of the schema of a new channel's config, by the type of the channel. */
export const configNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(shapes).map((type) => [type, configName(type)]),
);

/** The schemas of the configs of channels, by the name in the API description. */
export const channelSchemas: NamedSchemas = {
  ...Object.fromEntries(Object.keys(shapes).map((type) => [configName(type), configOf(type)])),
  ChannelConfig: Type.Object(
    Object.fromEntries(
      [...everyMember].map(([member, all]) => {
        const schemas = all.map(({ schema }) => [JSON.stringify(schema), schema] as const);
        const distinct = [...new Map(schemas).values()];
        const description = [...new Set(all.map((each) => each.description))].join(" ");
        return [member, Type.Optional(Type.Union([...distinct, Type.Null()], { description }))];
      }),
    ),
    {
      description:
        "The config of a channel of any type. In an update, null keeps the stored value; in responses, members that are secret are null.",
    },
  ),
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
  const { allowed = "" } = shapes[String(type)]?.[member] ?? {};
  const others = members.slice(1).map((each) => `, or ${each}`);
  const problem = `a channel of type ${String(type)} needs it${others.join("")}: ${allowed}`;
  throw new ApiError("MEMBER_MISSING", [`${path}.config.${member}`, problem], {
    validation: { config: [`${member}: ${problem}`] },
  });
}

/**
 * Checks the known members of a config against the type of its channel. Any member may be null: then it keeps its
 * stored value, or remains unset.
 * @throws {ApiError} MEMBER_INVALID that names the member; no message contains a value
 */
export function checkConfigMembers(type: unknown, config: unknown, path = "properties"): void {
  if (!isObject(config)) return;
  for (const [member, shape] of Object.entries(shapes[String(type)] ?? {})) {
    const value = Object.hasOwn(config, member) ? (config[member] ?? null) : null;
    if (value === null) continue;
    const { schema, allowed, isAllowed = () => true, entries } = shape;
    const isWhole = Value.Check(schema, value) && isAllowed(value);
    const wrong = isWhole ? (entries?.wrongAt(value) ?? []) : [""];
    const [first] = wrong;
    if (first === undefined) continue;
    const rule = isWhole && entries ? entries.allowed : allowed;
    const problem = `for a channel of type ${String(type)} it must be ${rule}`;
    throw new ApiError("MEMBER_INVALID", [`${path}.config.${member}${first}`, problem], {
      validation: { config: wrong.map((place) => `${member}${place}: ${problem}`) },
    });
  }
}
