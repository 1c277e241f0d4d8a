import type { AccountProperty } from "../../../plugins/protocol/index.ts";
import { ApiError, isObject, kindOf } from "../../base/index.ts";
import type { Values } from "../kernel/index.ts";

/** Declared properties that are stored as members of the account itself. */
const members = ["host", "port", "scope", "identifier", "token"];

/** Returns whether a declared property is a member of the account itself. */
export function isMember(id: string): boolean {
  return members.includes(id);
}

/**
 * Checks the members of an account against the properties that its connector declares.
 * @throws {ApiError} MEMBER_UNKNOWN for an undeclared property, MEMBER_INVALID for an invalid value or port; the
 * message names the member but never its value
 */
export function checkMembers(values: Values, declared: readonly AccountProperty[]): void {
  const { provider, port, properties } = values;
  if (port !== undefined && port !== null && port !== "" && !isPort(port))
    throw new ApiError("MEMBER_INVALID", [
      "properties.port",
      "must be a whole number from 1 to 65535, as a string or number",
    ]);
  const own = declared.filter(({ id }) => !isMember(id));
  for (const [name, value] of Object.entries(isObject(properties) ? properties : {})) {
    const property = own.find(({ id }) => id.toLowerCase() === name.toLowerCase());
    if (!property) {
      const named = own.map(({ id }) => id);
      throw new ApiError("MEMBER_UNKNOWN", [
        `properties.properties.${name.slice(0, 100)}`,
        named.length === 0 ? `no properties of ${String(provider)}` : named.join(", "),
      ]);
    }
    const wrong = value === null || value === "" ? undefined : problemOf(value, property);
    if (wrong !== undefined)
      throw new ApiError("MEMBER_INVALID", [`properties.properties.${property.id}`, wrong]);
  }
}

const isPort = (port: unknown): boolean =>
  /^\d{1,5}$/.test(String(port)) && Number(port) >= 1 && Number(port) <= 65_535;

/** Returns the problem with a value, as words that follow the member's name. */
function problemOf(value: unknown, { type, options = [] }: AccountProperty): string | undefined {
  switch (type) {
    case "number":
      return /^\d{1,15}$/.test(String(value))
        ? undefined
        : `must be a whole number, not ${kindOf(value)}`;
    case "boolean":
      return ["true", "false"].includes(String(value))
        ? undefined
        : `must be true or false, not ${kindOf(value)}`;
    case "select":
      return options.some((option) => option === value)
        ? undefined
        : `must be one of ${options.join(", ")}`;
    case "password":
    case "text":
      return typeof value === "string" ? undefined : `must be a string, not ${kindOf(value)}`;
  }
}
