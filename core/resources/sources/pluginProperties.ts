import { isObject, type Members } from "../../base/index.ts";

/** One property of connections, as a plugin declares it. */
export interface DeclaredProperty {
  readonly id: string;
  readonly isRequired: boolean;
  /** Declared as no secret: answers show its value. */
  readonly isShown: boolean;
}

/** Types of values that a form shows while they are typed. */
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

/** Names of what is a secret, whatever type a plugin gives it. */
const secretName = /pass|pwd|secret|token|key|credential|auth|cert|private/i;

/**
 * Reads `properties` of a plugin, whose items the field leaves open beyond `id`, `label` and `type`: `required: true`
 * makes a property required. A value is shown with `secret: false`, or when its type is not secret and its name does
 * not suggest a secret. Every other value is masked.
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

/** Members of an account that fill a declared property of the same name, in any case. */
const filling: Readonly<Record<string, string>> = {
  host: "host",
  port: "port",
  scope: "scope",
  identifier: "identifier",
  key: "identifier",
  token: "token",
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** The id of the first required property that neither `properties` nor a member of the account gives. */
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

/** Returns the names in lower case of the properties whose values answers show. */
export function shownNames(given: unknown): ReadonlySet<string> {
  return namesShown(declaredProperties(given));
}

function namesShown(declared: readonly DeclaredProperty[]): ReadonlySet<string> {
  const shown = new Set(declared.flatMap(({ id, isShown }) => (isShown ? [id.toLowerCase()] : [])));
  const masked = declared.flatMap(({ id, isShown }) => (isShown ? [] : [id.toLowerCase()]));
  for (const id of masked) shown.delete(id);
  return shown;
}

/** Returns the properties of an account whose values answers show. */
export function shownProperties(
  properties: Members,
  declared: readonly DeclaredProperty[],
): Members {
  const shown = namesShown(declared);
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => shown.has(name.toLowerCase())),
  );
}
