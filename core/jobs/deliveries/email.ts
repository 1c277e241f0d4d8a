import { createTransport } from "nodemailer";
import { isObject } from "../../base/index.ts";
import type { Attempt, Driver } from "./driver.ts";
import { pictureId, renderEmail } from "./renderEmail.ts";

export interface EmailOptions {
  /** The URL of the mail server: `smtp://user:password@host:port`, or `smtps://`. */
  readonly smtpUrl: string;
  /** The sender's address. */
  readonly from: string;
  readonly timeoutMs: number;
}

const pngType = "image/png";
/** The width at which mails show pictures, in pixels. */
const pictureWidth = 592;

/** A mail outside of channels, such as an invitation. */
export interface Letter {
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface EmailDriver extends Driver {
  /** Sends a letter. Resolves to whether the mail server accepted it. */
  post(letter: Letter): Promise<boolean>;
  close(): void;
}

/**
 * Creates the driver for channels of type `email`. It sends one mail per recipient, as text and as HTML without
 * external content. The Message-ID contains the id of the delivery, so that mail programs recognize a second copy of
 * the message. The headers of RFC 8058 let mail programs unsubscribe with one click. An SMTP code of 5xx about the
 * message or its addresses is final. After an error that concerns the host, such as a wrong password, the mail is
 * retried, because the operator can correct the cause.
 */
export function createEmail({ smtpUrl, from, timeoutMs }: EmailOptions): EmailDriver {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const [, domain = "manifold.invalid"] = /@([^>\s]+)/.exec(from) ?? [];
  return {
    async send(delivery): Promise<Attempt> {
      const { id, message, config, recipient, unsubscribeUrl, attached = [], picture } = delivery;
      const shown = picture ?? attached.find(({ mediaType }) => mediaType === pngType);
      if (recipient === null)
        return {
          outcome: "refused",
          problem: "config.recipients must contain a valid e-mail address",
        };
      try {
        await transport.sendMail({
          from,
          to: { name: "", address: recipient },
          messageId: `<${id}@${domain}>`,
          ...renderEmail(message, config, {
            unsubscribeUrl,
            pictureWidth: shown && pictureWidth,
          }),
          attachments: [...(picture ? [picture] : []), ...attached].map((file) => ({
            filename: file.name,
            contentType: file.mediaType,
            content: file.bytes,
            ...(file === shown && { cid: pictureId }),
            ...(file === picture && { contentDisposition: "inline" as const }),
          })),
          headers: {
            "Auto-Submitted": "auto-generated",
            ...(unsubscribeUrl !== undefined && {
              "List-Unsubscribe": `<${unsubscribeUrl}>`,
              "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            }),
          },
        });
        return { outcome: "delivered" };
      } catch (failure) {
        return failureOf(failure);
      }
    },
    async post({ recipient, ...letter }) {
      try {
        await transport.sendMail({
          from,
          to: { name: "", address: recipient },
          ...letter,
          headers: { "Auto-Submitted": "auto-generated" },
        });
        return true;
      } catch {
        return false;
      }
    },
    close: () => transport.close(),
  };
}

function failureOf(failure: unknown): Attempt {
  const { responseCode, code } = isObject(failure) ? failure : {};
  const isOfMessage = code === "EENVELOPE" || code === "EMESSAGE";
  const isRefused = isOfMessage && typeof responseCode === "number" && responseCode >= 500;
  // The server's text may repeat addresses, so only its code is reported.
  const problem = isRefused
    ? `the mail server refused the message with code ${responseCode}`
    : `the mail server did not accept the message (${String(responseCode ?? code ?? "no answer")})`;
  return { outcome: isRefused ? "refused" : "later", problem };
}
