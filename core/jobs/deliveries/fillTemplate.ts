import { templateWords } from "../../resources/index.ts";
import {
  countText,
  digestOf,
  isBeginning,
  type Message,
  whenText,
  wordsOfMessage,
} from "./message.ts";
import { localizedText } from "../../web/charts/index.ts";

type Word = (typeof templateWords)[number];

const values: { readonly [Each in Word]: (message: Message) => string } = {
  name: ({ name, locale }) => localizedText(name, locale),
  status(message) {
    const { firing, isResolved } = wordsOfMessage(message);
    return isBeginning(message) ? firing : isResolved;
  },
  condition: ({ told, condition }) => told?.condition ?? condition,
  count: (message) => countText(message.rowCount, message),
  digest: (message) => digestOf(message) ?? "",
  time: whenText,
  link: ({ link }) => link ?? "",
};

/**
 * Fills a template of a channel's config with the values of a message: `{{name}}`, `{{status}}`, `{{condition}}`,
 * `{{count}}`, `{{digest}}`, `{{time}}`, `{{link}}`. Uses the template's variant for the language of the message, if it
 * exists. The result is empty without a template. The medium escapes the whole result, so values are never interpreted
 * as templates or markup.
 */
export function fillTemplate(template: unknown, message: Message): string {
  const text = localizedText(template, message.locale);
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, given: string) => {
    const word = templateWords.find((each) => each === given);
    return word ? values[word](message) : whole;
  });
}
