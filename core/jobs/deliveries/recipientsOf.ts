import { isObject } from "../../base/index.ts";
import { isMailAddress } from "../../resources/index.ts";
import type { Config } from "./driver.ts";

/** Maximum number of recipients per channel. Further recipients receive nothing. */
const mostRecipients = 100;

const phone = /^\+[1-9]\d{6,14}$/;

/**
 * Returns the recipients of a channel's config without duplicates: e-mail addresses in lower case, phone numbers in
 * E.164 form. Omits invalid recipients. Null for a channel type without recipients.
 */
export function recipientsOf(type: string, config: Config | null): readonly string[] | null {
  if (type !== "email" && type !== "sms") return null;
  const { recipients, to } = config ?? {};
  const given = [recipients, to].flat();
  const found = given.flatMap((each: unknown): string[] => {
    const value = isObject<"email" | "phone">(each) ? (each.email ?? each.phone) : each;
    const text = typeof value === "string" ? normalOf(type, value) : undefined;
    return text === undefined ? [] : [text];
  });
  return [...new Set(found)].slice(0, mostRecipients);
}

function normalOf(type: "email" | "sms", text: string): string | undefined {
  if (type === "email") return isMailAddress(text) ? text.toLowerCase() : undefined;
  const digits = text.replaceAll(/[\s().-]/g, "");
  return phone.test(digits) ? digits : undefined;
}
