import { html, nothing, type TemplateResult } from "lit";
import { connectWords as words } from "./connectWords.ts";

const looks = { verified: "good", encrypted: "warn", clear: "bad" } as const;
type Encryption = keyof typeof looks;

const isEncryption = (value: unknown): value is Encryption =>
  typeof value === "string" && Object.hasOwn(looks, value);

/** Returns a badge for the encryption of a connection; nothing for a source that needs no network. */
export function encryptionOf(value: unknown): TemplateResult | string {
  if (!isEncryption(value)) return "";
  return html`<span class="badge ${looks[value]}">${words.encryptions[value].short}</span>`;
}

/** Returns the badge together with an explanation. */
export function encryptionLine(value: unknown): TemplateResult | typeof nothing {
  if (!isEncryption(value)) return nothing;
  return html`<p>${encryptionOf(value)} ${words.encryptions[value].long}</p>`;
}
