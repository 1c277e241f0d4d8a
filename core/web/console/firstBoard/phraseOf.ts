/**
 * Returns the name of a column as part of a title: "Order_Date" becomes "order date". Abbreviations such as "GDP" keep
 * their capitals.
 */
export function phraseOf(title: string): string {
  return title
    .replaceAll(/[_\s]+|(?<=\p{L})\.(?=\p{L})/gu, " ")
    .trim()
    .replaceAll(/\p{Lu}\p{Ll}+/gu, (word, at: number, whole: string) =>
      at === 0 || whole[at - 1] === " " ? word.toLowerCase() : word,
    );
}
