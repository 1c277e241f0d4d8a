import type { Letter } from "./email.ts";
import { mailLayout } from "./mailLayout.ts";
import { oneLine } from "./oneLine.ts";
import { directionOf, wordsIn } from "./words/wordsIn.ts";

/** A link with which its reader chooses a password. */
export interface LinkToMail {
  readonly kind: "invitation" | "password";
  readonly recipient: string;
  readonly url: string;
  readonly expiresAt: Date;
  /** BCP 47 tag; undefined for English. */
  readonly locale: string | undefined;
  /** Name of the person who invites. */
  readonly by: string | undefined;
}

/** Maximum length of the name of the person who invites. */
const longestName = 100;

/** Writes the mail with a link to choose a password, in the language of its reader. */
export function renderLinkMail(link: LinkToMail): Letter {
  const { kind, recipient, url, expiresAt, locale = "en", by = "" } = link;
  const { passwordLinks: words } = wordsIn(locale);
  const name = oneLine(by).slice(0, longestName).toWellFormed();
  const until = new Intl.DateTimeFormat(locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(expiresAt);
  const { title, text, action } =
    kind === "invitation"
      ? { ...words.invitation, text: words.invitation.text(name) }
      : words.forgotten;
  const paragraphs = [text, words.once(`${until} UTC`)];
  const html = mailLayout(
    {
      locale,
      direction: directionOf(locale),
      preheader: text,
      tone: "plain",
      title,
      paragraphs,
      facts: [],
      table: { heads: [], rows: [], areNumbers: [], rest: undefined },
      links: [{ text: action, url }],
      footer: [],
    },
    () => undefined,
  );
  return {
    recipient,
    subject: title,
    text: [title, ...paragraphs, `${action}: ${url}`].join("\n\n"),
    html,
  };
}
