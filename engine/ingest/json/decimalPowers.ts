const exactPower = 22;
const largestPower = 64;

/**
 * Creates the table with which a kernel scales decimals. It contains the doubles 10^0 to 10^22, then the first 128 bits
 * of 5^-64 to 5^64, high half first, rounded up for negative powers (D. Lemire, "Number parsing at a gigabyte per
 * second", 2021).
 */
export function decimalPowers(): Uint8Array {
  const table = new DataView(new ArrayBuffer((exactPower + 1) * 8 + (largestPower * 2 + 1) * 16));
  let at = 0;
  for (let power = 0; power <= exactPower; power++, at += 8)
    table.setFloat64(at, Number(`1e${power}`), true);
  for (let power = -largestPower; power <= largestPower; power++, at += 16) {
    const five = 5n ** BigInt(Math.abs(power));
    const bits = BigInt(five.toString(2).length);
    const first =
      power >= 0
        ? bits > 128n
          ? five >> (bits - 128n)
          : five << (128n - bits)
        : reciprocal(five, bits);
    table.setBigUint64(at, first >> 64n, true);
    table.setBigUint64(at + 8, first & 0xffff_ffff_ffff_ffffn, true);
  }
  return new Uint8Array(table.buffer);
}

/** Returns the first 128 bits of 1 / `five`, rounded up. */
function reciprocal(five: bigint, bits: bigint): bigint {
  // 2^(bits - 1) < five < 2^bits, so the quotient has 128 bits.
  return (1n << (bits + 127n)) / five + 1n;
}
