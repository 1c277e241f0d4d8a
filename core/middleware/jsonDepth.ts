const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const openBrace = 0x7b;
const closeBracket = 0x5d;
const closeBrace = 0x7d;

/**
 * Tells whether JSON text nests deeper than `limit`, from its bytes alone and in one pass, so that
 * nothing is parsed that a recursive validator could break on. Text that is not JSON gets an answer too; the parser refuses it later.
 */
export function isDeeperThan(json: Uint8Array, limit: number): boolean {
  let depth = 0;
  for (let index = 0; index < json.length; index++) {
    switch (json[index]) {
      case quote:
        for (index++; index < json.length && json[index] !== quote; index++)
          if (json[index] === backslash) index++;
        break;
      case openBracket:
      case openBrace:
        if (++depth > limit) return true;
        break;
      case closeBracket:
      case closeBrace:
        depth--;
        break;
    }
  }
  return false;
}
