import { isObject, type Members } from "../../base/index.ts";

/** A connection property that a plugin declares. */
export interface DeclaredProperty {
  readonly id: string;
  readonly isRequired: boolean;
  /** Whether the property's value is shown in responses. */
  readonly isShown: boolean;
}

/** Types of properties whose values a form shows while a person enters them. */
const openTypes = [
  "text",
  "string",
  "number",
  "integer",
  "boolean",
  "select",
  "enum",
  "url",
  "host",
];

/** Matches names that suggest a secret, regardless of the declared type. */
const secretName = /pass|pwd|secret|token|key|credential|auth|cert|private/i;

/**
 * Parses the `properties` of a plugin. Each item may have members besides `id`, `label` and `type`. `required: true`
 * makes a property required. A value is shown if the property has `secret: false`, or if neither its type nor its name
 * suggests a secret. All other values are masked.
 */
export function declaredProperties(given: unknown): readonly DeclaredProperty[] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((item: unknown) => {
    if (!isObject(item)) return [];
    const { id, type, required, secret } = item;
    if (typeof id !== "string" || id === "") return [];
    const isOpen = openTypes.some((each) => each === type) && !secretName.test(id);
    const isShown = secret === false || (secret === undefined && isOpen);
    return [{ id, isRequired: required === true, isShown }];
  });
}

/** The account member that supplies a declared property, by the property's name in lower case. */
const filling: Readonly<Record<string, string>> = {
  host: "host",
  port: "port",
  scope: "scope",
  identifier: "identifier",
  key: "identifier",
  token: "token",
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** Returns the id of the first required property that neither `properties` nor a member of the account supplies. */
export function missingProperty(
  account: Members,
  declared: readonly DeclaredProperty[],
): string | undefined {
  const { properties } = account;
  const given = isObject(properties) ? Object.entries(properties) : [];
  const isFilled = (id: string) =>
    given.some(([name, value]) => name.toLowerCase() === id.toLowerCase() && isGiven(value)) ||
    isGiven(account[filling[id.toLowerCase()] ?? ""]);
  return declared.find(({ id, isRequired }) => isRequired && !isFilled(id))?.id;
}

/** Returns the names, in lower case, of the declared properties whose values are shown in responses. */
export function shownNames(given: unknown): ReadonlySet<string> {
  return namesShown(declaredProperties(given));
}

function namesShown(declared: readonly DeclaredProperty[]): ReadonlySet<string> {
  const shown = new Set(declared.flatMap(({ id, isShown }) => (isShown ? [id.toLowerCase()] : [])));
  const masked = declared.flatMap(({ id, isShown }) => (isShown ? [] : [id.toLowerCase()]));
  for (const id of masked) shown.delete(id);
  return shown;
}

/** Returns those properties of an account whose values are shown in responses. */
export function shownProperties(
  properties: Members,
  declared: readonly DeclaredProperty[],
): Members {
  const shown = namesShown(declared);
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => shown.has(name.toLowerCase())),
  );
}
