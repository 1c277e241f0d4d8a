/** Bytes that structure JSON (RFC 8259); in UTF-8 none of them is a part of another character. */
export const quote = 0x22;
export const backslash = 0x5c;
export const openBracket = 0x5b;
export const openBrace = 0x7b;
export const closeBracket = 0x5d;
export const closeBrace = 0x7d;
export const comma = 0x2c;
export const colon = 0x3a;
