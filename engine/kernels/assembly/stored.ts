import { spread24High, spread24Low } from "./constants";

/*
 * Stored whole numbers are generic over their type: u8, u16, u32, and i32 as a marker for packed 24 bits, for which no
 * type exists. The marker is unambiguous, because stored numbers are never signed.
 */

/** Bytes of one stored value. */
export function width<T>(): usize {
  if (isFloat<T>()) return sizeof<T>();
  if (isSigned<T>()) return 3;
  return sizeof<T>();
}

/** Loads the stored whole number that is `place` numbers after an address. `place` is 0 to 3. */
export function loadOne<T>(address: usize, place: i32 = 0): u32 {
  if (isSigned<T>()) {
    if (place === 0) return load<u32>(address) & 0xffffff;
    if (place === 1) return load<u32>(address, 3) & 0xffffff;
    if (place === 2) return load<u32>(address, 6) & 0xffffff;
    return load<u32>(address, 9) & 0xffffff;
  }
  if (place === 0) return <u32>load<T>(address);
  if (place === 1) return <u32>load<T>(address, sizeof<T>());
  if (place === 2) return <u32>load<T>(address, 2 * sizeof<T>());
  return <u32>load<T>(address, 3 * sizeof<T>());
}

/** Returns the argument `spread` of `loadFour`. Call it once before the loop. */
export function loadSpread(): v128 {
  return i64x2.replace_lane(i64x2.splat(spread24Low), 1, spread24High);
}

/** Loads four stored whole numbers as four 32-bit lanes. */
export function loadFour<T>(address: usize, spread: v128): v128 {
  // The relaxed swizzle has no specified result for indices from 16 to 127, and none of these occurs here.
  if (isSigned<T>()) return i8x16.relaxed_swizzle(v128.load(address), spread);
  if (sizeof<T>() === 1) {
    return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load_zero<u32>(address)));
  }
  if (sizeof<T>() === 2) return v128.load_ext<u16>(address);
  return v128.load(address);
}

/** Loads the stored whole numbers at four selected rows as four 32-bit lanes. */
export function loadFourSelected<T>(values: usize, selection: usize): v128 {
  const first = values + <usize>load<u16>(selection) * width<T>();
  const second = values + <usize>load<u16>(selection, 2) * width<T>();
  const third = values + <usize>load<u16>(selection, 4) * width<T>();
  const fourth = values + <usize>load<u16>(selection, 6) * width<T>();
  if (isSigned<T>()) {
    let lanes = v128.load_zero<u32>(first);
    lanes = v128.load_lane<u32>(second, lanes, 1);
    lanes = v128.load_lane<u32>(third, lanes, 2);
    lanes = v128.load_lane<u32>(fourth, lanes, 3);
    return v128.and(lanes, i32x4.splat(0xffffff));
  }
  if (sizeof<T>() === 1) {
    let lanes = v128.load_lane<u8>(first, i32x4.splat(0), 0);
    lanes = v128.load_lane<u8>(second, lanes, 4);
    lanes = v128.load_lane<u8>(third, lanes, 8);
    return v128.load_lane<u8>(fourth, lanes, 12);
  }
  if (sizeof<T>() === 2) {
    let lanes = v128.load_lane<u16>(first, i32x4.splat(0), 0);
    lanes = v128.load_lane<u16>(second, lanes, 2);
    lanes = v128.load_lane<u16>(third, lanes, 4);
    return v128.load_lane<u16>(fourth, lanes, 6);
  }
  let lanes = v128.load_zero<u32>(first);
  lanes = v128.load_lane<u32>(second, lanes, 1);
  lanes = v128.load_lane<u32>(third, lanes, 2);
  return v128.load_lane<u32>(fourth, lanes, 3);
}

/*
 * An unsigned 32-bit lane is converted to a double by using it as the low word of 2^52 and subtracting 2^52, which is
 * exact. This takes two instructions on every processor; converting unsigned lanes takes more on x64.
 */

/** Returns lanes 0 and 1 as doubles. */
export function lowDoubles(lanes: v128, exponents: v128, powers: v128): v128 {
  return f64x2.sub(v128.shuffle<u32>(lanes, exponents, 0, 4, 1, 5), powers);
}

/** Returns lanes 2 and 3 as doubles. */
export function highDoubles(lanes: v128, exponents: v128, powers: v128): v128 {
  return f64x2.sub(v128.shuffle<u32>(lanes, exponents, 2, 6, 3, 7), powers);
}
