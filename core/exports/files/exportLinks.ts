import { type Cipher, SecretLost } from "../../catalog/index.ts";
import { isList } from "../../base/index.ts";

/** The context in which links are sealed, so that tokens sealed for other uses are not accepted as links. */
const context = "export";
const prefix = "v1.";

/** The contents of an export link: which file it opens, for which organization, and until when. */
export interface ExportLink {
  readonly fileId: string;
  readonly organizationId: string;
  /** The time at which the link expires, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly expiresMs: number;
}

/** Creates the last part of a link, sealed with the host's secret, so that nobody can forge or change it. */
export function sealExportLink(
  cipher: Cipher,
  { fileId, organizationId, expiresMs }: ExportLink,
): string {
  const [, token = ""] = cipher
    .seal(JSON.stringify([fileId, organizationId, expiresMs]), context)
    .split(".");
  return token;
}

/** Decrypts the last part of a link. Undefined if this host did not create the link. */
export function openExportLink(cipher: Cipher, token: string): ExportLink | undefined {
  if (!/^[\w-]{100,300}$/.test(token)) return undefined;
  try {
    const opened: unknown = JSON.parse(cipher.open(prefix + token, context));
    const [fileId, organizationId, expiresMs] = isList(opened) ? opened : [];
    if (typeof fileId !== "string" || typeof organizationId !== "string") return undefined;
    return typeof expiresMs === "number" ? { fileId, organizationId, expiresMs } : undefined;
  } catch (failure) {
    if (failure instanceof SecretLost) return undefined;
    throw failure;
  }
}
