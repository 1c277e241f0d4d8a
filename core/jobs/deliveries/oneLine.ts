/**
 * Turns text into a single line of plain characters, for the subject of a mail or a text message. Control characters,
 * line breaks and the spaces of formatted numbers become spaces. Invisible marks, such as those of text direction, are
 * removed, except those that join characters.
 */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029\u00a0\u202f]+/gu, " ")
    .replaceAll(/[^\P{Cf}\u200c\u200d]+/gu, "");
