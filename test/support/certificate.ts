import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";

/** A certificate for tests, and its key, in PEM format. */
export interface TestCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** The common name, which is also the DNS name unless the certificate is an authority. */
  readonly name: string;
  /**
   * The time at which the certificate expires. The default is one year from now. A date in the past creates an expired
   * certificate.
   */
  readonly until?: Date;
  /** The certificate that signs this certificate. If absent, the certificate is a self-signed authority. */
  readonly issuer?: TestCertificate & { readonly name: string };
}

const dayMs = 86_400_000;
const tags = { integer: 2, bits: 3, octets: 4, oid: 6, utf8: 12, time: 24, sequence: 48, set: 49 };
/** Encoded object identifiers (RFC 5280, RFC 5758). */
const oids = {
  commonName: "550403",
  ecdsaWithSha256: "2a8648ce3d040302",
  basicConstraints: "551d13",
  subjectAltName: "551d11",
};

/** Creates a certificate on the curve P-256 (RFC 5280). */
export function createCertificate({
  name,
  until = new Date(Date.now() + 365 * dayMs),
  issuer,
}: CertificateOptions): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = der(tags.sequence, oid(oids.ecdsaWithSha256));
  const extension = issuer
    ? der(
        tags.sequence,
        oid(oids.subjectAltName),
        octets(der(tags.sequence, der(0x82, text(name)))),
      )
    : der(
        tags.sequence,
        oid(oids.basicConstraints),
        octets(der(tags.sequence, der(1, Buffer.from([255])))),
      );
  const body = der(
    tags.sequence,
    der(0xa0, der(tags.integer, Buffer.from([2]))),
    der(tags.integer, Buffer.from([1 + Math.floor(Math.random() * 126)])),
    algorithm,
    nameOf(issuer?.name ?? name),
    der(tags.sequence, time(new Date(until.getTime() - 730 * dayMs)), time(until)),
    nameOf(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(tags.sequence, extension)),
  );
  const signer: KeyObject = issuer ? createPrivateKey(issuer.key) : privateKey;
  const signature = sign("sha256", body, signer);
  const whole = der(tags.sequence, body, algorithm, der(tags.bits, Buffer.from([0]), signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), value]);
  const size = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

function text(value: string): Buffer {
  return Buffer.from(value, "utf8");
}

function oid(hex: string): Buffer {
  return der(tags.oid, Buffer.from(hex, "hex"));
}

function octets(value: Buffer): Buffer {
  return der(tags.octets, value);
}

function nameOf(name: string): Buffer {
  const attribute = der(tags.sequence, oid(oids.commonName), der(tags.utf8, text(name)));
  return der(tags.sequence, der(tags.set, attribute));
}

function time(at: Date): Buffer {
  return der(tags.time, text(`${at.toISOString().replace(/\D/g, "").slice(0, 14)}Z`));
}
