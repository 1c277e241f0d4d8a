import { exponent52, one, power52 } from "./constants";
import { highDoubles, loadFour, loadOne, loadSpread, lowDoubles, width } from "./stored";

/** Adds one and a value to a slot. */
function add(slot: usize, pair: v128): void {
  v128.store(slot, f64x2.add(v128.load(slot), pair));
}

/** The loop of `foldStored` for group numbers of type N and values of type V. */
export function foldStored<N, V>(
  numbers: usize,
  values: usize,
  rowCount: i32,
  scale: f64,
  bias: f64,
  state: usize,
  strideBytes: usize,
  copyBytes: usize,
): void {
  const ones = f64x2.splat(one);
  const scales = f64x2.splat(scale);
  const biases = f64x2.splat(bias);
  const exponents = i32x4.splat(exponent52);
  const powers = f64x2.splat(power52);
  const spread = loadSpread();
  const second = state + copyBytes;
  const third = second + copyBytes;
  const fourth = third + copyBytes;
  for (; rowCount >= 4; rowCount -= 4) {
    const stored = loadFour<V>(values, spread);
    const low = f64x2.add(biases, f64x2.mul(lowDoubles(stored, exponents, powers), scales));
    const high = f64x2.add(biases, f64x2.mul(highDoubles(stored, exponents, powers), scales));
    add(state + loadOne<N>(numbers) * strideBytes, v128.shuffle<u64>(ones, low, 0, 2));
    add(second + loadOne<N>(numbers, 1) * strideBytes, v128.shuffle<u64>(ones, low, 0, 3));
    add(third + loadOne<N>(numbers, 2) * strideBytes, v128.shuffle<u64>(ones, high, 0, 2));
    add(fourth + loadOne<N>(numbers, 3) * strideBytes, v128.shuffle<u64>(ones, high, 0, 3));
    numbers += 4 * width<N>();
    values += 4 * width<V>();
  }
  for (; rowCount > 0; rowCount--) {
    const value = bias + <f64>loadOne<V>(values) * scale;
    add(state + loadOne<N>(numbers) * strideBytes, f64x2.replace_lane(ones, 1, value));
    state += copyBytes;
    numbers += width<N>();
    values += width<V>();
  }
}
