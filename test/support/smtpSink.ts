import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** An e-mail that the server received. */
export interface TakenMail {
  readonly to: readonly string[];
  /** Headers and bodies as received, with folded lines joined. */
  readonly source: string;
}

/** A real mail server that stores the e-mails that it receives. */
export interface SmtpSink {
  /** The address for MANIFOLD_SMTP_URL. */
  readonly url: string;
  readonly mails: TakenMail[];
  /** Makes the server refuse the next e-mail, with the given SMTP code. */
  plan(code: number): void;
  close(): Promise<void>;
}

/** Opens a mail server on a free loopback port. */
export async function openSmtpSink(): Promise<SmtpSink> {
  const mails: TakenMail[] = [];
  const planned: number[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const code = planned.shift();
        if (code !== undefined)
          return done(Object.assign(new Error("refused"), { responseCode: code }));
        const to = envelope.rcptTo.map(({ address }) => address);
        const source = Buffer.concat(parts)
          .toString()
          .replaceAll(/\r\n[ \t]+/g, " ");
        mails.push({ to, source });
        done(null);
      });
    },
  });
  const listening = once(server.server, "listening");
  server.listen(0, "127.0.0.1");
  await listening;
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    plan: (code) => void planned.push(code),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
