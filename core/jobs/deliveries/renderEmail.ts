import type { Config } from "./driver.ts";
import { fillTemplate } from "./fillTemplate.ts";
import { mailLayout } from "./mailLayout.ts";
import {
  countText,
  factsOf,
  isBeginning,
  linksOf,
  type Message,
  tableOf,
  titleOf,
  wordsOfMessage,
} from "./message.ts";
import { oneLine } from "./oneLine.ts";
import { directionOf } from "./words/wordsIn.ts";

export interface RenderedEmail {
  readonly subject: string;
  readonly text: string;
  /** HTML without external content: it contains no scripts, and no pictures except attached ones. */
  readonly html: string;
}

/** The parts of a mail that do not follow from its message and config. */
export interface EmailParts {
  readonly unsubscribeUrl?: string | undefined;
  /** The width in pixels at which an attached picture is shown. Absent: the mail shows no picture. */
  readonly pictureWidth?: number | undefined;
}

/** The id by which the HTML of a mail references its attached picture. */
export const pictureId = "picture@manifold.invalid";

/** Maximum length of a subject. */
const longestSubject = 250;

/** Renders the subject and the two bodies of a mail. */
export function renderEmail(
  message: Message,
  config: Config,
  parts: EmailParts = {},
): RenderedEmail {
  const own = fillTemplate(config.message, message);
  return {
    subject: oneLine(fillTemplate(config.subject, message) || titleOf(message))
      .slice(0, longestSubject)
      .toWellFormed(),
    text: plainText(message, own, parts),
    html: html(message, own, parts),
  };
}

function plainText(message: Message, own: string, { unsubscribeUrl }: EmailParts): string {
  const { heads, rows, rest } = tableOf(message);
  const facts = factsOf(message).map(([head, text]) => `${head}: ${text}`);
  const links = [
    ...linksOf(message),
    ...(unsubscribeUrl === undefined
      ? []
      : [{ text: wordsOfMessage(message).unsubscribe, url: unsubscribeUrl }]),
  ];
  return [
    own || titleOf(message),
    facts.join("\n"),
    filesOf(message),
    rows.length > 0 && [heads, ...rows].map((cells) => cells.join("\t")).join("\n"),
    rest,
    ...links.map(({ text, url }) => `${text}: ${url}`),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function html(message: Message, own: string, { unsubscribeUrl, pictureWidth }: EmailParts): string {
  const words = wordsOfMessage(message);
  const { locale, kind } = message;
  const title = titleOf(message);
  const facts = factsOf(message);
  const files = filesOf(message);
  const table = tableOf(message);
  const isAlert = kind === "alert" || kind === "digest";
  return mailLayout(
    {
      locale,
      direction: directionOf(locale),
      preheader: facts
        .map(([, text]) => text)
        .join(" · ")
        .slice(0, 200),
      tone:
        kind === "channel" ? "bad" : isAlert ? (isBeginning(message) ? "bad" : "good") : "plain",
      title,
      paragraphs: [own, files].filter((each) => each !== undefined).filter(Boolean),
      facts,
      ...(pictureWidth !== undefined && {
        picture: { id: pictureId, alt: words.chartOf(title), width: pictureWidth },
      }),
      table,
      links: linksOf(message),
      footer:
        unsubscribeUrl === undefined ? [] : [{ text: words.unsubscribe, url: unsubscribeUrl }],
    },
    (shownCount) => words.moreRows(countText(totalOf(message) - shownCount, message)),
  );
}

/** Returns the number of rows that the table of a message would have without limits. */
const totalOf = ({ instances = [], noticeCounts, rowCount }: Message): number =>
  instances.length > 0
    ? Object.values(noticeCounts).reduce((sum, each) => sum + each, 0)
    : rowCount;

/** Names the attached files; undefined without files. */
function filesOf(message: Message): string | undefined {
  const { attachment, moreAttachments = [] } = message;
  const names = [...(attachment ? [attachment] : []), ...moreAttachments].map(({ name }) => name);
  return names.length === 0 ? undefined : `${wordsOfMessage(message).files}: ${names.join(", ")}`;
}
