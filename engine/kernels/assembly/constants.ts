/*
 * Constants that the inner loops keep in registers. They are mutable and exported, although nothing writes to them, so
 * that no compiler may assume their values. V8 would otherwise rebuild a vector constant at each use, with up to four
 * instructions per iteration.
 */

export let one: f64 = 1;
export let fifteen: i32 = 15;

/**
 * High word of 2^52 as a double. A double with this high word and a 32-bit number as its low word equals 2^52 + number.
 */
export let exponent52: i32 = 0x43300000;
export let power52: f64 = 4503599627370496;

/**
 * Byte positions for a swizzle that spreads four packed 24-bit numbers over four 32-bit lanes. Position 0x80 yields a
 * zero byte.
 */
export let spread24Low: i64 = 0x8005040380020100;
export let spread24High: i64 = 0x800b0a0980080706;

/** Positions of the first bytes of the stored numbers in a vector, then of their second bytes, and so on. */
export let gather16Low: i64 = 0x0e0c0a0806040200;
export let gather16High: i64 = 0x0f0d0b0907050301;
export let gather24Low: i64 = 0x0a07040109060300;
export let gather24High: i64 = 0x808080800b080502;
export let gather32Low: i64 = 0x0d0905010c080400;
export let gather32High: i64 = 0x0f0b07030e0a0602;

/** The highest bit of each of eight bytes. */
export let signs: i64 = 0x8080808080808080;

/** Eight bytes, each with a different bit set. */
export let bitsOfByte: i64 = 0x8040201008040201;
