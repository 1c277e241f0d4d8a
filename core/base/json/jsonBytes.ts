/** Bytes with a meaning in the syntax of JSON (RFC 8259). In UTF-8, none of them is part of another character. */
export const quote = 0x22;
export const backslash = 0x5c;
export const openBracket = 0x5b;
export const openBrace = 0x7b;
export const closeBracket = 0x5d;
export const closeBrace = 0x7d;
export const comma = 0x2c;
export const colon = 0x3a;
