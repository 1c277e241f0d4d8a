import { X509Certificate } from "node:crypto";
import { PluginError } from "../protocol/index.ts";

/** Maximum length of `ca` in characters. The certificates of an operating system take a quarter of this length. */
const mostCharacters = 1_000_000;

/**
 * Reads the property `ca` of an account, which contains certificates in PEM format that replace the default trusted
 * certificates. Undefined if the property is not set.
 * @throws {PluginError} PLUGIN_INVALID that names the property
 */
export function readAuthority(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length > 0 && text.length <= mostCharacters && blocks.every(isCertificate))
    return text;
  throw new PluginError("PLUGIN_INVALID", [
    "properties.ca must be certificates as PEM text, each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----",
  ]);
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).subject !== undefined;
  } catch {
    // X509Certificate throws if the bytes are not a certificate.
    return false;
  }
}
