/*
 * Constants that the inner loops keep in registers. They are mutable and exported, so that no compiler may assume their
 * values: V8 would build a known vector constant anew at each of its uses, with up to four instructions in every iteration.
 * Nothing writes them.
 */

export let one: f64 = 1;

/** High word of 2^52 as a double: a 32-bit number behind it is 2^52 + number. */
export let exponent52: i32 = 0x43300000;
export let power52: f64 = 4503599627370496;

/** Places of the bytes that spread four packed 24-bit numbers over four 32-bit lanes; 0x80 is a zero byte. */
export let spread24Low: i64 = 0x8005040380020100;
export let spread24High: i64 = 0x800b0a0980080706;
